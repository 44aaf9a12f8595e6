import { reasonSentence } from '../../../contract/numbers/reasons.ts';
import { isoTime } from '../../../contract/times.ts';
import type { Health } from '../../hand-over/number-news.ts';
import { log } from '../../log.ts';
import { Tables } from '../../storage/rows.ts';
import type { Device } from '../device/device.ts';
import type { NumberState } from '../number-state.ts';
import {
  afterRestriction,
  afterTrial,
  freshHealth,
  type HealthRecord,
  healthAt,
  healthChangesAt,
  isSameHealth,
  shownHealth,
  type Trial,
} from './health.ts';

/** Changes kept for `GET /v1/numbers/:id/health`. */
const changesMax = 50;

export interface HealthChange extends Health {
  at: number;
}

/** The number's health as a sender, and what has changed about it. Good results alone are not written at once. */
export class SenderHealth extends Tables {
  readonly #state: NumberState;
  #record: HealthRecord = freshHealth;
  #last: HealthChange | null = null;
  /** Since when it has been unavailable without a break; null while it is not. */
  #unavailableSince: number | null = null;

  constructor(sql: SqlStorage, state: NumberState) {
    super(sql);
    this.#state = state;
    this.reload();
  }

  /** As of now: rests and restrictions whose time has come are over. */
  at(now: number): HealthRecord {
    const record = healthAt(this.#record, now);
    if (record !== this.#record) this.#keep(record);
    return record;
  }

  shown(device: Device, now: number): Health {
    return shownHealth(this.at(now), device.state === 'connected' ? null : whyUnavailable(device));
  }

  /** What became of a message. */
  note(trial: Trial, now: number): void {
    const before = this.at(now);
    const record = afterTrial(before, trial, now);
    const isRoutine = trial.kind === 'sent' && before.failuresInRow === 0 && !before.isOnTrial;
    // A lost count of good results only makes a rate look worse than it was; a row per message costs more than that.
    if (isRoutine && record.failuresInRow === 0) this.#record = record;
    else if (record !== before) this.#keep(record);
  }

  noteRestriction(told: { isActive: boolean; until: number | null }, now: number): void {
    const before = this.at(now);
    const record = afterRestriction(before, told, now);
    if (record !== before) this.#keep(record);
  }

  /** Writes down what has changed since the last look, and says so. */
  observe(device: Device, now: number): void {
    const health = this.shown(device, now);
    if (this.#last && isSameHealth(this.#last, health)) return;
    const at = health.status === 'unavailable' ? Math.min(now, device.linkLostAt ?? now) : now;
    this.sql.exec(
      'INSERT INTO health_changes (at, status, reason, until) VALUES (?, ?, ?, ?)',
      at,
      health.status,
      health.reason,
      health.until,
    );
    this.sql.exec(
      'DELETE FROM health_changes WHERE seq <= (SELECT max(seq) FROM health_changes) - ?',
      changesMax,
    );
    this.#noteLast({ ...health, at });
    log('health.changed', {
      numberId: device.numberId,
      status: health.status,
      reason: health.reason,
      until: isoTime(health.until),
    });
  }

  /** Newest first. */
  changes(): HealthChange[] {
    const query = 'SELECT at, status, reason, until FROM health_changes ORDER BY seq DESC';
    return this.queryAll<Pick<HealthChange, 'at' | 'status' | 'reason' | 'until'>>(query);
  }

  /** Milliseconds since 1970; null while the number is connected. */
  get unavailableSince(): number | null {
    return this.#unavailableSince;
  }

  /** Since when it has had the health that it was last seen with. */
  get since(): number {
    return this.#last?.at ?? 0;
  }

  /** When time alone changes it; null when it does not. */
  changesAt(): number | null {
    return healthChangesAt(this.#record);
  }

  /** After a transaction that was rolled back, and at the beginning of a life. */
  reload(): void {
    this.#record = this.#state.get<HealthRecord>('health') ?? freshHealth;
    this.#last = null;
    this.#unavailableSince = null;
    for (const change of this.changes().reverse()) this.#noteLast(change);
  }

  #noteLast(change: HealthChange): void {
    this.#last = change;
    if (change.status === 'unavailable') this.#unavailableSince ??= change.at;
    else this.#unavailableSince = null;
  }

  #keep(record: HealthRecord): void {
    this.#record = record;
    this.#state.put('health', record);
  }
}

function whyUnavailable({ state, reason }: Device): string {
  if (reason !== null) return reason;
  return reasonSentence(state === 'pairing' ? 'being_paired' : 'no_device');
}
