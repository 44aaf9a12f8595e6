import type { NetworkConnection } from '../../network/connection/connection.ts';
import type { LoginTurn } from './login-turns.ts';

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
