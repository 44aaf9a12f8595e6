import {
  type BinaryNode,
  encodeWAMessage,
  proto,
  unpadRandomMax16,
  type WASocket,
} from '@whiskeysockets/baileys';
import { LRUCache } from 'lru-cache';
import type { InboundMessage } from '../../../contract/bridge/bridge-frames.ts';
import type { ReadMarks } from '../activity.ts';
import type { NetworkEvents } from '../connection/connection.ts';
import { isSelf, type OwnAccount, personOf } from '../stanzas/jids.ts';
import { readMessage } from './read-message.ts';

/** As many as the client asks for when it learns that something waits. */
const batchSize = 100;
/** The network may hand over fewer than it was asked for, and wait. */
const quietMs = 1_000;

export interface OfflineBatchesOptions {
  sock: WASocket;
  /** Resolves when there is room for more; rejects when the connection has ended. */
  room: () => Promise<void>;
  /** Aborted when the connection has ended. */
  ended: AbortSignal;
}

/**
 * Requests everything that waited at the network for a session. The network sends it in batches, each on request, and nothing
 * new before the last batch. The client (7.0.0-rc14) requests only the first batch, and would then receive nothing more.
 */
export function takeOfflineInBatches({ sock, room, ended }: OfflineBatchesOptions): void {
  let awaited = batchSize;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const over = () => {
    isOver = true;
    clearTimeout(timer);
  };
  const askForMore = async () => {
    clearTimeout(timer);
    awaited = batchSize;
    await room();
    if (isOver) return;
    const asked = { tag: 'offline_batch', attrs: { count: String(batchSize) } };
    await sock.sendNode({ tag: 'ib', attrs: {}, content: [asked] });
  };
  // Where the connection has ended, the next login begins with what is left.
  const ask = () => void askForMore().catch(() => {});
  sock.ws.on('frame', (frame: BinaryNode | Uint8Array) => {
    if (isOver || frame instanceof Uint8Array || frame.attrs.offline === undefined) return;
    awaited -= 1;
    clearTimeout(timer);
    if (awaited === 0) ask();
    else timer = setTimeout(ask, quietMs);
  });
  sock.ws.on('CB:ib,,offline', over);
  ended.addEventListener('abort', over, { once: true });
}

/** Messages whose stanzas are remembered. */
const announcedKept = 1_000;

export interface MessageIntakeOptions {
  events: Pick<NetworkEvents, 'onInbound' | 'onChange' | 'onNothing'>;
  own: () => OwnAccount;
  /** A message came from there: how its author is addressed. */
  heard: (node: BinaryNode) => Promise<void>;
  /** The phone number behind an alias, without a question to the network. */
  knownNumber: (lid: string, groupId: string | null) => Promise<string | null>;
  /** The same, and the network may be asked. */
  phoneNumberOfAlias: (lid: string, groupId: string | null) => Promise<string | null>;
  readMarks: ReadMarks;
}

/** What people write, from the stanza and the plaintext in it to the events of the connection. */
export class MessageIntake {
  readonly #options: MessageIntakeOptions;
  /** Which stanza a ciphertext came in: the Signal repository sees only the bytes. */
  readonly #stanzaOf = new WeakMap<Uint8Array, BinaryNode>();
  /** What the network said of the latest messages, by id: the own phone may be asked for what could not be read. */
  readonly #announced = new LRUCache<string, BinaryNode>({ max: announcedKept });

  constructor(options: MessageIntakeOptions) {
    this.#options = options;
  }

  rememberStanza(node: BinaryNode): void {
    if (!Array.isArray(node.content)) return;
    // The phone may tell of this message too, also of one that came and could not be read at first.
    const { id, category } = node.attrs;
    if (id && category !== 'peer') this.#announced.set(id, { tag: node.tag, attrs: node.attrs });
    for (const child of node.content) {
      if (child.tag === 'enc' && child.content instanceof Uint8Array) this.#stanzaOf.set(child.content, node);
    }
  }

  async readPlaintext(ciphertext: Uint8Array, plaintext: Uint8Array): Promise<void> {
    const node = this.#stanzaOf.get(ciphertext);
    if (!node) return;
    if (node.attrs.category !== 'peer') {
      void this.#options.heard(node).catch(() => {});
      await this.#takeMessage(node, plaintext);
      return;
    }
    this.#options.events.onNothing(null);
    if (!isSelf(personOf(node.attrs.from ?? '', undefined), this.#options.own())) return;
    for (const handed of messagesOfPhone(plaintext, (id) => this.#announced.get(id))) {
      await this.#takeMessage(handed.node, handed.plaintext);
    }
  }

  /** Nothing is asked of the network meanwhile: the ratchet's step waits for it. */
  async #takeMessage(node: BinaryNode, plaintext: Uint8Array): Promise<void> {
    const { events, own, knownNumber, phoneNumberOfAlias } = this.#options;
    const known = (lid: string, groupId: string | null) => knownNumber(lid, groupId).catch(() => null);
    const reading = await readMessage(node, plaintext, own(), known).catch(() => null);
    if (reading === null || reading.kind === 'nothing') {
      events.onNothing(reading?.what ?? null);
      return;
    }
    if (reading.kind === 'change') {
      events.onChange(reading.change);
      return;
    }
    const { from, senderLid, groupId } = reading.message;
    const isNameless = from === senderLid && groupId !== undefined;
    events.onInbound(reading.message, isNameless ? () => phoneNumberOfAlias(from, groupId) : null);
    this.#noteUnread(node, reading.message);
  }

  #noteUnread({ attrs }: BinaryNode, { groupId, from, sentTo }: InboundMessage): void {
    const { id, from: remoteJid, participant } = attrs;
    if (!id || !remoteJid || sentTo !== undefined) return;
    const unread = { id, remoteJid, ...(participant && { participant }) };
    this.#options.readMarks.received(groupId ?? from, unread);
  }
}

/** A message that the account's own phone supplies because the network could not: its stanza, and the content. */
interface HandedOverMessage {
  node: BinaryNode;
  plaintext: Uint8Array;
}

/**
 * The messages in a response of the account's own phone. Some messages the network only announces (those from an
 * advertisement, or sent while this device could not be reached). The client then requests them from the phone. `stanzaOf`:
 * the stanza that announced a message, by the message's id. Throws if the plaintext is no message.
 */
function messagesOfPhone(
  plaintext: Uint8Array,
  stanzaOf: (id: string) => BinaryNode | undefined,
): HandedOverMessage[] {
  const { protocolMessage } = proto.Message.decode(unpadRandomMax16(plaintext));
  const results = protocolMessage?.peerDataOperationRequestResponseMessage?.peerDataOperationResult ?? [];
  return results.flatMap(({ placeholderMessageResendResponse: answer }) => {
    if (!answer?.webMessageInfoBytes) return [];
    const { key, message, messageTimestamp, pushName, participant } = proto.WebMessageInfo.decode(
      answer.webMessageInfoBytes,
    );
    const { id, remoteJid, fromMe } = key ?? {};
    if (!id || !remoteJid || !message || fromMe) return [];
    const told = stanzaOf(id)?.attrs;
    const author = key?.participant ?? participant;
    const attrs: Record<string, string> = {
      from: remoteJid,
      id,
      ...(messageTimestamp && { t: String(messageTimestamp) }),
      ...(pushName && { notify: pushName }),
      ...(author && { participant: author }),
      // What the network said itself names people more completely.
      ...told,
    };
    return [{ node: { tag: 'message', attrs }, plaintext: encodeWAMessage(message) }];
  });
}
