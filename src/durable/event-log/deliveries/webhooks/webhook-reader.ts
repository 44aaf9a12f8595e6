import { Tables } from '../../../storage/rows.ts';
import { attemptsACallMax } from '../delivery-order.ts';
import type { ReadRange } from '../read-range.ts';
import { freshStreak, type Streak } from './breaker.ts';
import type { WebhookConfiguration } from './webhook-configuration.ts';

/** `first`: the first attempt at an event; `retry`: a delivery with a row; `replay`: the first attempt of a replay. */
export type AttemptKind = 'first' | 'retry' | 'replay';

/** Calls of the sender at a time, for a webhook whose receiver answers well, and for one that fails. */
const firstCallsMax = 24;
const firstCallsWhileFailingMax = 4;
/** A URL that has never answered 2xx may be anybody's. */
const attemptsWhileUnproven = 1;
/** What comes in bulk must leave room at the receiver for what is new. */
const bulkCallsMax = 4;

/** A webhook as it is in memory: what it is, how its receiver does, how far it has read, and what is under way. */
export class WebhookReader {
  configuration: WebhookConfiguration;
  streak: Streak;
  /** The last success. */
  lastDeliveryAt: number | null;
  /** The same as it is stored, which is now and then. */
  storedDeliveryAt: number | null;
  /** In the order in which they are read; only the last one may go on with the sequence. */
  firsts: ReadRange[] = [];
  replays: ReadRange[] = [];
  /** Messages of which an attempt is under way. */
  readonly busy = new Set<string>();
  /** Deliveries with a row of which an attempt is under way, by id. */
  readonly rowsUnderWay = new Set<string>();
  readonly callsUnderWay: Record<AttemptKind, number> = { first: 0, retry: 0, replay: 0 };
  /** When the first of the deliveries that wait is due. */
  nextRetryAt: number | null = null;
  /** An earlier life of the object may have begun what is open from its time, and such an attempt ends by then. */
  leasedUntil: number;
  /** The URL at which it has had a 2xx; null: none yet. */
  provenUrl: string | null = null;
  /** Since when it has the URL that it has; 0: since before this life of the object. */
  urlSince = 0;

  constructor(
    configuration: WebhookConfiguration,
    streak: Streak,
    lastDeliveryAt: number | null,
    leasedUntil: number,
  ) {
    this.configuration = configuration;
    this.streak = streak;
    this.lastDeliveryAt = lastDeliveryAt;
    this.storedDeliveryAt = lastDeliveryAt;
    this.leasedUntil = leasedUntil;
  }

  /** It has had something then. */
  noteDelivered(at: number): void {
    this.lastDeliveryAt = Math.max(this.lastDeliveryAt ?? 0, at);
  }

  get id(): string {
    return this.configuration.id;
  }

  /** Callbacks go there: its owner has it on, and its circuit is closed. */
  get isOn(): boolean {
    return this.configuration.enabled && !this.streak.isOpen;
  }

  get ranges(): readonly ReadRange[] {
    return [...this.firsts, ...this.replays];
  }

  /** The host that its callbacks go to. */
  get host(): string {
    const { url } = this.configuration;
    return URL.canParse(url) ? new URL(url).host : url;
  }

  /** Somebody answers there who wants the callbacks. */
  get isProven(): boolean {
    return this.provenUrl === this.configuration.url;
  }

  /** Attempts that one call of the sender may make. */
  get attemptsACall(): number {
    return this.isProven ? attemptsACallMax : attemptsWhileUnproven;
  }

  /** Nothing of it is under way. */
  get isIdle(): boolean {
    const { first, retry, replay } = this.callsUnderWay;
    return first + retry + replay === 0;
  }

  mayCall(kind: AttemptKind): boolean {
    if (!this.isProven && !this.isIdle) return false;
    const max =
      kind !== 'first'
        ? bulkCallsMax
        : this.streak.failures === 0
          ? firstCallsMax
          : firstCallsWhileFailingMax;
    return this.callsUnderWay[kind] < max;
  }

  /** There are events that it has not looked at, or that are open. */
  isBehind(head: number): boolean {
    return this.ranges.some((range) => range.open.size > 0 || !range.isReadUpTo(head));
  }

  forget(range: ReadRange): void {
    this.firsts = this.firsts.filter((it) => it !== range);
    this.replays = this.replays.filter((it) => it !== range);
  }
}

type Row = {
  webhook_id: string;
  configuration: string;
  failures: number;
  failing_since: number | null;
  circuit_open: number;
  last_delivery_at: number | null;
  proven_url: string | null;
};

interface ReaderRow {
  configuration: WebhookConfiguration;
  streak: Streak;
  lastDeliveryAt: number | null;
  /** The URL at which it has had a 2xx. */
  provenUrl: string | null;
}

/** The table of webhooks as the log knows them. Call what writes inside a transaction. */
export class ReaderRows extends Tables {
  all(): ReaderRow[] {
    return this.queryAll<Row>('SELECT * FROM webhook_readers WHERE deleted = 0').map((row) => ({
      configuration: JSON.parse(row.configuration),
      streak: { failures: row.failures, since: row.failing_since, isOpen: row.circuit_open === 1 },
      lastDeliveryAt: row.last_delivery_at,
      provenUrl: row.proven_url,
    }));
  }

  insert(configuration: WebhookConfiguration): ReaderRow {
    this.sql.exec(
      'INSERT OR REPLACE INTO webhook_readers (webhook_id, configuration) VALUES (?, ?)',
      configuration.id,
      JSON.stringify(configuration),
    );
    return { configuration, streak: freshStreak, lastDeliveryAt: null, provenUrl: null };
  }

  configure(configuration: WebhookConfiguration): void {
    this.sql.exec(
      'UPDATE webhook_readers SET configuration = ? WHERE webhook_id = ?',
      JSON.stringify(configuration),
      configuration.id,
    );
  }

  storeStreak(webhookId: string, streak: Streak, lastDeliveryAt: number | null): void {
    this.sql.exec(
      `UPDATE webhook_readers SET failures = ?, failing_since = ?, circuit_open = ?, last_delivery_at = ?
       WHERE webhook_id = ?`,
      streak.failures,
      streak.since,
      streak.isOpen ? 1 : 0,
      lastDeliveryAt,
      webhookId,
    );
  }

  storeProvenUrl(webhookId: string, url: string): void {
    this.sql.exec('UPDATE webhook_readers SET proven_url = ? WHERE webhook_id = ?', url, webhookId);
  }

  /** The row goes when all others of the webhook are gone. */
  markDeleted(webhookId: string): void {
    this.sql.exec('UPDATE webhook_readers SET deleted = 1 WHERE webhook_id = ?', webhookId);
  }

  oneDeleted(): string | null {
    const select = 'SELECT webhook_id FROM webhook_readers WHERE deleted = 1 LIMIT 1';
    return this.queryValue<string>(select);
  }

  delete(webhookId: string): void {
    this.sql.exec('DELETE FROM webhook_readers WHERE webhook_id = ?', webhookId);
  }
}
