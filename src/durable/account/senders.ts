import type { DeviceState } from '../../contract/device.ts';
import type { HealthStatus } from '../../contract/sender-settings.ts';
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

interface Known {
  report: SenderReport;
  /** Messages it was given since it last reported: they are not in its `dailyRemaining` yet. */
  givenSince: number;
  /** Whether it has had its one message after its rest, and has not said yet what became of it. */
  onTrial: boolean;
}

/** Until a number has reported how much it may send: as much as anybody. */
const perMinuteUnknown = 60;

/** The account's numbers as each last reported itself. What is not stored here comes with the next report. */
export class Senders {
  readonly #sql: SqlStorage;
  readonly #known = new Map<string, Known>();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    for (const row of sql.exec<Row>('SELECT * FROM senders')) {
      this.#known.set(row.number_id, { report: reportOf(row), givenSince: 0, onTrial: false });
    }
  }

  /** A number that has rested long enough counts as healthy for one message, until it reports again. */
  now(numberId: string, now: number): SenderNow {
    const known = this.#known.get(numberId);
    if (!known) return { state: 'unpaired', phoneNumber: null, health: unheardOf, weight: 0 };
    const { state, phoneNumber, health, dailyRemaining, perMinute } = known.report;
    const rested = health.status === 'resting' && health.until !== null && health.until <= now;
    return {
      state,
      phoneNumber,
      health: rested && !known.onTrial ? healthy : health,
      weight: weightOf({
        dailyRemaining: dailyRemaining === null ? null : dailyRemaining - known.givenSince,
        perMinute,
      }),
    };
  }

  stateOf(numberId: string): DeviceState | null {
    return this.#known.get(numberId)?.report.state ?? null;
  }

  /** Each number's health as it last said. */
  health(): Record<string, SenderHealth> {
    return Object.fromEntries([...this.#known].map(([numberId, { report }]) => [numberId, report.health]));
  }

  /** Takes a report over, unless a newer one is here. */
  report(report: SenderReport): void {
    const known = this.#known.get(report.numberId);
    if (known && report.revision < known.report.revision) return;
    this.#known.set(report.numberId, { report, givenSince: 0, onTrial: false });
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

  /** A message was given to it. */
  noteGiven(numberId: string): void {
    const known = this.#known.get(numberId);
    if (!known) return;
    known.givenSince += 1;
    if (known.report.health.status === 'resting') known.onTrial = true;
  }
}

const healthy: SenderHealth = { status: 'healthy', reason: null, until: null };
const unheardOf: SenderHealth = {
  status: 'unavailable',
  reason: 'The number has not been connected yet.',
  until: null,
};

function reportOf(row: Row): SenderReport {
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
