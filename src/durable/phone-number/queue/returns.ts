import { defaultAccountSettings } from '../../../contract/account-settings.ts';
import type { NumberNote } from '../../hand-over/number-news.ts';
import { log } from '../../log.ts';
import type { Device } from '../device/device.ts';
import type { SenderHealth } from '../health/sender-health.ts';
import type { AccountNotes } from '../news/account-notes.ts';
import type { NumberState } from '../number-state.ts';
import type { Dispatch } from './dispatch.ts';
import { acceptedOf, type Queue, type QueuedMessage } from './queue.ts';

type Returned = Extract<NumberNote, { kind: 'returned' }>;
type ReturnReason = Returned['reason'];

interface ReturnsParts {
  storage: DurableObjectStorage;
  state: NumberState;
  queue: Queue;
  dispatch: Dispatch;
  health: SenderHealth;
  notes: AccountNotes;
}

/**
 * From when, and why, a number that cannot send returns its waiting messages; null while it can send. If the number is gone
 * for good, they return at once; if it may come back, after a while.
 */
export function unavailableFrom(
  device: Pick<Device, 'state' | 'removedAt'>,
  health: { status: string; since: number; unavailableSince: number | null },
  rerouteAfterMs: number,
): { at: number; reason: ReturnReason } | null {
  if (device.removedAt !== null) return { at: device.removedAt, reason: 'deleted' };
  const reason = 'sender_unavailable';
  if (device.state === 'connected') {
    return health.status === 'resting' ? { at: health.since + rerouteAfterMs, reason } : null;
  }
  const since = health.unavailableSince ?? 0;
  return { at: device.state === 'disconnected' ? since + rerouteAfterMs : since, reason };
}

/** Messages that certainly never left, and that the number cannot send, go back to the account: it chooses again. */
export class Returns {
  readonly #parts: ReturnsParts;
  #rerouteAfterMs = 0;

  constructor(parts: ReturnsParts) {
    this.#parts = parts;
    this.reload();
  }

  /** Takes over the account's setting; milliseconds. Stored when it is another one. */
  configure(rerouteAfterMs: number): void {
    if (rerouteAfterMs === this.#rerouteAfterMs) return;
    this.#rerouteAfterMs = rerouteAfterMs;
    this.#parts.state.put('rerouteAfterMs', rerouteAfterMs);
  }

  /** After a transaction that was rolled back, and at the beginning of a life. */
  reload(): void {
    this.#rerouteAfterMs =
      this.#parts.state.get<number>('rerouteAfterMs') ?? defaultAccountSettings.rerouteAfterMs;
  }

  /** When everything that waits is to go back; null while the number can send, or nothing waits. */
  dueAt(device: Device | null, now: number): number | null {
    if (!device || this.#parts.queue.unhanded.length === 0) return null;
    return this.#unavailableFrom(device, now)?.at ?? null;
  }

  /** Gives back what cannot leave: the account judges it anew by what it hears along with it. */
  run(device: Device, now: number): void {
    const unavailable = this.#unavailableFrom(device, now);
    const isAway = unavailable !== null && unavailable.at <= now;
    /** What follows to the same recipient must not overtake what goes back. */
    const reasons = new Map<string, ReturnReason>();
    const { queue, dispatch } = this.#parts;
    const overtaken = device.state === 'connected' ? dispatch.overtakenByFacts(device, now) : new Set();
    const returned = queue.unhanded.flatMap((message) => {
      const own = isAway ? unavailable.reason : overtaken.has(message) ? ('facts_changed' as const) : null;
      const reason = reasons.get(message.to) ?? own;
      if (reason === null) return [];
      reasons.set(message.to, reason);
      return [{ message, reason }];
    });
    if (returned.length === 0) return;
    this.#parts.storage.transactionSync(() => {
      for (const { message, reason } of returned) this.giveBack(message, reason);
    });
    const { numberId } = device;
    log('messages.returned', { numberId, messages: returned.length, reason: returned[0]?.reason });
  }

  /** Gives back those of these that certainly never left; whether there was any. Call inside a transaction. */
  cancel(messageIds: readonly string[]): boolean {
    const wanted = new Set(messageIds);
    const found = this.#parts.queue.unhanded.filter(({ messageId }) => wanted.has(messageId));
    for (const message of found) this.giveBack(message, 'cancelled');
    return found.length > 0;
  }

  /** Gives one message back. Call inside a transaction. */
  giveBack(
    message: QueuedMessage,
    reason: ReturnReason,
    failure: Pick<Returned, 'errorMessage' | 'errorCode'> = {},
  ): void {
    const { queue, notes, dispatch } = this.#parts;
    queue.remove(message);
    dispatch.resolved(message.providerMessageId);
    notes.add({
      kind: 'returned',
      message: acceptedOf(message),
      reason,
      ...failure,
    });
  }

  #unavailableFrom(device: Device, now: number): ReturnType<typeof unavailableFrom> {
    const { health } = this.#parts;
    const { status } = health.shown(device, now);
    const { since, unavailableSince } = health;
    return unavailableFrom(device, { status, since, unavailableSince }, this.#rerouteAfterMs);
  }
}
