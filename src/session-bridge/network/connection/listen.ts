import {
  type BinaryNode,
  type Contact,
  getBinaryNodeChild,
  getBinaryNodeChildren,
  isJidGroup,
  type WASocket,
} from '@whiskeysockets/baileys';
import type { SessionSettings } from '../../../contract/bridge/session-settings.ts';
import type { SeenContact } from '../../../contract/contacts/contact.ts';
import type { IncomingCall } from '../../../contract/messages/changes.ts';
import type { GroupMembers } from '../addressing/group-members.ts';
import type { MessageIntake } from '../inbound/message-intake.ts';
import { dropBrokenBundles } from '../keys/key-bundles.ts';
import type { ResendContents } from '../outbound/resend-contents.ts';
import { contractPerson, readGroupNotice } from '../stanzas/groups.ts';
import { isSelf, type OwnAccount, type Person, personOf, stanzaTime } from '../stanzas/jids.ts';
import { readTyping } from '../stanzas/typing.ts';
import type { NetworkEvents, RawReceipt } from './connection.ts';
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

/**
 * Turns what the network sends into events. It reads the stanzas themselves if the client does not pass them on completely.
 */
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
  // Otherwise buffered data of the client would be lost with the connection, although it was acknowledged to the network.
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

/** A call that was begun, whether or not it still rings; null for anything else about calls. */
function readCall(node: BinaryNode): (Omit<IncomingCall, 'from'> & { caller: Person }) | null {
  const offer = getBinaryNodeChild(node, 'offer') ?? getBinaryNodeChild(node, 'offer_notice');
  const callId = offer?.attrs['call-id'];
  const callerJid = offer?.attrs['call-creator'] ?? node.attrs.from;
  if (!offer || !callId || callId.length > 128 || !callerJid) return null;
  const caller = personOf(callerJid, offer.attrs.caller_pn ?? node.attrs.sender_pn);
  if (caller.phoneNumber === null && caller.lid === null) return null;
  const isGroup = Boolean(offer.attrs['group-jid']) || offer.attrs.type === 'group';
  const isVideo = Boolean(getBinaryNodeChild(offer, 'video')) || offer.attrs.media === 'video';
  return { callId, caller, isVideo, isGroup, at: stanzaTime(node) };
}

/** A call that begins now, as far as it takes to turn it down; null for anything else about calls. */
function ringingCall(node: BinaryNode): { callId: string; caller: string } | null {
  const offer = getBinaryNodeChild(node, 'offer');
  const callId = offer?.attrs['call-id'];
  const caller = offer?.attrs['call-creator'] ?? node.attrs.from;
  // One that waited at the network rings no more.
  return callId && caller && node.attrs.offline === undefined ? { callId, caller } : null;
}

const nameCharactersMax = 512;

const text = (name: string | undefined) => name?.slice(0, nameCharactersMax).toWellFormed();

/** Of contacts as the client tells them, those who have an address and something to tell. */
function seenContacts(contacts: readonly Partial<Contact>[]): SeenContact[] {
  return contacts.flatMap(({ id, phoneNumber, lid, name, notify }) => {
    const person = contractPerson(id, id?.endsWith('@lid') ? phoneNumber : lid);
    if (!person || !id || !/@(s\.whatsapp\.net|lid)$/.test(id)) return [];
    const [bookName, pushName] = [text(name), text(notify)];
    const isPair = person.phoneNumber !== undefined && person.lid !== undefined;
    if (!bookName && !pushName && !isPair) return [];
    return [{ ...person, ...(bookName && { name: bookName }), ...(pushName && { pushName }) }];
  });
}

const deliveredTypes = [undefined, '', 'inactive'];
const readTypes = ['read', 'played'];
/** Receipts about messages that others sent to us: they say nothing about ours. */
const foreignTypes = ['read-self', 'played-self', 'hist_sync', 'peer_msg', 'server-error'];

/** Reads a receipt stanza; null when it says nothing about a message of ours. */
export function readReceipt(node: BinaryNode, own: OwnAccount): RawReceipt | null {
  const { id, from, type, participant } = node.attrs;
  if (!id || !from || (type && foreignTypes.includes(type))) return null;
  const items = getBinaryNodeChildren(getBinaryNodeChild(node, 'list'), 'item');
  const author = personOf(participant ?? from, node.attrs.participant_pn ?? node.attrs.sender_pn);
  const isFromOwnDevice = type === 'sender' || isSelf(author, own);
  return {
    providerMessageIds: [id, ...items.flatMap((item) => item.attrs.id ?? [])],
    kind: isFromOwnDevice ? 'evidence' : kindOf(type),
    isFromOwnDevice,
    at: stanzaTime(node),
    groupId: isJidGroup(from) ? from : null,
    recipient: author.phoneNumber,
    recipientLid: author.lid,
  };
}

function kindOf(type: string | undefined): RawReceipt['kind'] {
  if (deliveredTypes.includes(type)) return 'delivered';
  return type && readTypes.includes(type) ? 'read' : 'evidence';
}
