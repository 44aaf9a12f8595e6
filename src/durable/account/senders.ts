import type { DeviceState } from '../../contract/device.ts';
import type { HealthStatus } from '../../contract/sender-settings.ts';
import type { Taken } from '../phone-number/outbound-message.ts';
import { Allowance } from './allowance.ts';
import type { Books } from './books.ts';
import { weightOf } from './rotation.ts';
import type { SenderHealth, SenderReport } from './sender-report.ts';

type Row = {
  number_id: string;
  state: DeviceState;
  phone_number: string | null;
  revision: number;
  health: string | null;
  daily_remaining: number | null;
  per_minute: number | null;
};

/** How a sender last reported itself, as admission needs it now. */
export interface SenderNow {
  state: DeviceState;
  phoneNumber: string | null;
  health: SenderHealth;
  weight: number;
}

/** What the account says about a number. */
export interface ReportedSender {
  state: DeviceState;
  phoneNumber: string | null;
  revision: number;
  health: SenderHealth;
}

interface Known {
  report: Omit<SenderReport, 'asOf'>;
  asOf: number;
}

/** Until a number has reported how much it may send: as much as anybody. */
const perMinuteUnknown = 60;

/**
 * The account's numbers as each last reported itself, and what each may still send: counted down with every message
 * that it is given, corrected by what it says itself.
 */
export class Senders {
  readonly #sql: SqlStorage;
  readonly #books: Books;
  readonly #known = new Map<string, Known>();
  readonly #allowances = new Map<string, Allowance>();

  constructor(sql: SqlStorage, books: Books) {
    this.#sql = sql;
    this.#books = books;
    this.reload();
  }

  /** A number that has rested long enough counts as healthy for one message, until it reports again. */
  now(numberId: string, now: number): SenderNow {
    const known = this.#known.get(numberId);
    if (!known) return { state: 'unpaired', phoneNumber: null, health: unheardOf, weight: 0 };
    const { state, phoneNumber, health, perMinute, revision } = known.report;
    const isOnTrial = this.#books.of(numberId).triedRevision === revision;
    return {
      state,
      phoneNumber,
      health: health.status === 'resting' && isOnTrial ? health : healthAt(health, now),
      weight: weightOf({ dailyRemaining: this.#allowanceOf(numberId).left, perMinute }),
    };
  }

  /** Each number as it is now, as far as the account knows, with the revision of its report. */
  all(now: number): Record<string, ReportedSender> {
    return Object.fromEntries(
      [...this.#known].map(([numberId, { report }]) => {
        const { state, phoneNumber, revision } = report;
        return [numberId, { state, phoneNumber, revision, health: healthAt(report.health, now) }];
      }),
    );
  }

  /** Takes a report over, unless a newer one is here. */
  report(report: SenderReport): void {
    const known = this.#known.get(report.numberId);
    if (known && report.revision < known.report.revision) return;
    if (known && report.revision === known.report.revision && report.asOf < known.asOf) return;
    this.#known.set(report.numberId, { report, asOf: report.asOf });
    const allowance = this.#allowanceOf(report.numberId);
    allowance.told(report.dailyRemaining, report.asOf);
    if (allowance.left !== null) {
      this.#books.of(report.numberId).allowance = { left: allowance.left, revision: report.revision };
      this.#books.save(report.numberId);
    }
    this.#sql.exec(
      `INSERT OR REPLACE INTO senders (number_id, state, phone_number, revision, health, daily_remaining, per_minute)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
      report.numberId,
      report.state,
      report.phoneNumber,
      report.revision,
      JSON.stringify(report.health),
      report.dailyRemaining,
      report.perMinute,
    );
  }

  /** A message is given to a number. Its book is to be saved in the same transaction. */
  give(numberId: string, messageId: string): void {
    const report = this.#known.get(numberId)?.report;
    const allowance = this.#allowanceOf(numberId);
    const book = this.#books.of(numberId);
    allowance.given(messageId);
    book.allowance = { left: allowance.left, revision: report?.revision ?? 0 };
    if (report?.health.status === 'resting') book.triedRevision = report.revision;
  }

  /** The number has taken the message, or refuses it. */
  answered(numberId: string, messageId: string, taken: Taken): void {
    if (taken.ok) this.#allowanceOf(numberId).taken(messageId, taken.takenAt);
    else this.missing(numberId, messageId);
  }

  /** The number turns out to have the message, whenever it took it. */
  found(numberId: string, messageId: string): void {
    this.#allowanceOf(numberId).taken(messageId, null);
  }

  /** The number does not have the message, and will not. */
  missing(numberId: string, messageId: string): void {
    this.#allowanceOf(numberId).notTaken(messageId);
  }

  /** After a transaction that was rolled back, and at the beginning of a life. */
  reload(): void {
    this.#known.clear();
    this.#allowances.clear();
    for (const row of this.#sql.exec<Row>('SELECT * FROM senders')) {
      const report = reportOf(row);
      this.#known.set(row.number_id, { report, asOf: 0 });
      const { allowance, pending } = this.#books.of(row.number_id);
      const left = allowance?.revision === report.revision ? allowance.left : report.dailyRemaining;
      this.#allowances.set(row.number_id, new Allowance(left, Object.keys(pending)));
    }
  }

  /** Forgets a number that the account does not have, not even as one that is being made just now. */
  forget(numberId: string): void {
    this.#known.delete(numberId);
    this.#allowances.delete(numberId);
    this.#sql.exec('DELETE FROM senders WHERE number_id = ?', numberId);
  }

  numberIds(): string[] {
    return [...this.#known.keys()];
  }

  #allowanceOf(numberId: string): Allowance {
    const known = this.#allowances.get(numberId) ?? new Allowance();
    this.#allowances.set(numberId, known);
    return known;
  }
}

const healthy: SenderHealth = { status: 'healthy', reason: null, until: null };
const unheardOf: SenderHealth = {
  status: 'unavailable',
  reason: 'The number has not been connected yet.',
  until: null,
};

/** A rest or a restriction whose time has come is over before the number says so: its own clock tells it the same. */
function healthAt(health: SenderHealth, now: number): SenderHealth {
  const isTimed = health.status === 'resting' || health.status === 'restricted';
  return isTimed && health.until !== null && health.until <= now ? healthy : health;
}

function reportOf(row: Row): Omit<SenderReport, 'asOf'> {
  const status: HealthStatus = row.state === 'connected' ? 'healthy' : 'unavailable';
  return {
    numberId: row.number_id,
    state: row.state,
    phoneNumber: row.phone_number,
    revision: row.revision,
    health: row.health === null ? { status, reason: null, until: null } : JSON.parse(row.health),
    dailyRemaining: row.daily_remaining,
    perMinute: row.per_minute ?? perMinuteUnknown,
  };
}
