import type { ConnectionState, WASocket } from '@whiskeysockets/baileys';
import type { QueryAnswer, QueryVerb } from '../../../contract/bridge/network-queries.ts';
import type { ChatType } from '../../../contract/messages/message.ts';
import type { Group } from '../../../contract/numbers/group.ts';
import { Presence, ReadMarks, WatchedChats } from '../activity.ts';
import { AddressBook } from '../addressing/address-book.ts';
import { GroupMembers } from '../addressing/group-members.ts';
import { SentMessages } from '../addressing/sent-messages.ts';
import { type ClientOptions, makeClient, rejectQueries } from '../client/make-client.ts';
import type { NetworkFiles } from '../files/network-files.ts';
import { MessageIntake, takeOfflineInBatches } from '../inbound/message-intake.ts';
import { MessageSender } from '../outbound/message-sender.ts';
import { ResendContents } from '../outbound/resend-contents.ts';
import { FirstSync } from '../pairing/first-sync.ts';
import { Pairing } from '../pairing/pairing.ts';
import { AskNetwork } from '../queries/ask-network.ts';
import { queryError } from '../queries/query-failure.ts';
import { type OwnAccount, userDigits } from '../stanzas/jids.ts';
import { readRestriction } from '../stanzas/restriction.ts';
import { PrivacyTokens, withSaltCapture } from '../tokens.ts';
import type {
  HandedMessage,
  NetworkConnection,
  NetworkEvents,
  NewChatRestriction,
  PlainQuery,
} from './connection.ts';
import { connectionEnd } from './connection-end.ts';
import { listen } from './listen.ts';
import type { Remedy } from './send-refusals.ts';

export interface ConnectionOptions extends ClientOptions {
  events: NetworkEvents;
}

/** The client leaks timers when it is ended in the tick in which it opened. */
const settleAfterOpenMs = 300;
/** How long the network may take to answer a probe. */
const probeMs = 10_000;

/** Opens a connection for a linked device, or for one that is to be linked. Everything else comes as events. */
export function openConnection(options: ConnectionOptions): NetworkConnection {
  return new Connection(options);
}

class Connection implements NetworkConnection {
  readonly #options: ConnectionOptions;
  readonly #sock: WASocket;
  readonly #pairing: Pairing;
  readonly files: NetworkFiles;
  readonly #groups: GroupMembers;
  readonly #addresses: AddressBook;
  readonly #sent: SentMessages;
  readonly #sender: MessageSender;
  readonly #messages: MessageIntake;
  readonly #presence: Presence;
  readonly #firstSync: FirstSync;
  readonly #network: AskNetwork;
  readonly #watched: WatchedChats;
  #openedAtMs: number | null = null;
  #isOver = false;
  /** Aborted when nothing can be written any more. */
  readonly #ended = new AbortController();
  lastHeardAtMs = Date.now();

  constructor(options: ConnectionOptions) {
    this.#options = options;
    const { keys, events, settings, config } = options;
    const own = () => this.#own();
    const tokens = new PrivacyTokens(keys);
    const resends = new ResendContents({
      keys,
      own,
      contentOf: events.contentOf,
      wireMessage: (content, chat) => this.#sender.wire(content, chat),
    });
    const { sock, files } = withSaltCapture(
      (salt) => tokens.keepSalt(salt),
      () =>
        makeClient(options, {
          getMessage: (key) => resends.messageFor(key),
          cachedGroupMetadata: async (groupId) => this.#groups.known(groupId),
          signal: {
            beforeDecrypt: () => events.roomForInbound(this.#ended.signal),
            onPlaintext: (ciphertext, plaintext) => this.#messages.readPlaintext(ciphertext, plaintext),
            onEncrypt: () => this.#sender.encrypts(),
            device: keys.generation,
            decrypted: keys.decrypted,
          },
        }),
    );
    this.#sock = sock;
    this.files = files;
    this.#presence = new Presence(
      sock,
      () => settings().presence,
      () => Boolean(keys.auth.creds.me?.name),
    );
    this.#firstSync = new FirstSync({
      sock,
      keys,
      catchUpAfterMs: config.timings.settingsAfterMs,
      onDone: () => this.#presence.show(),
      onFailed: events.onSyncFailed,
    });
    const readMarks = new ReadMarks({
      when: () => settings().markRead,
      mark: (marked) => sock.readMessages(marked),
    });
    this.#groups = new GroupMembers(sock, keys);
    this.#addresses = new AddressBook({
      keys,
      own,
      askDevices: (jids) => sock.getUSyncDevices(jids, true, false),
    });
    this.#sent = new SentMessages({
      addresses: this.#addresses,
      keys,
      repository: sock.signalRepository,
      groupOutdated: (groupId) => this.#groups.outdated(groupId, own()),
    });
    this.#sender = new MessageSender({
      sock,
      files,
      own,
      isOver: () => this.#isOver,
      uploaded: events.uploaded,
      addresses: this.#addresses,
      groups: this.#groups,
      sent: this.#sent,
      tokens,
      readMarks,
    });
    const phoneNumberOfAlias = (lid: string, groupId: string | null) => this.phoneNumberOfAlias(lid, groupId);
    this.#messages = new MessageIntake({
      events,
      own,
      heard: (node) => this.#addresses.heard(node),
      knownNumber: (lid, groupId) => this.#knownNumber(lid, groupId),
      phoneNumberOfAlias,
      readMarks,
    });
    this.#network = new AskNetwork(sock, (metadata) => this.#groups.learn(metadata));
    this.#watched = new WatchedChats(sock);
    this.#pairing = new Pairing({
      sock,
      keys,
      qrTimeoutMs: config.timings.qrTimeoutMs,
      onQr: events.onQr,
      onPasskeyRequested: events.onPasskeyRequested,
    });
    listen({
      sock,
      events,
      settings,
      own,
      messages: this.#messages,
      resends,
      groups: this.#groups,
      phoneNumberOfAlias,
      onHeard: () => {
        this.lastHeardAtMs = Date.now();
      },
    });
    const ended = this.#ended.signal;
    takeOfflineInBatches({ sock, room: () => events.roomForInbound(ended), ended });
    sock.ev.on('creds.update', () => keys.save());
    sock.ev.on('connection.update', (update) => this.#onUpdate(update));
  }

  send(message: HandedMessage): Promise<void> {
    return this.#sender.send(message);
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
    const member = await this.#groups.phoneNumberOf(lid, groupId);
    if (member) await lidMapping.storeLIDPNMappings([{ lid: `${lid}@lid`, pn: `${member}@s.whatsapp.net` }]);
    return member;
  }

  async logout(): Promise<void> {
    const jid = this.#options.keys.auth.creds.me?.id;
    if (!jid) throw new Error('no device is linked');
    // The client's own logout waits for no answer.
    await this.#sock.query({
      tag: 'iq',
      attrs: { to: 's.whatsapp.net', type: 'set', xmlns: 'md' },
      content: [{ tag: 'remove-companion-device', attrs: { jid, reason: 'user_initiated' } }],
    });
  }

  async close(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.#settle();
    this.#sock.ev.flush();
    await this.#sock.end(undefined);
    this.#ended.abort();
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
      const { phoneNumber, lid } = this.#own();
      events.onOpen(phoneNumber ?? '');
      // By it the account knows its own number where another of them is written to from it.
      if (phoneNumber !== null && lid !== null) events.onContacts([{ phoneNumber, lid }]);
    }
    if (receivedPendingNotifications) events.onCaughtUp();
    if (connection === 'close') {
      this.#isOver = true;
      this.#presence.closed();
      this.#ended.abort();
      rejectQueries(this.#sock);
      events.onClose(connectionEnd(lastDisconnect?.error));
    }
  }

  async #knownNumber(lid: string, groupId: string | null): Promise<string | null> {
    const number = await this.#options.keys.phoneNumberOf(lid);
    return number === null && groupId !== null ? this.#groups.knownNumberOf(lid, groupId) : number;
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
