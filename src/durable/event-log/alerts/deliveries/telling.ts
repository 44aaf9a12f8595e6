import { hourMs } from '../../../../contract/times.ts';
import type { Alert, AlertRows, AlertToEnd } from '../alert-rows.ts';
import type { AlertConfiguration } from './alert-configuration.ts';
import type { AlertDeliveryRows } from './alert-delivery-rows.ts';
import type { AlertChannel, AlertNews, ToldAlert } from './alert-order.ts';
import { alertsAMessageMax, grouped, mayBeToldAt, mutedUntil, wants } from './choice.ts';

interface Parts {
  alerts: AlertRows;
  deliveries: AlertDeliveryRows;
  configuration: AlertConfiguration;
  /** Whether this gateway can send e-mails. */
  canMail: boolean;
}

/** What a message holds of an alert. */
export const toldAlert = ({ id, kind, subject, at, detail, endedAt, acknowledgedBy }: Alert): ToldAlert => ({
  id,
  kind,
  subject,
  at,
  detail,
  endedAt,
  acknowledgedBy,
});

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
      const known = new Set(waiting.alerts.map(({ id }) => id));
      const added = alerts.filter(({ id }) => !known.has(id));
      deliveries.setAlerts(waiting.deliveryId, [...waiting.alerts, ...added]);
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
