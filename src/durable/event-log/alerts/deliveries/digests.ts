import type { Digest } from '../../../../contract/alerts/alert-channels.ts';
import { dayIn, nextMinuteIn } from '../../../local-time/zone-time.ts';
import type { LogState } from '../../log-state.ts';
import type { AlertRows } from '../alert-rows.ts';
import type { AlertConfiguration } from './alert-configuration.ts';
import type { AlertDeliveryRows } from './alert-delivery-rows.ts';
import type { AlertChannel } from './alert-order.ts';
import { alertsAMessageMax, wants } from './choice.ts';
import { type Telling, toldAlert } from './telling.ts';

interface Parts {
  state: LogState;
  alerts: AlertRows;
  deliveries: AlertDeliveryRows;
  configuration: AlertConfiguration;
  telling: Telling;
}

/** How far the digests of a channel have come. */
interface Progress {
  /** What has happened since then is in the next one. */
  since: number;
  last: number | null;
}

const name = 'alerts.digests';

/** Once a day, for the channels that want it: what began, what ended and what lasts. A day without any has no message. */
export class Digests {
  readonly #parts: Parts;
  #progress: Record<string, Progress>;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#progress = parts.state.get(name) ?? {};
  }

  /** Null: no channel wants one. */
  dueAt(): number | null {
    const due = this.#wanting.map((channel) => this.#nextOf(channel));
    return due.length === 0 ? null : Math.min(...due);
  }

  /** The channels may be others now: one that is new to it begins here. */
  follow(now: number): void {
    const wanting = this.#wanting.map(({ id }) => [id, this.#progress[id] ?? { since: now, last: null }]);
    this.#store(Object.fromEntries(wanting));
  }

  /** Call inside a transaction. */
  run(now: number): void {
    const { alerts, telling, deliveries } = this.#parts;
    const progress = { ...this.#progress };
    for (const channel of this.#wanting) {
      if (this.#nextOf(channel) > now) continue;
      const since = progress[channel.id]?.since ?? now;
      const told = alerts.since(since, 1_000).filter((alert) => wants(channel, alert));
      if (told.length > 0 && telling.isOpen(channel)) {
        const shown = told.slice(0, alertsAMessageMax).map(toldAlert);
        deliveries.insert({ channelId: channel.id, news: 'digest', alerts: shown, at: now, dueAt: now });
      }
      progress[channel.id] = { since: now, last: now };
    }
    this.#store(progress);
  }

  /** After a transaction that was rolled back. */
  reload(): void {
    this.#progress = this.#parts.state.get(name) ?? {};
  }

  get #wanting(): (AlertChannel & { digest: NonNullable<AlertChannel['digest']> })[] {
    return this.#parts.configuration.channels.flatMap((channel) =>
      channel.digest !== null && channel.enabled ? [{ ...channel, digest: channel.digest }] : [],
    );
  }

  #nextOf({ id, digest }: { id: string; digest: NonNullable<AlertChannel['digest']> }): number {
    const { since, last } = this.#progress[id] ?? { since: Date.now(), last: null };
    return nextDigestAt(digest, since, last);
  }

  #store(progress: Record<string, Progress>): void {
    if (JSON.stringify(progress) === JSON.stringify(this.#progress)) return;
    this.#parts.state.put(name, progress);
    this.#progress = progress;
  }
}

/**
 * When the next digest goes out: at its hour, once on each day of the zone's calendar. If the clocks skip the hour, right after
 * the skip; if they show it twice, only the first time.
 *
 * @param after not before this time
 * @param last when the last one went out; null: there was none
 */
export function nextDigestAt({ hour, timeZone }: Digest, after: number, last: number | null): number {
  const next = nextMinuteIn(timeZone, hour * 60, after);
  const isSameDay = last !== null && dayIn(timeZone, next) === dayIn(timeZone, last);
  return isSameDay ? nextMinuteIn(timeZone, hour * 60, next) : next;
}
