import {
  type OutboundMessage,
  type SendOutcome,
  unknownOutcomeCode,
} from '../../../contract/bridge-frames.ts';
import type { BridgeTimings } from '../../config.ts';
import { errorText } from '../../logging.ts';
import { FileProblem } from '../../media/outbound-files.ts';
import { HandOverError, type NetworkConnection } from '../../network/connection/connection.ts';
import { sendRefusal } from '../../network/connection/send-refusals.ts';
import { before } from '../deadline.ts';
import { yieldWhenDue } from './event-loop-turn.ts';
import { FilesAhead, type FilesAheadOptions } from './files-ahead.ts';
import { RateHold } from './rate-hold.ts';
import { SendLedger, type SendLedgerOptions, type SendName } from './send-ledger.ts';
import { afterEvent, isHeld, isInFlight, isSettled, type SendEvent, type SendState } from './send-states.ts';

/** How often a message is prepared that cannot be, before the bridge gives up on it. */
const preparationsMax = 3;
/** Hand-overs of one message over all connections: one that ends each of them would do so for ever. */
const handOversMax = 8;
/** From so many hand-overs on a message is handed over alone: it may be what ends the connections. */
const suspiciousAfter = 2;
const aloneMs = 5_000;
/** How long it may take to find out whether what the network refused may go another way. */
const judgementMs = 15_000;
/** The longest that a timer takes. */
const timerMsMax = 2 ** 31 - 1;

const unprepared: Entry['failure'] = {
  code: null,
  errorMessage: 'The message could not be prepared for the recipient: the network gave no keys for it.',
};
/** Why a message could not be prepared, for a person. */
function failureOf(error: unknown): Entry['failure'] {
  if (!(error instanceof Error && error.cause instanceof FileProblem)) return unprepared;
  return { code: null, errorMessage: `Its file could not be uploaded: ${error.cause.message}.` };
}

const unanswered: Entry['failure'] = {
  code: unknownOutcomeCode,
  errorMessage:
    'It was handed to the network again and again and never acknowledged: whether it arrived is not known.',
};

/** What was handed over and refused by the network. */
export interface RefusedSend {
  providerMessageId: string;
  to: string;
  chatType: OutboundMessage['chatType'];
  errorCode: string;
}

interface Entry {
  /** As it was handed over last. */
  message: OutboundMessage;
  /** From then on it must not leave any more; by the clock of `performance.now()`. */
  leavesBeforeMs: number;
  state: SendState;
  /** Hand-overs from this bridge, also those before a restart. */
  handOvers: number;
  preparations: number;
  /** It was refused once and goes another way. */
  isPardoned: boolean;
  /** What is told of it when it fails; a code of the network's, or null where it never got that far. */
  failure: { code: string | null; errorMessage: string };
  /** When the last hand-over began; Unix time in milliseconds. */
  handedAtMs: number;
  timer: NodeJS.Timeout | undefined;
}

export interface OutboxOptions extends SendLedgerOptions {
  bridgeId: string;
  timings: Pick<BridgeTimings, 'inDoubtGraceMs' | 'reconnectBaseMs' | 'rateHoldMs'>;
  /**
   * Whether a message that the network refused may be handed over once more, because it will go another way. Null where
   * there is none for this code: then it has failed at once.
   */
  secondChance: (refused: RefusedSend) => Promise<boolean> | null;
  /** Brings the file of a message to the network; throws a {@link FileProblem} where that cannot be done. */
  bringFile: FilesAheadOptions['bring'];
}

/**
 * The sends of one number, each under the network's id that the edge chose. An outcome comes from the network's own
 * ack or from a receipt. A message that may have left is handed over again only when, after the next login, no sign
 * of it appeared; always under the same id, so that the network sees one message. One that was returned stays returned:
 * only a newer hand-over by the edge may send it. What can happen to a send stands in `send-states.ts`; here is what
 * makes it happen.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #ledger: SendLedger;
  readonly #entries = new Map<string, Entry>();
  readonly #hold: RateHold;
  readonly #files: FilesAhead;
  #connection: NetworkConnection | null = null;
  #isCaughtUp = false;
  /** The session is down and said so: what comes now is returned. */
  #isDown = false;
  #isDraining = false;
  #isSending = false;
  /** A suspicious message that was handed over alone: until it is answered, or for a while, nothing else leaves. */
  #alone: { entry: Entry; untilMs: number } | null = null;
  #wakeTimer: NodeJS.Timeout | undefined;
  #idleWaiters: (() => void)[] = [];

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#ledger = new SendLedger(options);
    this.#hold = new RateHold(options.timings.rateHoldMs);
    this.#files = new FilesAhead({ bring: options.bringFile, onReady: () => void this.#sendQueued() });
  }

  /** Takes messages over; repeats are recognised. */
  accept(messages: OutboundMessage[]): void {
    this.#options.db.transaction(() => {
      for (const message of messages) this.#acceptOne(message);
    });
    this.#beginFiles();
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
    this.#beginFiles();
    void this.#sendQueued();
  }

  /** All receipts that waited at the network are in: from here on missing evidence means something. */
  caughtUp(): void {
    if (!this.#connection || this.#isCaughtUp) return;
    this.#isCaughtUp = true;
    for (const entry of [...this.#entries.values()]) this.#step(entry, 'caughtUp');
  }

  /** The connection is gone. What certainly never left goes back; the rest stays in doubt. */
  lost(): void {
    this.#connection = null;
    this.#isCaughtUp = false;
    this.#isDown = true;
    this.#alone = null;
    this.#options.db.transaction(() => {
      for (const entry of [...this.#entries.values()]) this.#step(entry, 'lost');
    });
    this.#settleIdle();
  }

  /** The network's own answer. */
  acknowledged(providerMessageId: string, errorCode: string | null): void {
    const entry = this.#entries.get(providerMessageId);
    const failure = errorCode === null ? null : { code: errorCode, errorMessage: sendRefusal(errorCode) };
    if (!entry) {
      // It was handed over in an earlier life, and the edge has not asked about it since.
      const open = this.#ledger.openSend(providerMessageId);
      if (open) this.#ledger.resolve(providerMessageId, failure ? failed(open, failure) : sent(open));
      return;
    }
    if (!failure) {
      this.#step(entry, 'acknowledged', sent(nameOf(entry), Date.now() - entry.handedAtMs));
      return;
    }
    entry.failure = failure;
    this.#options.log.warn({ messageId: entry.message.messageId, errorCode }, 'send.refused');
    if (!this.#isQuestioned(entry, failure.code)) this.#step(entry, 'refused');
  }

  /** A receipt proves that the network has the message. */
  proven(providerMessageId: string, isFromOwnDevice: boolean): void {
    this.#ledger.noteEvidence(providerMessageId);
    const entry = this.#entries.get(providerMessageId);
    const open = entry ? null : this.#ledger.openSend(providerMessageId);
    if (entry) this.#step(entry, 'acknowledged');
    else if (open) this.#ledger.resolve(providerMessageId, sent(open));
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
      for (const entry of [...this.#entries.values()]) this.#step(entry, 'drained');
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
    clearTimeout(this.#wakeTimer);
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
    const mayHaveLeft = standing.mayHaveLeft || message.handedTo === 'another';
    if (mayHaveLeft) this.#ledger.doubted(providerMessageId);
    const entry: Entry = {
      message,
      leavesBeforeMs: performance.now() + message.expiresInMs,
      state: mayHaveLeft ? 'doubt' : 'queued',
      handOvers: standing.handOvers,
      preparations: 0,
      isPardoned: false,
      failure: unprepared,
      handedAtMs: 0,
      timer: undefined,
    };
    this.#entries.set(providerMessageId, entry);
    if (mayHaveLeft) {
      this.#options.log.info({ messageId }, 'send.in_doubt');
      if (this.#isCaughtUp) this.#step(entry, 'caughtUp');
    } else if (this.#isDown) {
      this.#step(entry, 'lost');
    } else if (this.#isDraining) {
      this.#step(entry, 'drained');
    }
  }

  /** The edge has handed over once more what is held here already: it goes on under the newer number. */
  #renew(entry: Entry, message: OutboundMessage): void {
    if (message.handOver <= entry.message.handOver) return;
    entry.message = message;
    entry.leavesBeforeMs = performance.now() + message.expiresInMs;
    this.#ledger.renew(message);
  }

  /** Files go on their way before the turn of their messages comes. */
  #beginFiles(): void {
    const files = this.#connection?.files;
    if (!files || this.#isDraining) return;
    for (const { message, state } of this.#entries.values()) {
      if (state === 'queued' || state === 'again') this.#files.isReady(message, files);
    }
  }

  /** One hand-over at a time: the client does them behind one lock anyway, and so each is told apart. */
  async #sendQueued(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      for (;;) {
        const connection = this.#connection;
        const next = connection && !this.#isDraining ? this.#next(connection) : null;
        if (!connection || !next) return;
        if (next.message.typingMs > 0) {
          const { state } = next;
          await this.#type(next, connection);
          // Anything may have become of it, or of the connection, while it was typed.
          if (this.#connection !== connection || this.#isDraining || next.state !== state) continue;
        }
        if (next.leavesBeforeMs <= performance.now()) this.#step(next, 'expired');
        else await this.#handOver(next, connection);
        await yieldWhenDue();
      }
    } finally {
      this.#isSending = false;
    }
  }

  /**
   * Whose turn it is: who came first, but for those whose file is still on its way to the network, and whoever stands
   * behind one of them in the same chat. Where it is nobody's yet, it is looked again when that changes by time alone.
   */
  #next({ files }: NetworkConnection): Entry | null {
    let wakeInMs = this.#aloneMs();
    if (wakeInMs === 0) {
      let suspicious: Entry | null = null;
      let soonestMs = Number.POSITIVE_INFINITY;
      const waitingChats = new Set<string>();
      for (const entry of this.#entries.values()) {
        const { message, state } = entry;
        if (isHeld(state)) waitingChats.add(message.to);
        if (state !== 'queued' && state !== 'again') continue;
        const leftMs = entry.leavesBeforeMs - performance.now();
        const isReady = this.#files.isReady(message, files) && !waitingChats.has(message.to);
        if (!isReady) waitingChats.add(message.to);
        const waitMs = isReady ? this.#hold.waitMs(message.to) : leftMs;
        if (leftMs > 0 && waitMs > 0) soonestMs = Math.min(soonestMs, waitMs, leftMs);
        else if (entry.handOvers < suspiciousAfter) return entry;
        else if (!suspicious || entry.handOvers < suspicious.handOvers) suspicious = entry;
      }
      if (suspicious) return suspicious;
      wakeInMs = soonestMs;
    }
    clearTimeout(this.#wakeTimer);
    if (Number.isFinite(wakeInMs)) {
      this.#wakeTimer = setTimeout(() => void this.#sendQueued(), Math.min(wakeInMs, timerMsMax));
    }
    return null;
  }

  /** How long nothing else may leave because of a suspicious message; 0 where none is under way. */
  #aloneMs(): number {
    if (!this.#alone) return 0;
    const { entry, untilMs } = this.#alone;
    if (isInFlight(entry.state) && untilMs > performance.now()) return untilMs - performance.now();
    this.#alone = null;
    return 0;
  }

  /** Shows the recipient that somebody is typing for a while; nothing depends on it. */
  async #type({ message }: Entry, connection: NetworkConnection): Promise<void> {
    const { to, chatType, messageId, typingMs } = message;
    await connection
      .showTyping(to, chatType)
      .catch((error) => this.#options.log.info({ messageId, error: errorText(error) }, 'send.typing_failed'));
    await new Promise((resolve) => setTimeout(resolve, typingMs));
  }

  async #handOver(entry: Entry, connection: NetworkConnection): Promise<void> {
    const { messageId, providerMessageId, to, chatType, content } = entry.message;
    this.#ledger.handing(providerMessageId);
    if (entry.handOvers >= suspiciousAfter) this.#alone = { entry, untilMs: performance.now() + aloneMs };
    entry.handOvers += 1;
    entry.handedAtMs = Date.now();
    const { handOvers } = entry;
    this.#step(entry, 'turn');
    let answer: SendEvent;
    try {
      this.#files.atTurn(entry.message);
      await connection.send({ providerMessageId, to, chatType, content });
      answer = 'written';
      this.#hold.reached(to);
      this.#options.log.debug({ messageId }, 'send.handed_over');
    } catch (error) {
      answer = this.#answerOf(entry, error);
    }
    // The answer to an earlier hand-over says nothing about a later one.
    if (entry.handOvers === handOvers) this.#step(entry, answer);
    // The network has no answer to a read mark that names it.
    if (content.type === 'read' && answer === 'written')
      this.#step(entry, 'acknowledged', sent(nameOf(entry)));
    this.#settleIdle();
  }

  #answerOf(entry: Entry, error: unknown): SendEvent {
    const { messageId } = entry.message;
    const answer = error instanceof HandOverError ? error.kind : 'uncertain';
    const { handOvers } = entry;
    this.#options.log.warn(
      { messageId, handOvers, answer, error: errorText(error) },
      'send.hand_over_failed',
    );
    if (answer !== 'unprepared') return answer;
    entry.preparations += 1;
    entry.failure = failureOf(error);
    return entry.preparations < preparationsMax ? 'unprepared' : 'exhausted';
  }

  /** Whether it is looked into if the message may go another way: once, and only while its connection lasts. */
  #isQuestioned(entry: Entry, errorCode: string): boolean {
    if (entry.isPardoned || this.#isDraining || afterEvent(entry.state, 'questioned') === entry.state)
      return false;
    const { providerMessageId, to, chatType } = entry.message;
    const chance = this.#options.secondChance({ providerMessageId, to, chatType, errorCode });
    if (!chance) return false;
    entry.isPardoned = true;
    this.#step(entry, 'questioned');
    void before(Date.now() + judgementMs, chance, false)
      .catch(() => false)
      .then((mayGoOn) => {
        const { messageId } = entry.message;
        if (entry.state === 'judged' && mayGoOn)
          this.#options.log.info({ messageId, errorCode }, 'send.another_way');
        this.#step(entry, mayGoOn && !this.#isDraining ? 'pardoned' : 'condemned');
        void this.#sendQueued();
      });
    return true;
  }

  /** Something happened to a message that is held here: what follows from it is done at once. */
  #step(entry: Entry, event: SendEvent, outcome?: SendOutcome): void {
    const state = afterEvent(entry.state, event);
    if (state === entry.state) return;
    clearTimeout(entry.timer);
    const wasHeld = isHeld(entry.state);
    entry.state = state;
    switch (state) {
      case 'sent':
        this.#resolve(entry, outcome ?? sent(nameOf(entry)));
        break;
      case 'failed':
        this.#resolve(entry, failed(nameOf(entry), entry.failure));
        break;
      case 'returned':
        this.#forget(entry);
        this.#ledger.giveBack(entry.message);
        break;
      case 'held':
      case 'heldAgain':
        this.#wait(entry, this.#holdMs(entry, event));
        break;
      case 'doubt':
        if (this.#isCaughtUp) this.#step(entry, 'caughtUp');
        break;
      case 'proving':
        this.#wait(entry, this.#options.timings.inDoubtGraceMs);
        break;
      default:
    }
    // What stands behind it in its chat has waited for it.
    if (wasHeld && isSettled(state)) setImmediate(() => void this.#sendQueued());
  }

  #wait(entry: Entry, waitMs: number): void {
    entry.timer = setTimeout(() => {
      const { messageId } = entry.message;
      if (entry.state === 'proving' && entry.handOvers >= handOversMax) {
        entry.failure = unanswered;
        this.#step(entry, 'exhausted');
        return;
      }
      if (entry.state === 'proving') this.#options.log.info({ messageId }, 'send.handed_over_again');
      this.#step(entry, 'due');
      void this.#sendQueued();
    }, waitMs);
  }

  #holdMs({ message, preparations, leavesBeforeMs }: Entry, event: SendEvent): number {
    if (event !== 'limited') return this.#options.timings.reconnectBaseMs * 2 ** (preparations - 1);
    const waitMs = Math.floor(this.#hold.limited());
    this.#options.log.warn({ messageId: message.messageId, waitMs }, 'send.rate_limited');
    return Math.min(waitMs, Math.max(0, leavesBeforeMs - performance.now()));
  }

  #forget({ message }: Entry): void {
    this.#entries.delete(message.providerMessageId);
    this.#files.forget(message);
  }

  #resolve(entry: Entry, outcome: SendOutcome): void {
    this.#forget(entry);
    this.#ledger.resolve(entry.message.providerMessageId, outcome);
    this.#settleIdle();
    // A suspicious message may have held up the others.
    if (this.#alone) void this.#sendQueued();
  }

  #isInFlight(): boolean {
    for (const { state } of this.#entries.values()) if (isInFlight(state)) return true;
    return false;
  }

  #settleIdle(): void {
    if (this.#idleWaiters.length > 0 && !this.#isInFlight()) {
      for (const resolve of this.#idleWaiters.splice(0)) resolve();
    }
  }
}

const nameOf = ({ message: { messageId, handOver } }: Entry): SendName => ({ messageId, handOver });

function sent(name: SendName, ackMs?: number): SendOutcome {
  const at = new Date().toISOString();
  return { outcome: 'sent', ...name, at, ...(ackMs !== undefined && { ackMs: Math.max(0, ackMs) }) };
}

function failed(name: SendName, failure: Entry['failure']): SendOutcome {
  return { outcome: 'failed', ...name, at: new Date().toISOString(), ...failure };
}
