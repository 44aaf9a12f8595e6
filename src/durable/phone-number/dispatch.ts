import type { BridgeLink } from './bridge-link.ts';
import { iso } from './outbound-message.ts';
import type { Outbox } from './outbox.ts';
import { ackTimeoutMs, roomInFlight } from './pacing.ts';

/**
 * Hands waiting messages to the bridge, in order, as many as may be under way. What it holds in memory is only how far
 * it has come over the present link; over the next one everything unresolved is handed again, and the bridge, which
 * keeps a journal of what it has handed on, sends none of it twice.
 */
export class Dispatch {
  readonly #outbox: Outbox;
  readonly #link: BridgeLink;
  /** When each message under way was handed over, by the network's id. */
  readonly #inFlight = new Map<string, number>();
  /** Everything in the outbox up to here has been handed over this link. */
  #handedThrough = 0;
  #linkReadyAt: number | null = null;

  constructor(outbox: Outbox, link: BridgeLink) {
    this.#outbox = outbox;
    this.#link = link;
  }

  /** Call once the device is connected, whenever there may be work or room. */
  hand(now: number): void {
    const link = this.#link.ready;
    if (!link) return;
    if (link.readyAt !== this.#linkReadyAt) {
      this.#inFlight.clear();
      this.#handedThrough = 0;
      this.#linkReadyAt = link.readyAt;
    }
    const room = roomInFlight(this.#inFlight);
    if (room === 0) return;
    const due = this.#outbox
      .waitingAfter(this.#handedThrough, room)
      .filter((message) => message.expiresAt > now);
    if (due.length === 0) return;
    for (const message of due) {
      this.#outbox.noteHolder(message.providerMessageId, link.bridgeId, now);
      this.#inFlight.set(message.providerMessageId, now);
      this.#handedThrough = Math.max(this.#handedThrough, message.place ?? 0);
    }
    this.#link.send({
      type: 'send',
      messages: due.map(({ messageId, providerMessageId, to, chatType, content, handedTo, expiresAt }) => ({
        messageId,
        providerMessageId,
        to,
        chatType,
        content,
        handedTo,
        expiresAt: iso(expiresAt),
      })),
    });
  }

  /** The network has answered for it, in whatever way. */
  resolved(providerMessageId: string): void {
    this.#inFlight.delete(providerMessageId);
  }

  /** It came back: it is handed over again, in its place. */
  returned(place: number): void {
    this.#handedThrough = Math.min(this.#handedThrough, place - 1);
  }

  /** When the oldest message under way has waited too long for an answer; null when none is under way. */
  ackDueAt(): number | null {
    const first = this.#inFlight.values().next();
    return first.done ? null : first.value + ackTimeoutMs;
  }

  /** Lets those that have waited too long no longer hold up the others; how many. */
  dropOverdue(now: number): number {
    let dropped = 0;
    for (const [id, handedAt] of this.#inFlight) {
      if (handedAt + ackTimeoutMs > now) break;
      this.#inFlight.delete(id);
      dropped += 1;
    }
    return dropped;
  }
}
