import type { OutboundMessage, SendOutcome } from '../../contract/bridge-frames.ts';
import type { BridgeTimings } from '../config.ts';
import { errorText } from '../logging.ts';
import { HandOverError, type NetworkConnection } from '../network/connection.ts';
import { sendRefusal } from '../network/send-refusals.ts';
import { yieldWhenDue } from './event-loop-turn.ts';
import { SendLedger, type SendLedgerOptions, type SendName } from './send-ledger.ts';

/** Hand-overs of one message while one connection lasts, before the bridge gives up on it. */
const attemptsMax = 3;

interface Entry {
  /** As it was handed over last. */
  message: OutboundMessage;
  /** From then on it must not leave any more; by the clock of `performance.now()`. */
  leavesBeforeMs: number;
  /** `doubt`: it may be on the network, and is not handed over again without having looked for evidence. */
  state: 'queued' | 'handing' | 'doubt';
  /** Whether any hand-over of it may have reached the network. */
  mayHaveLeft: boolean;
  attempts: number;
  /** When the last hand-over began; Unix time in milliseconds. */
  handedAtMs: number;
  timer: NodeJS.Timeout | undefined;
}

export interface OutboxOptions extends SendLedgerOptions {
  bridgeId: string;
  timings: Pick<BridgeTimings, 'inDoubtGraceMs' | 'reconnectBaseMs'>;
}

/**
 * The sends of one number, each under the network's id that the edge chose. An outcome comes from the network's own
 * ack or from a receipt. A message that may have left is handed over again only when, after the next login, no sign
 * of it appeared; always under the same id, so that the network sees one message. One that was returned stays returned:
 * only a newer hand-over by the edge may send it.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #ledger: SendLedger;
  readonly #entries = new Map<string, Entry>();
  #connection: NetworkConnection | null = null;
  #isCaughtUp = false;
  /** The session is down and said so: what comes now is returned. */
  #isDown = false;
  #isDraining = false;
  #isSending = false;
  #idleWaiters: (() => void)[] = [];

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#ledger = new SendLedger(options);
  }

  /** Takes messages over; repeats are recognised. */
  accept(messages: OutboundMessage[]): void {
    this.#options.db.transaction(() => {
      for (const message of messages) this.#acceptOne(message);
    });
    void this.#sendQueued();
  }

  /** The session is about to connect: what comes now waits for it. */
  expectConnection(): void {
    this.#isDown = false;
  }

  opened(connection: NetworkConnection): void {
    this.#connection = connection;
    this.#isCaughtUp = false;
    this.#isDown = false;
    void this.#sendQueued();
  }

  /** All receipts that waited at the network are in: from here on missing evidence means something. */
  caughtUp(): void {
    if (!this.#connection || this.#isCaughtUp) return;
    this.#isCaughtUp = true;
    for (const entry of this.#entries.values()) if (entry.state === 'doubt') this.#awaitEvidence(entry);
  }

  /** The connection is gone. What certainly never left goes back; the rest stays in doubt. */
  lost(): void {
    this.#connection = null;
    this.#isCaughtUp = false;
    this.#isDown = true;
    this.#options.db.transaction(() => {
      for (const entry of this.#entries.values()) {
        clearTimeout(entry.timer);
        if (entry.state === 'handing' || entry.mayHaveLeft) entry.state = 'doubt';
        else this.#giveBack(entry);
      }
    });
    this.#settleIdle();
  }

  /** The network's own answer. */
  acknowledged(providerMessageId: string, errorCode: string | null): void {
    const open = this.#openSend(providerMessageId);
    if (!open) return;
    const { messageId } = open;
    const at = new Date().toISOString();
    const handedAtMs = this.#entries.get(providerMessageId)?.handedAtMs;
    this.#resolve(
      providerMessageId,
      errorCode === null
        ? {
            outcome: 'sent',
            ...open,
            at,
            ...(handedAtMs && { ackMs: Math.max(0, Date.now() - handedAtMs) }),
          }
        : { outcome: 'failed', ...open, at, code: errorCode, errorMessage: sendRefusal(errorCode) },
    );
    if (errorCode !== null) this.#options.log.warn({ messageId, errorCode }, 'send.refused');
  }

  /** A receipt proves that the network has the message. */
  proven(providerMessageId: string, isFromOwnDevice: boolean): void {
    this.#ledger.noteEvidence(providerMessageId);
    const open = this.#openSend(providerMessageId);
    if (open) this.#resolve(providerMessageId, { outcome: 'sent', ...open, at: new Date().toISOString() });
    else if (isFromOwnDevice) this.#ledger.noteSeen(providerMessageId);
  }

  /** To whom a message of ours went, where the journal still knows it. */
  recipientOf(providerMessageId: string): string | null {
    return this.#entries.get(providerMessageId)?.message.to ?? this.#ledger.recipientOf(providerMessageId);
  }

  /** Takes nothing more, gives back what never left, and resolves when nothing is in flight. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    this.#options.db.transaction(() => {
      for (const entry of this.#entries.values()) {
        if (entry.state === 'queued' && !entry.mayHaveLeft) this.#giveBack(entry);
      }
    });
    if (!this.#isInFlight()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#idleWaiters.push(resolve);
    await promise;
  }

  /** Stops all timers; nothing is reported any more. */
  dispose(): void {
    this.#connection = null;
    this.#isDraining = true;
    for (const entry of this.#entries.values()) clearTimeout(entry.timer);
    this.#entries.clear();
    this.#settleIdle();
  }

  #acceptOne(message: OutboundMessage): void {
    const { providerMessageId, messageId } = message;
    const held = this.#entries.get(providerMessageId);
    if (held) {
      this.#renew(held, message);
      return;
    }
    const standing = this.#ledger.accept(message);
    if (standing === 'settled') return;
    const mayHaveLeft = standing === 'may have left' || message.handedTo === 'another';
    if (mayHaveLeft) this.#ledger.handing(providerMessageId);
    const entry: Entry = {
      message,
      leavesBeforeMs: performance.now() + message.expiresInMs,
      state: mayHaveLeft ? 'doubt' : 'queued',
      mayHaveLeft,
      attempts: 0,
      handedAtMs: 0,
      timer: undefined,
    };
    this.#entries.set(providerMessageId, entry);
    if (entry.state === 'doubt') {
      this.#options.log.info({ messageId }, 'send.in_doubt');
      if (this.#isCaughtUp) this.#awaitEvidence(entry);
    } else if (this.#isDown || this.#isDraining) {
      this.#giveBack(entry);
    }
  }

  /** The edge has handed over once more what is held here already: it goes on under the newer number. */
  #renew(entry: Entry, message: OutboundMessage): void {
    if (message.handOver <= entry.message.handOver) return;
    entry.message = message;
    entry.leavesBeforeMs = performance.now() + message.expiresInMs;
    this.#ledger.renew(message);
  }

  /** One hand-over at a time: the client does them behind one lock anyway, and so each is told apart. */
  async #sendQueued(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      for (;;) {
        const connection = this.#connection;
        const next = this.#nextQueued();
        if (!connection || !next || this.#isDraining) return;
        if (next.message.typingMs > 0) {
          await this.#type(next, connection);
          // Anything may have become of it, or of the connection, while it was typed.
          const isStill =
            this.#entries.get(next.message.providerMessageId) === next && next.state === 'queued';
          if (this.#connection !== connection || this.#isDraining || !isStill) continue;
        }
        if (next.leavesBeforeMs <= performance.now()) this.#expire(next);
        else await this.#handOver(next, connection);
        await yieldWhenDue();
      }
    } finally {
      this.#isSending = false;
    }
  }

  #nextQueued(): Entry | null {
    for (const entry of this.#entries.values()) if (entry.state === 'queued' && !entry.timer) return entry;
    return null;
  }

  /** Shows the recipient that somebody is typing for a while; nothing depends on it. */
  async #type({ message }: Entry, connection: NetworkConnection): Promise<void> {
    const { to, chatType, messageId, typingMs } = message;
    await connection
      .showTyping(to, chatType)
      .catch((error) => this.#options.log.info({ messageId, error: errorText(error) }, 'send.typing_failed'));
    await new Promise((resolve) => setTimeout(resolve, typingMs));
  }

  /** It must not leave any more. Where it may have left already, only evidence can tell what became of it. */
  #expire(entry: Entry): void {
    if (entry.mayHaveLeft) entry.state = 'doubt';
    else this.#giveBack(entry);
  }

  async #handOver(entry: Entry, connection: NetworkConnection): Promise<void> {
    const { messageId, providerMessageId, to, chatType, content } = entry.message;
    this.#ledger.handing(providerMessageId);
    entry.state = 'handing';
    entry.attempts += 1;
    entry.handedAtMs = Date.now();
    try {
      await connection.send({ providerMessageId, to, chatType, content });
      entry.mayHaveLeft = true;
      this.#options.log.debug({ messageId }, 'send.handed_over');
    } catch (error) {
      this.#handOverFailed(entry, connection, error);
    }
    this.#settleIdle();
  }

  #handOverFailed(entry: Entry, connection: NetworkConnection, error: unknown): void {
    const { messageId, providerMessageId } = entry.message;
    if (this.#entries.get(providerMessageId) !== entry) return;
    const { mayHaveLeft, isConnectionLoss } =
      error instanceof HandOverError ? error : { mayHaveLeft: true, isConnectionLoss: false };
    const { attempts } = entry;
    this.#options.log.warn(
      { messageId, attempts, mayHaveLeft, error: errorText(error) },
      'send.hand_over_failed',
    );
    if (mayHaveLeft || entry.mayHaveLeft) {
      entry.mayHaveLeft = true;
      entry.state = 'doubt';
      if (this.#connection === connection && this.#isCaughtUp && attempts < attemptsMax)
        this.#awaitEvidence(entry);
      return;
    }
    if (isConnectionLoss) {
      this.#giveBack(entry);
      return;
    }
    if (attempts >= attemptsMax) {
      this.#resolve(providerMessageId, {
        outcome: 'failed',
        messageId,
        handOver: entry.message.handOver,
        at: new Date().toISOString(),
        code: null,
        errorMessage: 'The message could not be prepared for the recipient: the network gave no keys for it.',
      });
      return;
    }
    entry.state = 'queued';
    entry.timer = setTimeout(
      () => {
        entry.timer = undefined;
        void this.#sendQueued();
      },
      this.#options.timings.reconnectBaseMs * 2 ** (attempts - 1),
    );
  }

  /** Gives receipts time to arrive, then hands the message over again under its id. */
  #awaitEvidence(entry: Entry): void {
    clearTimeout(entry.timer);
    entry.timer = setTimeout(() => {
      entry.timer = undefined;
      if (!this.#connection || entry.state !== 'doubt') return;
      entry.state = 'queued';
      this.#options.log.info({ messageId: entry.message.messageId }, 'send.handed_over_again');
      void this.#sendQueued();
    }, this.#options.timings.inDoubtGraceMs);
  }

  #giveBack(entry: Entry): void {
    clearTimeout(entry.timer);
    this.#entries.delete(entry.message.providerMessageId);
    this.#ledger.giveBack(entry.message);
  }

  #resolve(providerMessageId: string, outcome: SendOutcome): void {
    const entry = this.#entries.get(providerMessageId);
    clearTimeout(entry?.timer);
    this.#entries.delete(providerMessageId);
    this.#ledger.resolve(providerMessageId, outcome);
    this.#settleIdle();
  }

  #openSend(providerMessageId: string): SendName | null {
    const message = this.#entries.get(providerMessageId)?.message;
    if (!message) return this.#ledger.openSend(providerMessageId);
    return { messageId: message.messageId, handOver: message.handOver };
  }

  #isInFlight(): boolean {
    for (const entry of this.#entries.values()) if (entry.state === 'handing') return true;
    return false;
  }

  #settleIdle(): void {
    if (this.#idleWaiters.length > 0 && !this.#isInFlight()) {
      for (const resolve of this.#idleWaiters.splice(0)) resolve();
    }
  }
}
