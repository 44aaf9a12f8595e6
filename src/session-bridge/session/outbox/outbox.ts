import type { OutboundMessage, SendOutcome } from '../../../contract/bridge/bridge-frames.ts';
import { sendRefusal } from '../../../contract/messages/send-refusals.ts';
import { traceFields } from '../../../contract/trace.ts';
import type { BridgeTimings } from '../../config.ts';
import type { NetworkConnection } from '../../network/connection/connection.ts';
import { HandOvers, Turns } from './hand-overs.ts';
import { RateHold } from './rate-hold.ts';
import { type RefusedSend, SecondChances } from './second-chances.ts';
import {
  FilesAhead,
  type FilesAheadOptions,
  failed,
  nameOf,
  newEntry,
  renewEntry,
  type SendEntry,
  sent,
  unanswered,
} from './send-entry.ts';
import { SendLedger, type SendLedgerOptions } from './send-ledger.ts';
import { afterEvent, isHeld, isInFlight, isSettled, type SendEvent } from './send-states.ts';

/**
 * How often one message is handed over, over all connections. A message that ends each connection would otherwise do so
 * forever.
 */
const handOversMax = 8;

export interface OutboxOptions extends SendLedgerOptions {
  bridgeId: string;
  timings: Pick<BridgeTimings, 'inDoubtGraceMs' | 'reconnectBaseMs' | 'rateHoldMs'>;
  /** A message is handed to the network once more. */
  onRepeated: () => void;
  secondChance: (refused: RefusedSend) => Promise<boolean> | null;
  /** Uploads the file of a message to the network; throws a `FileProblem` if that is not possible. */
  bringFile: FilesAheadOptions['bring'];
}

/**
 * The sends of one number, each under the network's id that the edge has chosen. An outcome comes from the network's own
 * acknowledgement or from a receipt. A message that may have left is handed over again only if no sign of it appeared after
 * the next login. It always has the same id, so the network sees one message. A returned message stays returned: only a newer
 * hand-over by the edge may send it. `send-states.ts` has the possible states of a send; the consequences are here.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #ledger: SendLedger;
  readonly #entries = new Map<string, SendEntry>();
  readonly #hold: RateHold;
  readonly #files: FilesAhead;
  readonly #turns: Turns;
  readonly #handOvers: HandOvers;
  readonly #secondChances: SecondChances;
  #connection: NetworkConnection | null = null;
  #isCaughtUp = false;
  /** The session is down and said so: what comes now is returned. */
  #isDown = false;
  #isDraining = false;
  #idleWaiters: (() => void)[] = [];

  constructor(options: OutboxOptions) {
    this.#options = options;
    const { log, timings, bringFile, secondChance } = options;
    const sendQueued = () => this.#sendQueued();
    const step = (entry: SendEntry, event: SendEvent, outcome?: SendOutcome) =>
      this.#step(entry, event, outcome);
    this.#ledger = new SendLedger(options);
    this.#hold = new RateHold(timings.rateHoldMs);
    this.#files = new FilesAhead({ bring: bringFile, onReady: sendQueued });
    this.#turns = new Turns({
      entries: this.#entries,
      files: this.#files,
      hold: this.#hold,
      onTurn: sendQueued,
    });
    this.#handOvers = new HandOvers({
      connection: () => (this.#isDraining ? null : this.#connection),
      turns: this.#turns,
      files: this.#files,
      hold: this.#hold,
      ledger: this.#ledger,
      step,
      onDone: () => this.#settleIdle(),
      log,
    });
    const isDraining = () => this.#isDraining;
    this.#secondChances = new SecondChances({ secondChance, isDraining, step, onJudged: sendQueued, log });
  }

  /** Takes messages over; repeats are recognised. */
  accept(messages: OutboundMessage[]): void {
    this.#options.db.transaction(() => {
      for (const message of messages) this.#acceptOne(message);
    });
    this.#beginFiles();
    this.#sendQueued();
  }

  /** Something waits to be sent, or for a sign that it was. */
  get hasMessages(): boolean {
    return this.#entries.size > 0;
  }

  /** To whom messages wait to be sent. */
  get recipients(): Set<string> {
    return new Set([...this.#entries.values()].map(({ message }) => message.to));
  }

  /** The session is about to connect: what comes now waits for it. */
  expectConnection(): void {
    this.#isDown = false;
  }

  opened(connection: NetworkConnection): void {
    this.#connection = connection;
    this.#isDown = false;
    this.#beginFiles();
    this.#sendQueued();
  }

  /** All receipts that waited at the network are in: from here on missing evidence means something. */
  caughtUp(): void {
    if (!this.#connection) return;
    this.#isCaughtUp = true;
    for (const entry of [...this.#entries.values()]) this.#step(entry, 'caughtUp');
  }

  /** The connection is gone. What certainly never left goes back; the rest stays in doubt. */
  lost(): void {
    this.#connection = null;
    this.#isCaughtUp = false;
    this.#isDown = true;
    this.#stepAll('lost');
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
    const { messageId } = entry.message;
    this.#options.log.warn({ messageId, errorCode, ...traceFields(entry.message) }, 'send.refused');
    if (!this.#secondChances.question(entry, failure.code)) this.#step(entry, 'refused');
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
    return this.#ledger.recipientOf(providerMessageId);
  }

  /** Takes nothing more, gives back what never left, and resolves when nothing is in flight. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    this.#stepAll('drained');
    if (!this.#isInFlight()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#idleWaiters.push(resolve);
    await promise;
  }

  /** Stops all timers; nothing is reported any more. */
  dispose(): void {
    this.#connection = null;
    this.#isDraining = true;
    this.#turns.dispose();
    for (const entry of this.#entries.values()) clearTimeout(entry.timer);
    this.#entries.clear();
    this.#settleIdle();
  }

  #acceptOne(message: OutboundMessage): void {
    const { providerMessageId, messageId } = message;
    const held = this.#entries.get(providerMessageId);
    if (held) {
      if (message.handOver <= held.message.handOver) return;
      renewEntry(held, message);
      this.#ledger.renew(message);
      return;
    }
    const standing = this.#ledger.accept(message);
    if (standing === 'settled') return;
    const mayHaveLeft = standing.mayHaveLeft || message.handedTo === 'another';
    if (mayHaveLeft) this.#ledger.doubted(providerMessageId);
    const entry = newEntry(message, mayHaveLeft ? 'doubt' : 'queued', standing.handOvers);
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

  /** Files go on their way before the turn of their messages comes. */
  #beginFiles(): void {
    const files = this.#connection?.files;
    if (!files || this.#isDraining) return;
    for (const { message, state } of this.#entries.values()) {
      if (state === 'queued') this.#files.isReady(message, files);
    }
  }

  #sendQueued(): void {
    void this.#handOvers.run();
  }

  #stepAll(event: SendEvent): void {
    this.#options.db.transaction(() => {
      for (const entry of [...this.#entries.values()]) this.#step(entry, event);
    });
  }

  /** Something happened to a message that is held here: what follows from it is done at once. */
  #step(entry: SendEntry, event: SendEvent, outcome?: SendOutcome): void {
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
      case 'overdue':
        // It is in the journal. If evidence still arrives, it is reported from there; nothing more happens here.
        this.#forget(entry);
        this.#settleIdle();
        break;
      case 'held':
      case 'heldAgain':
        // A bridge that ends waits for nothing that never left.
        if (this.#isDraining && state === 'held') this.#step(entry, 'drained');
        else this.#wait(entry, this.#holdMs(entry, event));
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
    if (wasHeld && isSettled(state)) setImmediate(() => this.#sendQueued());
  }

  #wait(entry: SendEntry, waitMs: number): void {
    entry.timer = setTimeout(() => {
      const { messageId } = entry.message;
      if (entry.state === 'proving' && entry.handOvers >= handOversMax) {
        entry.failure = unanswered;
        this.#step(entry, 'exhausted');
        return;
      }
      if (entry.state === 'proving') {
        this.#options.onRepeated();
        this.#options.log.info({ messageId }, 'send.handed_over_again');
      }
      this.#step(entry, 'due');
      this.#sendQueued();
    }, waitMs);
  }

  #holdMs({ message, preparations, leavesBeforeMs }: SendEntry, event: SendEvent): number {
    if (event !== 'limited') return this.#options.timings.reconnectBaseMs * 2 ** (preparations - 1);
    const waitMs = Math.floor(this.#hold.limited());
    this.#options.log.warn({ messageId: message.messageId, waitMs }, 'send.rate_limited');
    return Math.min(waitMs, Math.max(0, leavesBeforeMs - performance.now()));
  }

  #forget({ message }: SendEntry): void {
    this.#entries.delete(message.providerMessageId);
    this.#files.forget(message);
  }

  #resolve(entry: SendEntry, outcome: SendOutcome): void {
    this.#forget(entry);
    this.#ledger.resolve(entry.message.providerMessageId, outcome, traceFields(entry.message));
    this.#settleIdle();
    // A suspicious message may have held up the others.
    if (this.#turns.isOneAlone) this.#sendQueued();
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
