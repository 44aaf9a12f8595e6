import { isFileContent } from '../../../contract/messages/content.ts';
import { ackTimeoutMs } from '../pacing/pacing.ts';
import type { QueuedMessage } from './queue.ts';

/** What was handed to the bridge over the current link, by the network's id of each message. It is only in memory. */
export class UnderWay {
  /** When each message that the network has yet to answer for was handed over, the oldest first. */
  readonly #inFlight = new Map<string, number>();
  /**
   * Those that were handed over on an earlier link too. The bridge first looks up whether they have left, so they do not count
   * against the room for new ones.
   */
  readonly #handedAgain = new Set<string>();
  /** Everything that has no answer yet, whether or not it still holds up others. */
  readonly #handed = new Set<string>();

  get inFlight(): number {
    return this.#inFlight.size;
  }

  get inFlightAnew(): number {
    return this.#inFlight.size - this.#handedAgain.size;
  }

  has(providerMessageId: string): boolean {
    return this.#handed.has(providerMessageId);
  }

  note(providerMessageId: string, handedAt: number, isAgain: boolean): void {
    this.#inFlight.set(providerMessageId, handedAt);
    if (isAgain) this.#handedAgain.add(providerMessageId);
    this.#handed.add(providerMessageId);
  }

  /** The network has answered for it, in whatever way. */
  resolved(providerMessageId: string): void {
    this.#holdUpNoMore(providerMessageId);
    this.#handed.delete(providerMessageId);
  }

  /** The session is down: what has no answer is resolved after the next login, and holds up nothing. */
  sessionDown(): void {
    this.#inFlight.clear();
    this.#handedAgain.clear();
  }

  clear(): void {
    this.sessionDown();
    this.#handed.clear();
  }

  /** When the oldest message has waited too long for an answer; null when none waits. */
  ackDueAt(): number | null {
    const first = this.#inFlight.values().next();
    return first.done ? null : first.value + ackTimeoutMs;
  }

  /**
   * Messages that have waited too long no longer delay others; returns how many. `unanswered`: those about which the network
   * should have responded by now. A file may take longer.
   */
  dropOverdue(queued: readonly QueuedMessage[], now: number): { dropped: number; unanswered: number } {
    const overdue = new Set<string>();
    for (const [id, handedAt] of this.#inFlight) {
      if (handedAt + ackTimeoutMs > now) break;
      this.#holdUpNoMore(id);
      overdue.add(id);
    }
    const withFile = queued.filter(
      ({ providerMessageId, content }) => overdue.has(providerMessageId) && isFileContent(content),
    );
    return { dropped: overdue.size, unanswered: overdue.size - withFile.length };
  }

  #holdUpNoMore(providerMessageId: string): void {
    this.#inFlight.delete(providerMessageId);
    this.#handedAgain.delete(providerMessageId);
  }
}
