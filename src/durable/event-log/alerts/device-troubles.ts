import { reasonSentence } from '../../../contract/number-reasons.ts';
import type { DeviceRecord } from '../facts.ts';
import type { AlertRows } from './alert-rows.ts';

const subjectOf = (numberId: string) => `number:${numberId}`;

/**
 * What the changes of devices mean for the owner. A number that is away is told of once it has been away for a while;
 * since when it is away stands with the device (`devices.away_since`).
 */
export class DeviceTroubles {
  readonly #sql: SqlStorage;
  readonly #alerts: AlertRows;
  readonly #graceMs: number;
  /** Those that are away, since when. */
  readonly #away = new Map<string, number>();

  constructor(sql: SqlStorage, alerts: AlertRows, graceMs: number) {
    this.#sql = sql;
    this.#alerts = alerts;
    this.#graceMs = graceMs;
    this.reload();
  }

  /** Since when the device counts as away; null: it does not. Call inside the transaction that stores its change. */
  changed({ numberId, state, reason, phoneNumber }: DeviceRecord, at: number): number | null {
    const subject = subjectOf(numberId);
    const detail = { phoneNumber: phoneNumber ?? '', reason: reason ?? '' };
    const isAway = state === 'disconnected' && reason !== reasonSentence('requested');
    const since = isAway ? (this.#away.get(numberId) ?? at) : null;
    if (since === null) this.#away.delete(numberId);
    else this.#away.set(numberId, since);
    if (isAway) return since;
    const [trouble] = this.#alerts.end(['device.disconnected'], subject, at);
    if (state === 'connected' && trouble !== undefined) {
      const awaySeconds = Math.max(0, Math.round((at - trouble.at) / 1000));
      this.#alerts.raise({
        kind: 'device.recovered',
        subject,
        at,
        detail: { phoneNumber: phoneNumber ?? '', awaySeconds },
        isOver: true,
      });
    }
    // Not with a pairing that has begun: it may never be completed.
    if (state === 'connected') this.#alerts.end(['device.banned', 'device.logged_out'], subject, at);
    if (state === 'banned') this.#alerts.raise({ kind: 'device.banned', subject, at, detail });
    if (state === 'logged_out' && reason !== reasonSentence('logged_out_on_request')) {
      this.#alerts.raise({ kind: 'device.logged_out', subject, at, detail });
    }
    return since;
  }

  /** When the next one has been away long enough; null: none is away untold. */
  dueAt(): number | null {
    const due = [...this.#away].flatMap(([numberId, since]) =>
      this.#isTold(numberId) ? [] : [since + this.#graceMs],
    );
    return due.length === 0 ? null : Math.min(...due);
  }

  /** Tells of those that have been away long enough. Call inside a transaction. */
  review(now: number): void {
    for (const [numberId, since] of this.#away) {
      if (since + this.#graceMs > now || this.#isTold(numberId)) continue;
      const detail = { awaySince: new Date(since).toISOString() };
      this.#alerts.raise({ kind: 'device.disconnected', subject: subjectOf(numberId), at: since, detail });
    }
  }

  /** The number was deleted: nothing about it troubles anybody any more. Call inside a transaction. */
  forget(numberId: string, at: number): void {
    this.#away.delete(numberId);
    this.#sql.exec('UPDATE devices SET away_since = NULL WHERE number_id = ?', numberId);
    const kinds = ['device.disconnected', 'device.banned', 'device.logged_out', 'message.failures'] as const;
    this.#alerts.end(kinds, subjectOf(numberId), at);
  }

  /** At the beginning of a life, and after a transaction that was rolled back. */
  reload(): void {
    this.#away.clear();
    const select = 'SELECT number_id, away_since FROM devices WHERE away_since IS NOT NULL';
    for (const row of this.#sql.exec<{ number_id: string; away_since: number }>(select)) {
      this.#away.set(row.number_id, row.away_since);
    }
  }

  #isTold(numberId: string): boolean {
    return this.#alerts.isOpen('device.disconnected', subjectOf(numberId));
  }
}
