import type { SendOutcome } from '../../../contract/bridge/bridge-frames.ts';
import { traceFields } from '../../../contract/trace.ts';
import { timerMsMax } from '../../backoff.ts';
import { errorText, type Log } from '../../logging.ts';
import { HandOverError, type NetworkConnection } from '../../network/connection/connection.ts';
import type { NetworkFiles } from '../../network/files/network-files.ts';
import type { RateHold } from './rate-hold.ts';
import { type FilesAhead, failureOf, nameOf, type SendEntry, sent } from './send-entry.ts';
import type { SendLedger } from './send-ledger.ts';
import { isHeld, isInFlight, type SendEvent } from './send-states.ts';

/** From this many hand-overs on, a message is handed over alone, since it may be what ends the connections. */
const suspiciousAfter = 2;
const aloneMs = 5_000;

export interface TurnsOptions {
  /** In the order in which they came. */
  entries: ReadonlyMap<string, SendEntry>;
  files: FilesAhead;
  hold: RateHold;
  /** By time alone it has become somebody's turn. */
  onTurn: () => void;
}

/** Whose turn it is to be handed to the network. */
export class Turns {
  readonly #options: TurnsOptions;
  /** A suspicious message that was handed over alone: until it is answered, or for a while, nothing else leaves. */
  #alone: { entry: SendEntry; untilMs: number } | null = null;
  #wakeTimer: NodeJS.Timeout | undefined;

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  /** Whether a suspicious message holds up the others. */
  get isOneAlone(): boolean {
    return this.#alone !== null;
  }

  /** The entry is about to be handed over. */
  taken(entry: SendEntry): void {
    if (entry.handOvers >= suspiciousAfter) this.#alone = { entry, untilMs: performance.now() + aloneMs };
  }

  dispose(): void {
    clearTimeout(this.#wakeTimer);
  }

  /**
   * The message that came first. Those whose file is still on its way to the network are skipped, and so are later ones in the
   * same chat. If no message is due yet, this is asked again when one becomes due by time alone.
   */
  next(networkFiles: NetworkFiles): SendEntry | null {
    const { entries, files, hold, onTurn } = this.#options;
    let wakeInMs = this.#aloneMs();
    if (wakeInMs === 0) {
      let suspicious: SendEntry | null = null;
      let soonestMs = Number.POSITIVE_INFINITY;
      const waitingChats = new Set<string>();
      for (const entry of entries.values()) {
        const { message, state } = entry;
        if (isHeld(state)) waitingChats.add(message.to);
        if (state !== 'queued' && state !== 'again') continue;
        const leftMs = entry.leavesBeforeMs - performance.now();
        const isReady = files.isReady(message, networkFiles) && !waitingChats.has(message.to);
        if (!isReady) waitingChats.add(message.to);
        const waitMs = isReady ? hold.waitMs(message.to) : leftMs;
        if (leftMs > 0 && waitMs > 0) soonestMs = Math.min(soonestMs, waitMs, leftMs);
        else if (entry.handOvers < suspiciousAfter) return entry;
        else if (!suspicious || entry.handOvers < suspicious.handOvers) suspicious = entry;
      }
      if (suspicious) return suspicious;
      wakeInMs = soonestMs;
    }
    clearTimeout(this.#wakeTimer);
    if (Number.isFinite(wakeInMs)) this.#wakeTimer = setTimeout(onTurn, Math.min(wakeInMs, timerMsMax));
    return null;
  }

  /** How long nothing else may leave because of a suspicious message; 0 if none is in progress. */
  #aloneMs(): number {
    if (!this.#alone) return 0;
    const { entry, untilMs } = this.#alone;
    if (isInFlight(entry.state) && untilMs > performance.now()) return untilMs - performance.now();
    this.#alone = null;
    return 0;
  }
}

/** How often a message is prepared that cannot be, before the bridge gives up on it. */
const preparationsMax = 3;

export interface HandOversOptions {
  /** By which messages leave now; null where none may. */
  connection: () => NetworkConnection | null;
  turns: Turns;
  files: FilesAhead;
  hold: RateHold;
  ledger: SendLedger;
  /** Something happened to a message. */
  step: (entry: SendEntry, event: SendEvent, outcome?: SendOutcome) => void;
  /** A hand-over is finished, with any outcome. */
  onDone: () => void;
  log: Log;
}

/** Hands messages to the network's client, each when its turn has come. */
export class HandOvers {
  readonly #options: HandOversOptions;
  #isRunning = false;

  constructor(options: HandOversOptions) {
    this.#options = options;
  }

  /** One hand-over at a time: the client does them behind one lock anyway, and so their errors can be told apart. */
  async run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    const { connection: connectionNow, turns, step } = this.#options;
    try {
      for (;;) {
        const connection = connectionNow();
        const next = connection && turns.next(connection.files);
        if (!connection || !next) return;
        if (next.message.typingMs > 0) {
          const { state } = next;
          await this.#type(next, connection);
          // While it was typed, anything may have happened to the message or the connection.
          if (connectionNow() !== connection || next.state !== state) continue;
        }
        if (next.leavesBeforeMs <= performance.now()) step(next, 'expired');
        else await this.#handOver(next, connection);
        await yieldWhenDue();
      }
    } finally {
      this.#isRunning = false;
    }
  }

  /** Shows the recipient that somebody is typing for a while; nothing depends on it. */
  async #type({ message }: SendEntry, connection: NetworkConnection): Promise<void> {
    const { to, chatType, messageId, typingMs } = message;
    await connection
      .showTyping(to, chatType)
      .catch((error) => this.#options.log.info({ messageId, error: errorText(error) }, 'send.typing_failed'));
    await new Promise((resolve) => setTimeout(resolve, typingMs));
  }

  async #handOver(entry: SendEntry, connection: NetworkConnection): Promise<void> {
    const { turns, files, hold, ledger, step, onDone, log } = this.#options;
    const { messageId, providerMessageId, to, chatType, content } = entry.message;
    ledger.handing(providerMessageId);
    turns.taken(entry);
    entry.handOvers += 1;
    entry.handedAtMs = Date.now();
    step(entry, 'turn');
    let answer: SendEvent;
    try {
      files.atTurn(entry.message);
      await connection.send({ providerMessageId, to, chatType, content });
      answer = 'written';
      hold.reached(to);
      const trace = traceFields(entry.message);
      if (trace.traceId === undefined) log.debug({ messageId }, 'send.handed_over');
      else log.info({ messageId, ...trace }, 'send.handed_over');
    } catch (error) {
      answer = this.#answerOf(entry, error);
    }
    step(entry, answer);
    // The network has no answer to a read mark that names it.
    if (content.type === 'read' && answer === 'written') step(entry, 'acknowledged', sent(nameOf(entry)));
    onDone();
  }

  #answerOf(entry: SendEntry, error: unknown): SendEvent {
    const { messageId } = entry.message;
    const answer = error instanceof HandOverError ? error.kind : 'uncertain';
    const refusal = error instanceof HandOverError ? error.refusal : null;
    const { handOvers } = entry;
    this.#options.log.warn(
      { messageId, handOvers, answer, refusal, error: errorText(error), ...traceFields(entry.message) },
      'send.hand_over_failed',
    );
    if (!(error instanceof HandOverError) || answer !== 'unprepared') return answer;
    entry.preparations += 1;
    entry.failure = failureOf(error);
    return entry.preparations < preparationsMax ? 'unprepared' : 'exhausted';
  }
}

/** How long the numbers together may hold the process before what came in meanwhile is looked at. */
const heldMsMax = 4;

let heldSince = 0;

/**
 * Lets the event loop turn when this turn has used its time. Otherwise a busy outbox would go from message to message, and
 * neither acknowledgements nor frames of other numbers would be read.
 */
async function yieldWhenDue(): Promise<void> {
  if (performance.now() - heldSince < heldMsMax) return;
  await new Promise<void>((resolve) => setImmediate(resolve));
  heldSince = performance.now();
}
