import type { DisconnectReason, LogoutReason } from '../../../contract/bridge/device.ts';
import type { FactLog } from '../../journal/facts.ts';
import { type Log, shortNumber } from '../../logging.ts';
import type { NetworkConnection } from '../../network/connection/connection.ts';
import type { LoginTurn } from './login-turns.ts';

const now = () => new Date().toISOString();

/** What the edge is told of how a session stands. */
export class SessionReports {
  readonly #facts: FactLog;
  readonly #log: Log;
  #phoneNumber = '';
  #reportedLoss: DisconnectReason | null = null;

  constructor(facts: FactLog, log: Log) {
    this.#facts = facts;
    this.#log = log;
  }

  opened(phoneNumber: string): void {
    this.#reportedLoss = null;
    this.#phoneNumber = phoneNumber;
    this.stillOpen();
    this.#log.info({ phoneNumber: shortNumber(phoneNumber) }, 'session.connected');
  }

  /** The edge may consider the session lost if no link has told it otherwise. */
  stillOpen(): void {
    this.#facts.append({ type: 'session.connected', phoneNumber: this.#phoneNumber, at: now() });
  }

  /**
   * Reported once for each loss, however many attempts the reconnect takes. A ban and its end are also reported if they come
   * later.
   */
  lost(reason: DisconnectReason, lastSeenAt: string, expiresInMs?: number): void {
    const isNews = reason === 'temporarily_banned' && this.#reportedLoss !== reason;
    if (this.#reportedLoss && !isNews) return;
    this.#reportedLoss = reason;
    const until = expiresInMs ? { until: new Date(Date.now() + expiresInMs).toISOString() } : {};
    this.#facts.append({ type: 'session.disconnected', reason, lastSeenAt, ...until });
    this.#log.warn({ reason }, 'session.disconnected');
  }

  /** The next loss is another one. */
  forgetLoss(): void {
    this.#reportedLoss = null;
  }

  /** The edge wanted the session to end; the device stays linked. */
  stopped(lastSeenAt: string): void {
    this.#facts.append({ type: 'session.disconnected', reason: 'requested', lastSeenAt });
  }

  /** The device is not linked any more. */
  ended(reason: LogoutReason): void {
    this.#facts.append({ type: 'session.ended', reason, at: now() });
  }
}

/** Where a session stands. What is `open` takes messages; what is `ended` nothing brings back. */
export type SessionState =
  | { is: 'down' }
  /** The next attempt waits for its time. */
  | { is: 'waiting'; timer: NodeJS.Timeout }
  /** Other numbers log in first. */
  | { is: 'queued'; turn: LoginTurn }
  | {
      is: 'connecting';
      connection: NetworkConnection;
      isCaughtUp: boolean;
      /** Null while it is being paired, which is no login. */
      turn: LoginTurn | null;
    }
  | {
      is: 'open';
      connection: NetworkConnection;
      /** By the clock of `performance.now()`. */
      openedAtMs: number;
      /** Until all that waited at the network is in, or is not waited for any longer. */
      catchUpTimer: NodeJS.Timeout | null;
    }
  | { is: 'ended' };

export function connectionIn(state: SessionState): NetworkConnection | null {
  return 'connection' in state ? state.connection : null;
}

/** Whatever ran for a state ends with it. */
export function endState(state: SessionState): void {
  const { timer, catchUpTimer, turn } = { timer: null, catchUpTimer: null, turn: null, ...state };
  if (timer) clearTimeout(timer);
  if (catchUpTimer) clearTimeout(catchUpTimer);
  turn?.end();
}
