import { type AlertMute, numberOfAlert } from '../../../../contract/alerts/alert-channels.ts';
import type { AlertKind } from '../../../../contract/alerts/alerts.ts';
import { hourMs } from '../../../../contract/times.ts';
import type { AlertChannel, ToldAlert } from './alert-order.ts';

/** Told by an alert of its own, by the calendar, or not worth a second message. */
const endsSilently: readonly AlertKind[] = ['device.disconnected', 'device.recovered', 'quota.warning'];

/** Whether those who were told of such a trouble are told when it is over. */
export const isEndTold = (kind: AlertKind): boolean => !endsSilently.includes(kind);

type About = Pick<ToldAlert, 'kind' | 'subject' | 'detail'>;

/** Whether a channel wants alerts like this one. What concerns no number concerns every channel. */
export function wants(
  { kinds, numberIds }: Pick<AlertChannel, 'kinds' | 'numberIds'>,
  { kind, subject, detail }: About,
): boolean {
  const numberId = numberOfAlert(subject, detail);
  const isOfNumber = numberId === null || numberIds === null || numberIds.includes(numberId);
  return isOfNumber && (kinds === null || kinds.includes(kind));
}

/** Until when nobody is told of this alert; null: it is not muted. */
export function mutedUntil(
  { kind, subject, detail }: About,
  mutes: readonly AlertMute[],
  now: number,
): number | null {
  const numberId = numberOfAlert(subject, detail);
  const ends = mutes
    .filter((mute) => mute.until > now)
    .filter((mute) => mute.kind === null || mute.kind === kind)
    .filter((mute) => mute.numberId === null || mute.numberId === numberId)
    .map(({ until }) => until);
  return ends.length === 0 ? null : Math.max(...ends);
}

/** Alerts that one message tells of at most. */
export const alertsAMessageMax = 100;

/** One message for all alerts of a kind, so that forty numbers that go at once are one message. */
export function grouped<Alert extends { kind: AlertKind }>(alerts: readonly Alert[]): Alert[][] {
  return [...Map.groupBy(alerts, ({ kind }) => kind).values()].flatMap((group) => {
    const slices: Alert[][] = [];
    for (let start = 0; start < group.length; start += alertsAMessageMax) {
      slices.push(group.slice(start, start + alertsAMessageMax));
    }
    return slices;
  });
}

/** A channel gets so many messages within an hour; what comes beyond waits, and is one message then. */
export const messagesAnHourMax = 20;

/** When the next message may go to a channel that got messages at these times. */
export function mayBeToldAt(toldAt: readonly number[], now: number): number {
  const recent = toldAt.filter((at) => at > now - hourMs).sort((a, b) => b - a);
  const oldest = recent[messagesAnHourMax - 1];
  return oldest === undefined ? now : oldest + hourMs;
}
