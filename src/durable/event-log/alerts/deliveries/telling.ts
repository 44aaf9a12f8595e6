import type { Digest } from '../../../../contract/alerts/alert-channels.ts';
import { hourMs } from '../../../../contract/times.ts';
import { earliest } from '../../../due-times.ts';
import { dayIn, nextMinuteIn } from '../../../local-time/zone-time.ts';
import type { LogState } from '../../log-state.ts';
import type { Alert, AlertRows, AlertToEnd } from '../alert-rows.ts';
import type { AlertConfiguration } from './alert-configuration.ts';
import type { AlertDeliveryRows } from './alert-delivery-rows.ts';
import {
  type AlertChannel,
  type AlertNews,
  alertsAMessageMax,
  grouped,
  mayBeToldAt,
  mutedUntil,
  type ToldAlert,
  wants,
} from './alert-order.ts';

interface Parts {
  alerts: AlertRows;
  deliveries: AlertDeliveryRows;
  configuration: AlertConfiguration;
  /** Whether this gateway can send e-mails. */
  canMail: boolean;
}

/** What a message holds of an alert. */
const toldAlert = ({ acknowledgedAt: _, ...alert }: Alert): ToldAlert => alert;

/** Makes the messages for the channels: one for all alerts of a kind that came together. Call inside a transaction. */
export class Telling {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Whether anything goes there at all. */
  isOpen({ enabled, kind }: AlertChannel): boolean {
    return enabled && (kind !== 'email' || this.#parts.canMail);
  }

  run(now: number): void {
    const { alerts } = this.#parts;
    this.#tell(this.#notMuted(alerts.toTell(now), now), now);
    this.#tellEnds(alerts.endsToTell(now), now);
    alerts.lookWhenToTell();
  }

  /** One more message, or more in the one that waits since the channel has had its share of the hour. */
  put(channelId: string, news: AlertNews, alerts: readonly ToldAlert[], now: number): void {
    const { deliveries } = this.#parts;
    const dueAt = mayBeToldAt(deliveries.madeAt(channelId, now - hourMs), now);
    const waiting = dueAt > now ? deliveries.waiting(channelId, news, now) : null;
    if (waiting !== null && waiting.alerts.length + alerts.length <= alertsAMessageMax) {
      deliveries.setAlerts(waiting.deliveryId, [...waiting.alerts, ...alerts]);
    } else {
      deliveries.insert({ channelId, news, alerts, at: now, dueAt });
    }
  }

  /** What is muted waits for the end of that, and when it is over by then, nobody is told. */
  #notMuted(due: readonly Alert[], now: number): Alert[] {
    const { alerts, configuration } = this.#parts;
    return due.filter((alert) => {
      const until = mutedUntil(alert, configuration.mutes, now);
      if (until === null) return true;
      if (alert.endedAt === null) alerts.putOff(alert.id, until);
      else alerts.noteTold(alert.id, [], now);
      return false;
    });
  }

  #tell(due: readonly Alert[], now: number): void {
    const { alerts, configuration } = this.#parts;
    const told = new Map<string, string[]>(due.map(({ id }) => [id, []]));
    for (const channel of configuration.channels) {
      if (!this.isOpen(channel) || channel.digest?.only) continue;
      for (const group of grouped(due.filter((alert) => wants(channel, alert)))) {
        this.put(channel.id, 'raised', group.map(toldAlert), now);
        for (const { id } of group) told.get(id)?.push(channel.id);
      }
    }
    for (const [id, channelIds] of told) alerts.noteTold(id, channelIds, now);
  }

  #tellEnds(due: readonly AlertToEnd[], now: number): void {
    const { alerts, configuration } = this.#parts;
    const loud = due.filter((alert) => mutedUntil(alert, configuration.mutes, now) === null);
    for (const channel of configuration.channels) {
      if (!this.isOpen(channel)) continue;
      const own = loud.filter((alert) => alert.told.includes(channel.id) && wants(channel, alert));
      for (const group of grouped(own)) this.put(channel.id, 'ended', group.map(toldAlert), now);
    }
    for (const { id } of due) alerts.noteEndTold(id);
  }
}

interface DigestsParts {
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
  readonly #parts: DigestsParts;
  #progress: Record<string, Progress>;

  constructor(parts: DigestsParts) {
    this.#parts = parts;
    this.#progress = parts.state.get(name) ?? {};
  }

  /** Null: no channel wants one. */
  dueAt(): number | null {
    return earliest(this.#wanting.map((channel) => this.#nextOf(channel)));
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

  /** What a clock has set that went back since begins now: else what happens meanwhile would be in no digest. */
  clockWentBack(now: number): void {
    const upToNow = ({ since, last }: Progress): Progress => ({
      since: Math.min(since, now),
      last: last && Math.min(last, now),
    });
    const progress = Object.entries(this.#progress).map(([id, one]) => [id, upToNow(one)] as const);
    this.#store(Object.fromEntries(progress));
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
 * When the next digest is sent: at its hour, once on each day of the zone's calendar. If the clocks skip the hour, right after
 * the skip; if they show it twice, only the first time.
 * @param after not before this time
 * @param last when the last one was sent; null: there was none
 */
export function nextDigestAt({ hour, timeZone }: Digest, after: number, last: number | null): number {
  const next = nextMinuteIn(timeZone, hour * 60, after);
  const isSameDay = last !== null && dayIn(timeZone, next) === dayIn(timeZone, last);
  return isSameDay ? nextMinuteIn(timeZone, hour * 60, next) : next;
}
