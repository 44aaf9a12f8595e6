import type { BinaryNode, Contact, WASocket } from '@whiskeysockets/baileys';
import type { SessionSettings } from '../../../contract/bridge/session-settings.ts';
import type { GroupMembers } from '../addressing/group-members.ts';
import type { MessageIntake } from '../inbound/message-intake.ts';
import { dropBrokenBundles } from '../keys/key-bundles.ts';
import type { ResendContents } from '../outbound/resend-contents.ts';
import { readCall, ringingCall } from '../stanzas/calls.ts';
import { seenContacts } from '../stanzas/contacts.ts';
import { readGroupNotice } from '../stanzas/groups.ts';
import type { OwnAccount } from '../stanzas/jids.ts';
import { readReceipt } from '../stanzas/receipts.ts';
import { readTyping } from '../stanzas/typing.ts';
import type { NetworkEvents } from './connection.ts';
import { refusedUpgrade } from './connection-end.ts';

export interface ListenerOptions {
  sock: WASocket;
  events: NetworkEvents;
  settings: () => SessionSettings;
  own: () => OwnAccount;
  messages: MessageIntake;
  resends: ResendContents;
  groups: GroupMembers;
  phoneNumberOfAlias: (lid: string, groupId: string | null) => Promise<string | null>;
  /** The network said anything at all. */
  onHeard: () => void;
}

/** Makes events of what the network says, from the stanzas themselves as far as the client does not hand them on whole. */
export function listen(options: ListenerOptions): void {
  const { sock, events, own, messages, resends, groups, onHeard } = options;
  const { ev, ws } = sock;
  ws.on('frame', (frame: BinaryNode | Uint8Array) => {
    onHeard();
    if (frame instanceof Uint8Array) return;
    if (frame.tag === 'message') messages.rememberStanza(frame);
    dropBrokenBundles(frame);
  });
  ws.on('CB:ack,class:message', ({ attrs }: BinaryNode) => {
    if (attrs.phash) groups.outdated(attrs.from ?? '', own());
    if (attrs.id) events.onAck(attrs.id, attrs.error ?? null);
  });
  ws.on('CB:receipt', (node: BinaryNode) => {
    groups.noteAsker(node, own());
    resends.noteReceipt(node);
    const receipt = readReceipt(node, own());
    if (receipt) events.onReceipt(receipt);
  });
  ws.on('CB:call', (node: BinaryNode) => takeCall(options, node));
  ws.on('CB:chatstate', (node: BinaryNode) => {
    const typing = readTyping(node);
    if (typing) events.onTyping(typing);
  });
  ws.on('CB:notification,type:w:gp2', (node: BinaryNode) => {
    groups.changed(node.attrs.from ?? '');
    const notice = readGroupNotice(node);
    if (notice) events.onGroupNotice(notice);
  });
  // The client waits out its whole time limit when the upgrade is refused.
  ws.on('unexpected-response', (_request: unknown, { statusCode }: { statusCode?: number }) => {
    void sock.end(refusedUpgrade(statusCode ?? 0));
  });
  // What the client has buffered would be lost with the connection, though the network was told that it arrived.
  ws.on('close', () => ev.flush());
  ws.on('CB:stream:error', () => ev.flush());
  ws.on('CB:failure', () => ev.flush());
  const onContacts = (contacts: readonly Partial<Contact>[]) => {
    const seen = seenContacts(contacts);
    if (seen.length > 0) events.onContacts(seen);
  };
  ev.on('contacts.upsert', onContacts);
  ev.on('messaging-history.set', ({ contacts }) => onContacts(contacts));
}

function takeCall({ sock, events, settings, phoneNumberOfAlias }: ListenerOptions, node: BinaryNode): void {
  const ringing = settings().rejectCalls ? ringingCall(node) : null;
  if (ringing) void sock.rejectCall(ringing.callId, ringing.caller).catch(() => {});
  const call = readCall(node);
  if (!call) return;
  const { caller, ...rest } = call;
  const known = caller.phoneNumber ?? phoneNumberOfAlias(caller.lid ?? '', null).catch(() => null);
  void Promise.resolve(known).then((phoneNumber) =>
    events.onCall({ ...rest, from: phoneNumber ?? caller.lid ?? '' }),
  );
}
