import type { NetworkConnection } from '../../network/connection/connection.ts';

/** Where a session stands. What is `open` takes messages; what is `ended` nothing brings back. */
export type SessionState =
  | { is: 'down' }
  /** The next attempt waits for its time. */
  | { is: 'waiting'; timer: NodeJS.Timeout }
  | { is: 'connecting'; connection: NetworkConnection; isCaughtUp: boolean }
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
export function clearTimers(state: SessionState): void {
  const { timer, catchUpTimer } = { timer: null, catchUpTimer: null, ...state };
  if (timer) clearTimeout(timer);
  if (catchUpTimer) clearTimeout(catchUpTimer);
}
