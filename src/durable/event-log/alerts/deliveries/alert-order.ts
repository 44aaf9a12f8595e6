import {
  type AlertChannelKind,
  type AlertMute,
  type AlertTarget,
  type Digest,
  numberOfAlert,
} from '../../../../contract/alerts/alert-channels.ts';
import type { AlertKind } from '../../../../contract/alerts/alerts.ts';
import { hourMs } from '../../../../contract/times.ts';

/** A way to people as a person has set it up. Its secrets are sealed; only the sender opens them. */
export interface AlertChannel {
  id: string;
  kind: AlertChannelKind;
  shownTarget: AlertTarget;
  sealedTarget: string | null;
  /** Null: all kinds, also those to come. */
  kinds: AlertKind[] | null;
  /** Null: all numbers, also those to come. */
  numberIds: string[] | null;
  digest: Digest | null;
  enabled: boolean;
  confirmedAt: number | null;
  createdAt: number;
}

/** An alert as it was when its announcement was made: what is sent again is the same. */
export interface ToldAlert {
  /** A UUIDv7, derived from what it is about and when it began. */
  id: string;
  kind: AlertKind;
  /** By kind and id: `webhook:<id>`. */
  subject: string;
  at: number;
  detail: Record<string, string | number>;
  /** When the trouble was over; null while it lasts. */
  endedAt: number | null;
  acknowledgedBy: string | null;
}

/** What a message to a channel is for. */
export type AlertNews = 'raised' | 'ended' | 'digest' | 'test';

/** One message that is to be sent now. */
export interface AlertOrder {
  /** The same at every attempt. */
  deliveryId: string;
  channel: Pick<AlertChannel, 'id' | 'kind' | 'shownTarget' | 'sealedTarget' | 'confirmedAt'>;
  news: AlertNews;
  alerts: ToldAlert[];
  /** When it was made, milliseconds since 1970. */
  at: number;
  /** 1 for the first. */
  attempt: number;
}

/** One attempt, as the list of deliveries shows it. */
export interface AlertAttempt {
  at: number;
  /** Null where there was no answer, or none with a status. */
  statusCode: number | null;
  durationMs: number;
  /** Why it failed, for a person; null after a success. */
  error: string | null;
}

/** What came of an attempt. */
export interface AlertReport {
  attempt: AlertAttempt;
  outcome: 'delivered' | 'failed' | 'retry';
  /** The receiver has asked for so much patience. */
  retryAfterSeconds: number | null;
}

/** How a message to a channel does. */
export interface AlertDelivery {
  deliveryId: string;
  channelId: string;
  news: AlertNews;
  alerts: ToldAlert[];
  at: number;
  status: 'pending' | 'delivered' | 'failed';
  /** Oldest first. */
  attempts: AlertAttempt[];
  nextAttemptAt: number | null;
}

/** With its place in the list. */
export interface AlertDeliveryAt extends AlertDelivery {
  position: number;
}

/** How a channel does, beside what a person has set. */
export interface AlertChannelState {
  channelId: string;
  lastDeliveryAt: number | null;
  /** Of the newest attempt, where that failed. */
  lastError: string | null;
}

/** The longest that a receiver can have us wait. */
const waitSecondsMax = 86_400;

/**
 * When a delivery is attempted again after this attempt; null: it is delivered or given up.
 * @param attempt 1 for the first
 * @param ladderSeconds the waits before attempts 2, 3, …
 */
export function nextAttemptAt(
  { outcome, retryAfterSeconds }: Pick<AlertReport, 'outcome' | 'retryAfterSeconds'>,
  attempt: number,
  ladderSeconds: readonly number[],
  now: number,
): number | null {
  const rung = ladderSeconds[attempt - 1];
  if (outcome !== 'retry' || rung === undefined) return null;
  const seconds = Math.min(waitSecondsMax, Math.max(rung, retryAfterSeconds ?? 0));
  return now + seconds * 1000;
}

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

/** How many messages a channel gets within an hour; alerts beyond that wait, and become one message. */
export const messagesAnHourMax = 20;

/** When the next message may go to a channel that got messages at these times. */
export function mayBeToldAt(toldAt: readonly number[], now: number): number {
  const recent = toldAt.filter((at) => at > now - hourMs).sort((a, b) => b - a);
  const oldest = recent[messagesAnHourMax - 1];
  return oldest === undefined ? now : oldest + hourMs;
}
