import './quiet-console.ts';
import { randomBytes } from 'node:crypto';
import {
  type BinaryNode,
  type ConnectionState,
  type Contact,
  type GroupMetadata,
  makeWASocket,
  proto,
  type WASocket,
} from '@whiskeysockets/baileys';
import { LRUCache } from 'lru-cache';
import type { InboundMessage } from '../../contract/bridge-frames.ts';
import type { Group } from '../../contract/group.ts';
import type { ChatType } from '../../contract/message.ts';
import { isAction, type OutboundContent } from '../../contract/messages/actions.ts';
import { isFileContent } from '../../contract/messages/content.ts';
import type { QueryAnswer, QueryVerb } from '../../contract/network-queries.ts';
import type { SessionSettings } from '../../contract/session-settings.ts';
import type { NetworkName } from '../config.ts';
import { errorText } from '../logging.ts';
import { AddressBook } from './addressing/address-book.ts';
import { SentMessages } from './addressing/sent-messages.ts';
import { silentLogger } from './client-log.ts';
import { checkSocket } from './client-shapes.ts';
import {
  type HandedMessage,
  HandOverError,
  type NetworkConnection,
  type NetworkEvents,
  type NewChatRestriction,
  type PlainQuery,
} from './connection.ts';
import { connectionCodes } from './disconnect-reasons.ts';
import { FirstSync } from './first-sync.ts';
import { handOverErrorKind } from './hand-over-errors.ts';
import { takeInOrder } from './inbound/in-order.ts';
import { messagesOfPhone } from './inbound/phone-answers.ts';
import { readMessage } from './inbound/read-message.ts';
import type { DeviceKeys } from './keys/auth-state.ts';
import { dropBrokenBundles } from './keys/key-bundles.ts';
import { journallingSignalRepository } from './keys/signal-repository.ts';
import { MediaHost } from './media-host.ts';
import { targetKey, wireAction } from './outbound/wire-action.ts';
import { type WireMessage, wireMessage } from './outbound/wire-message.ts';
import { leadOwnDownloads } from './own-downloads.ts';
import { browserIdentity, Pairing } from './pairing.ts';
import { Presence } from './presence.ts';
import { routeThrough } from './proxy.ts';
import { AskNetwork } from './queries/ask-network.ts';
import { queryError } from './queries/query-failure.ts';
import { ReadMarks } from './read-marks.ts';
import { ResendContents } from './resend-contents.ts';
import type { Remedy } from './send-refusals.ts';
import { readCall, ringingCall } from './stanzas/calls.ts';
import { seenContacts } from './stanzas/contacts.ts';
import { GroupMetadataCache, isInGroup, phoneNumberInGroup } from './stanzas/group-metadata.ts';
import { readGroupNotice } from './stanzas/groups.ts';
import { isSelf, type OwnAccount, personOf, userDigits } from './stanzas/jids.ts';
import { readReceipt } from './stanzas/receipts.ts';
import { readRestriction } from './stanzas/restriction.ts';
import { readTyping } from './stanzas/typing.ts';
import { PrivacyTokens } from './tokens/privacy-tokens.ts';
import { withSaltCapture } from './tokens/salt-capture.ts';
import { WatchedChats } from './watched-chats.ts';
import type { WebVersion } from './web-version.ts';
import { type NetworkFence, writeWhenAllowed } from './write-when-allowed.ts';

export interface ConnectionOptions {
  keys: DeviceKeys;
  events: NetworkEvents;
  /** How the session is to behave, at this moment. */
  settings: () => SessionSettings;
  network: NetworkName;
  /** Address of the network's socket; null takes the client's own. */
  socketUrl: string | null;
  version: WebVersion | undefined;
  qrTimeoutMs: number | null;
  /** Runs the action when what it writes to the network may be written, in order. */
  beforeWriting: (write: () => void) => void;
  /** Nothing leaves while it is closed. */
  fence: NetworkFence;
}

/** The client leaks timers when it is ended in the tick in which it opened. */
const settleAfterOpenMs = 300;
const { INITIAL_BOOTSTRAP, PUSH_NAME, NON_BLOCKING_DATA } = proto.HistorySync.HistorySyncType;
const wantedHistory: unknown[] = [INITIAL_BOOTSTRAP, PUSH_NAME, NON_BLOCKING_DATA];
/** Messages whose stanzas are remembered. */
const announcedKept = 1_000;
/** How long the network may take to answer a probe. */
const probeMs = 10_000;

/** With the secret that a recipient's report of the message needs; a poll has one already. */
function reportable(message: proto.IMessage): proto.IMessage {
  const messageContextInfo = { messageSecret: randomBytes(32), ...message.messageContextInfo };
  return proto.Message.create({ ...message, messageContextInfo });
}

/** The platform's own fetch takes a dispatcher, which its types do not say. */
const downloadsThrough = (dispatcher: unknown) => ({ dispatcher }) as RequestInit;

interface BoomLike {
  message?: string;
  output?: { statusCode?: number };
  /** Attributes of the stanza that ended the connection. */
  data?: { expire?: string; tag?: string } | null;
}

function codeOf(error: unknown): number {
  const { output, data } = (error as BoomLike | undefined) ?? {};
  const code = output?.statusCode ?? connectionCodes.badSession;
  // An end that bears no code but names something, such as a message, says nothing about the credentials.
  const namesSomething = data?.tag !== undefined && data.tag !== 'stream:error';
  return code === connectionCodes.badSession && namesSomething ? connectionCodes.closed : code;
}

/** What the network says of the end of a refusal: seconds from now on. */
function expiryOf(error: unknown): number | null {
  const seconds = Number((error as BoomLike | undefined)?.data?.expire);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : null;
}

/** An HTTP status says nothing about the account: whatever answers may be a proxy on the way. */
function refusedUpgrade(status: number): Error {
  const statusCode = status >= 500 ? connectionCodes.unavailable : connectionCodes.malformed;
  return Object.assign(new Error(`The network answered the upgrade with status ${status}.`), {
    output: { statusCode },
  });
}

/** Opens a connection for a linked device, or for one that is to be linked. Everything else comes as events. */
export function openConnection(options: ConnectionOptions): NetworkConnection {
  return new Connection(options);
}

class Connection implements NetworkConnection {
  readonly #options: ConnectionOptions;
  readonly #sock: WASocket;
  readonly #pairing: Pairing;
  readonly files: MediaHost;
  readonly #groups = new GroupMetadataCache();
  readonly #addresses: AddressBook;
  readonly #sent: SentMessages;
  readonly #tokens: PrivacyTokens;
  readonly #resends: ResendContents;
  readonly #presence: Presence;
  readonly #firstSync: FirstSync;
  readonly #readMarks: ReadMarks;
  readonly #network: AskNetwork;
  readonly #watched: WatchedChats;
  /** Which stanza a ciphertext came in: the Signal repository sees only the bytes. */
  readonly #stanzaOf = new WeakMap<Uint8Array, BinaryNode>();
  /** What the network said of the latest messages, by id: the own phone may be asked for what could not be read. */
  readonly #announced = new LRUCache<string, BinaryNode>({ max: announcedKept });
  #encryptedInThisSend = false;
  #openedAtMs: number | null = null;
  #isOver = false;
  /** Aborted when nothing can be written any more. */
  readonly #ended = new AbortController();
  lastHeardAtMs = Date.now();

  constructor(options: ConnectionOptions) {
    this.#options = options;
    const { keys, events, socketUrl, version, qrTimeoutMs, beforeWriting } = options;
    this.#tokens = new PrivacyTokens(keys);
    const { contentOf } = events;
    this.#resends = new ResendContents({
      keys,
      own: () => this.#own(),
      contentOf,
      wireMessage: (content, chat) => this.#wire(content, chat),
    });
    const { proxyUrl } = options.settings();
    const proxy = proxyUrl === null ? null : routeThrough(proxyUrl);
    const downloads =
      options.network === 'whatsapp'
        ? (proxy?.dispatcher ?? null)
        : leadOwnDownloads(() => this.files.host(), proxy?.dispatcher ?? null);
    this.#sock = withSaltCapture(
      (salt) => this.#tokens.keepSalt(salt),
      () =>
        makeWASocket({
          auth: keys.auth,
          ...(proxy && { agent: proxy.agent, fetchAgent: proxy.agent }),
          ...(downloads && { options: downloadsThrough(downloads) }),
          ...(socketUrl && { waWebSocketUrl: socketUrl }),
          ...(version && { version }),
          ...(qrTimeoutMs && { qrTimeout: qrTimeoutMs }),
          browser: browserIdentity,
          logger: silentLogger,
          markOnlineOnConnect: options.settings().presence === 'available',
          syncFullHistory: false,
          emitOwnEvents: false,
          // Of the history, what brings aliases, names and tokens of the contacts; the rest is of no use here.
          shouldSyncHistoryMessage: ({ syncType }) => wantedHistory.includes(syncType),
          getMessage: (key) => this.#resends.messageFor(key),
          userDevicesCache: keys.deviceLists,
          cachedGroupMetadata: async (groupId) => this.#groups.get(groupId),
          makeSignalRepository: journallingSignalRepository({
            beforeDecrypt: () => events.roomForInbound(this.#ended.signal),
            onPlaintext: (ciphertext, plaintext) => this.#readPlaintext(ciphertext, plaintext),
            onEncrypt: () => {
              this.#encryptedInThisSend = true;
            },
          }),
        }),
    );
    checkSocket(this.#sock);
    takeInOrder(this.#sock.ws);
    this.#presence = new Presence(
      this.#sock,
      () => options.settings().presence,
      () => Boolean(keys.auth.creds.me?.name),
    );
    this.#firstSync = new FirstSync({
      sock: this.#sock,
      keys,
      onDone: () => this.#presence.show(),
      onFailed: events.onSyncFailed,
    });
    writeWhenAllowed(this.#sock, beforeWriting, options.fence);
    this.files = new MediaHost(this.#sock, proxy ? downloadsThrough(proxy.dispatcher) : {});
    this.#addresses = new AddressBook({
      keys,
      own: () => this.#own(),
      askDevices: (jids) => this.#sock.getUSyncDevices(jids, true, false),
    });
    const repository = this.#sock.signalRepository;
    this.#sent = new SentMessages({ addresses: this.#addresses, keys, repository });
    this.#network = new AskNetwork(this.#sock, (metadata) => this.#groups.set(metadata));
    this.#watched = new WatchedChats(this.#sock);
    this.#readMarks = new ReadMarks({
      when: () => options.settings().markRead,
      mark: (keys) => this.#sock.readMessages(keys),
    });
    this.#pairing = new Pairing({
      sock: this.#sock,
      keys,
      qrTimeoutMs,
      onQr: events.onQr,
      onPasskeyRequested: events.onPasskeyRequested,
    });
    this.#listen();
  }

  async send({ providerMessageId, to, chatType, content }: HandedMessage): Promise<void> {
    this.#encryptedInThisSend = false;
    try {
      if (chatType === 'group') await this.#groupMetadata(to);
      if (content.type === 'read') {
        await this.#sock.readMessages([targetKey(content.target, { to, chatType })]);
        return;
      }
      const { message, nodes, attributes } = await this.#wire(content, { to, chatType });
      const address = await this.#addresses.addressOf(to, chatType);
      this.#sent.leaving(providerMessageId, to, address);
      await this.#sock.relayMessage(address, isAction(content) ? message : reportable(message), {
        messageId: providerMessageId,
        additionalNodes: [...nodes, ...(await this.#tokens.nodesFor(to, chatType))],
        additionalAttributes: attributes,
      });
      this.#readMarks.answered(to);
    } catch (error) {
      const isLoss = this.#isOver || !this.#sock.ws.isOpen || codeOf(error) === connectionCodes.closed;
      throw new HandOverError(error, handOverErrorKind(error, this.#encryptedInThisSend, isLoss));
    }
  }

  /** What is sent for a message, whose file is at the network when this is through, or for what is done to one. */
  async #wire(
    content: Exclude<OutboundContent, { type: 'read' }>,
    chat: { to: string; chatType: ChatType },
  ): Promise<WireMessage> {
    if (isAction(content)) return wireAction(content, chat);
    const ticket = isFileContent(content) ? await this.#options.events.uploaded(content, this.files) : null;
    return wireMessage(content, this.#own().phoneNumber, ticket);
  }

  async showTyping(to: string, chatType: ChatType): Promise<void> {
    await this.#sock.sendPresenceUpdate('composing', await this.#addresses.addressOf(to, chatType));
  }

  settingsChanged(): void {
    this.#presence.show();
  }

  taken(providerMessageId: string): void {
    this.#sent.taken(providerMessageId);
  }

  remedy(providerMessageId: string, remedy: Remedy): Promise<boolean> {
    return this.#sent.remedy(providerMessageId, remedy);
  }

  ask(query: PlainQuery): Promise<QueryAnswer<QueryVerb>> {
    return query.verb === 'chats.watch' ? this.#watch(query.chat) : this.#network.ask(query);
  }

  async #watch(chat: string): Promise<QueryAnswer<'chats.watch'>> {
    await this.#watched
      .watch(await this.#addresses.addressOf(chat, 'personal'))
      .catch((error) => Promise.reject(queryError(error)));
    return {};
  }

  groups(): Promise<Group[]> {
    return this.#network.groups();
  }

  async newChatRestriction(): Promise<NewChatRestriction | null> {
    return readRestriction(
      await this.#sock.fetchAccountReachoutTimelock(),
      await this.#sock.fetchNewChatMessageCap(),
    );
  }

  async probe(): Promise<boolean> {
    const ping = {
      tag: 'iq',
      attrs: { to: 's.whatsapp.net', type: 'get', xmlns: 'w:p' },
      content: [{ tag: 'ping', attrs: {} }],
    };
    return this.#sock.query(ping, probeMs).then(
      () => true,
      () => false,
    );
  }

  requestPairingCode(phoneNumber: string): Promise<{ code: string; expiresAtMs: number }> {
    return this.#pairing.requestCode(phoneNumber);
  }

  async phoneNumberOfAlias(lid: string, groupId: string | null): Promise<string | null> {
    const { lidMapping } = this.#sock.signalRepository;
    const known = userDigits(await lidMapping.getPNForLID(`${lid}@lid`));
    if (known || !groupId) return known;
    const member = phoneNumberInGroup(await this.#groupMetadata(groupId), lid);
    if (member) await lidMapping.storeLIDPNMappings([{ lid: `${lid}@lid`, pn: `${member}@s.whatsapp.net` }]);
    return member;
  }

  async logout(): Promise<void> {
    await this.#settle();
    await this.#sock.logout();
  }

  async close(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.#settle();
    this.#sock.ev.flush();
    await this.#sock.end(undefined);
    this.#ended.abort();
  }

  #listen(): void {
    const { events, keys } = this.#options;
    const { ev, ws } = this.#sock;
    ws.on('frame', (frame: BinaryNode | Uint8Array) => {
      this.lastHeardAtMs = Date.now();
      if (frame instanceof Uint8Array) return;
      if (frame.tag === 'message') this.#rememberStanza(frame);
      dropBrokenBundles(frame);
    });
    ws.on('CB:ack,class:message', ({ attrs }: BinaryNode) => {
      if (attrs.phash) this.#outdated(attrs.from ?? '');
      if (attrs.id) events.onAck(attrs.id, attrs.error ?? null);
    });
    ws.on('CB:receipt', (node: BinaryNode) => {
      this.#noteAsker(node);
      this.#resends.noteReceipt(node);
      const receipt = readReceipt(node, this.#own());
      if (receipt) events.onReceipt(receipt);
    });
    ws.on('CB:call', (node: BinaryNode) => this.#onCall(node));
    ws.on('CB:chatstate', (node: BinaryNode) => {
      const typing = readTyping(node);
      if (typing) events.onTyping(typing);
    });
    ws.on('CB:notification,type:w:gp2', (node: BinaryNode) => {
      this.#groups.drop(node.attrs.from ?? '');
      const notice = readGroupNotice(node);
      if (notice) events.onGroupNotice(notice);
    });
    // The client waits out its whole time limit when the upgrade is refused.
    ws.on('unexpected-response', (_request: unknown, { statusCode }: { statusCode?: number }) => {
      void this.#sock.end(refusedUpgrade(statusCode ?? 0));
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
    ev.on('creds.update', () => keys.save());
    ev.on('connection.update', (update) => this.#onUpdate(update));
  }

  #onUpdate({
    qr,
    isNewLogin,
    connection,
    lastDisconnect,
    receivedPendingNotifications,
  }: Partial<ConnectionState>) {
    const { events, keys } = this.#options;
    if (qr) this.#pairing.show(qr);
    if (isNewLogin) {
      keys.save();
      events.onPaired();
    }
    if (connection === 'open') {
      this.#openedAtMs = Date.now();
      this.#presence.opened();
      this.#firstSync.begin();
      events.onOpen(this.#own().phoneNumber ?? '');
    }
    if (receivedPendingNotifications) events.onCaughtUp();
    if (connection === 'close') {
      this.#isOver = true;
      this.#presence.closed();
      this.#ended.abort();
      const error = lastDisconnect?.error;
      const expiresInMs = expiryOf(error);
      const detail = error ? errorText(error) : '';
      events.onClose({ code: codeOf(error), detail, ...(expiresInMs !== null && { expiresInMs }) });
    }
  }

  /** The network counts other devices in a chat than the client does: who is asked for the next time. */
  #outdated(chat: string): void {
    const { deviceLists } = this.#options.keys;
    for (const { id } of this.#groups.get(chat)?.participants ?? [{ id: chat }]) {
      deviceLists.del(userDigits(id) ?? '');
    }
    this.#groups.drop(chat);
  }

  /** Somebody in a group asks for a message who is not known to be in it: what is sent once more has to reach them. */
  #noteAsker({ attrs: { type, from = '', participant = '' } }: BinaryNode): void {
    const group = type === 'retry' ? this.#groups.get(from) : undefined;
    if (group && !isInGroup(group, participant)) this.#outdated(from);
  }

  #onCall(node: BinaryNode): void {
    const { events, settings } = this.#options;
    const ringing = settings().rejectCalls ? ringingCall(node) : null;
    if (ringing) void this.#sock.rejectCall(ringing.callId, ringing.caller).catch(() => {});
    const call = readCall(node);
    if (!call) return;
    const { caller, ...rest } = call;
    const known = caller.phoneNumber ?? this.phoneNumberOfAlias(caller.lid ?? '', null).catch(() => null);
    void Promise.resolve(known).then((phoneNumber) =>
      events.onCall({ ...rest, from: phoneNumber ?? caller.lid ?? '' }),
    );
  }

  #noteUnread({ attrs }: BinaryNode, { groupId, from, sentTo }: InboundMessage): void {
    const { id, from: remoteJid, participant } = attrs;
    if (!id || !remoteJid || sentTo !== undefined) return;
    this.#readMarks.received(groupId ?? from, { id, remoteJid, ...(participant && { participant }) });
  }

  #rememberStanza(node: BinaryNode): void {
    if (!Array.isArray(node.content)) return;
    // The phone may tell of this message too, also of one that came and could not be read at first.
    const { id, category } = node.attrs;
    if (id && category !== 'peer') this.#announced.set(id, { tag: node.tag, attrs: node.attrs });
    for (const child of node.content) {
      if (child.tag === 'enc' && child.content instanceof Uint8Array) this.#stanzaOf.set(child.content, node);
    }
  }

  async #readPlaintext(ciphertext: Uint8Array, plaintext: Uint8Array): Promise<void> {
    const node = this.#stanzaOf.get(ciphertext);
    if (!node) return;
    if (node.attrs.category !== 'peer') {
      void this.#addresses.heard(node).catch(() => {});
      await this.#takeMessage(node, plaintext);
      return;
    }
    this.#options.events.onNothing();
    if (!isSelf(personOf(node.attrs.from ?? '', undefined), this.#own())) return;
    for (const handed of messagesOfPhone(plaintext, (id) => this.#announced.get(id))) {
      await this.#takeMessage(handed.node, handed.plaintext);
    }
  }

  /** Nothing is asked of the network meanwhile: the ratchet's step waits for it. */
  async #takeMessage(node: BinaryNode, plaintext: Uint8Array): Promise<void> {
    const { events } = this.#options;
    const known = (lid: string, groupId: string | null) => this.#knownNumber(lid, groupId).catch(() => null);
    const reading = await readMessage(node, plaintext, this.#own(), known).catch(() => null);
    if (!reading) {
      events.onNothing();
      return;
    }
    if (reading.kind !== 'message') {
      events.onChange(reading.change);
      return;
    }
    const { from, senderLid, groupId } = reading.message;
    const isNameless = from === senderLid && groupId !== undefined;
    events.onInbound(reading.message, isNameless ? () => this.phoneNumberOfAlias(from, groupId) : null);
    this.#noteUnread(node, reading.message);
  }

  async #knownNumber(lid: string, groupId: string | null): Promise<string | null> {
    const number = await this.#options.keys.phoneNumberOf(lid);
    const group = number === null && groupId !== null ? this.#groups.get(groupId) : undefined;
    return group ? phoneNumberInGroup(group, lid) : number;
  }

  async #groupMetadata(groupId: string): Promise<GroupMetadata> {
    const known = this.#groups.get(groupId);
    if (known) return known;
    const metadata = await this.#sock.groupMetadata(groupId);
    this.#groups.set(metadata);
    return metadata;
  }

  #own(): OwnAccount {
    const { me } = this.#options.keys.auth.creds;
    return { phoneNumber: userDigits(me?.id), lid: userDigits(me?.lid) };
  }

  async #settle(): Promise<void> {
    const waitMs = this.#openedAtMs === null ? 0 : this.#openedAtMs + settleAfterOpenMs - Date.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}
