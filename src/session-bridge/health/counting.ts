import type { BridgeCounts, ConnectionEndReason, LoginResult } from '../../contract/bridge/bridge-counts.ts';

/** What this process has counted since it began, over all of its numbers. It goes to the fleet with the status. */
export class BridgeCounting {
  readonly #counts: BridgeCounts = { openSessions: 0, logins: {}, losses: {}, repeatedSends: 0 };

  get counts(): BridgeCounts {
    return this.#counts;
  }

  /** A number that is paired has tried to log in. */
  login(result: LoginResult): void {
    this.#counts.logins[result] = (this.#counts.logins[result] ?? 0) + 1;
  }

  /** A session that was open is not any more, for a reason that nobody here has wished for. */
  lost(reason: ConnectionEndReason): void {
    this.#counts.losses[reason] = (this.#counts.losses[reason] ?? 0) + 1;
  }

  sessionOpened(): void {
    this.#counts.openSessions += 1;
  }

  sessionClosed(): void {
    this.#counts.openSessions -= 1;
  }

  /** A message is handed to the network once more. */
  sendRepeated(): void {
    this.#counts.repeatedSends += 1;
  }
}
