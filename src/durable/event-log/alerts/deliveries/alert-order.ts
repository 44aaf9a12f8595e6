import type { AlertChannelKind, AlertTarget, Digest } from '../../../../contract/alerts/alert-channels.ts';
import type { AlertKind } from '../../../../contract/alerts/alerts.ts';

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
  id: string;
  kind: AlertKind;
  subject: string;
  at: number;
  detail: Record<string, string | number>;
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
