import { reasonSentence } from '../../../contract/numbers/reasons.ts';
import { clockSlackMs, earliest, endOfWait, isDue } from '../../due-times.ts';
import { Tables } from '../../storage/rows.ts';
import type { DeviceRecord } from '../facts.ts';
import type { AlertRows } from './alert-rows.ts';

/** Why a number is away that somebody wants to be away. */
const wanted: (string | null)[] = [reasonSentence('requested'), reasonSentence('being_logged_out')];

const subjectOf = (numberId: string) => `number:${numberId}`;

/**
 * What changes of devices mean for the owner. A number that is offline is reported after a while. `devices.away_since` has the
 * time since when it is offline.
 */
export class DeviceTroubles extends Tables {
  readonly #alerts: AlertRows;
  readonly #graceMs: number;
  /** Those that are away, since when. */
  readonly #away = new Map<string, number>();

  constructor(sql: SqlStorage, alerts: AlertRows, graceMs: number) {
    super(sql);
    this.#alerts = alerts;
    this.#graceMs = graceMs;
    this.reload();
  }

  /** Since when the device counts as away; null: it does not. Call inside the transaction that stores its change. */
  changed({ numberId, state, reason, phoneNumber }: DeviceRecord, at: number): number | null {
    const subject = subjectOf(numberId);
    const detail = { phoneNumber: phoneNumber ?? '', reason: reason ?? '' };
    const isAway = state === 'disconnected' && !wanted.includes(reason);
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
    const untold = [...this.#away].filter(([numberId]) => !this.#isTold(numberId));
    return earliest(untold.map(([, since]) => this.#toldAt(since)));
  }

  /** Tells of those that have been away long enough. Call inside a transaction. */
  review(now: number): void {
    for (const [numberId, since] of this.#away) {
      if (!isDue(this.#toldAt(since, now), now) || this.#isTold(numberId)) continue;
      const detail = { awaySince: new Date(since).toISOString() };
      this.#alerts.raise({ kind: 'device.disconnected', subject: subjectOf(numberId), at: since, detail });
    }
  }

  /** The number was deleted: nothing about it troubles anybody any more. Call inside a transaction. */
  forget(numberId: string, at: number): void {
    this.#away.delete(numberId);
    this.sql.exec('UPDATE devices SET away_since = NULL WHERE number_id = ?', numberId);
    const kinds = ['device.disconnected', 'device.banned', 'device.logged_out', 'message.failures'] as const;
    this.#alerts.end(kinds, subjectOf(numberId), at);
  }

  /** At the beginning of a life, and after a transaction that was rolled back. */
  reload(): void {
    this.#away.clear();
    const select = 'SELECT number_id, away_since FROM devices WHERE away_since IS NOT NULL';
    for (const row of this.sql.exec<{ number_id: string; away_since: number }>(select)) {
      this.#away.set(row.number_id, row.away_since);
    }
  }

  #toldAt(since: number, now?: number): number {
    return endOfWait(since + this.#graceMs, this.#graceMs + clockSlackMs, now);
  }

  #isTold(numberId: string): boolean {
    return this.#alerts.isOpen('device.disconnected', subjectOf(numberId));
  }
}

/** How old the accepted messages may be that are examined. */
const windowMs = 15 * 60_000;
/** Messages of a number that one look reads; the newest. */
const messagesMax = 500;
/** It is a problem from this many failures on, if they are this share of the outcomes. It is over below half of that. */
const failedMin = 10;
const shareMin = 0.25;
/** One number is looked at this often, and while the trouble lasts at least this often. */
const lookEveryMs = 2_000;
const lookWhileOpenMs = 60_000;

/** Not the number's trouble: the caller or the recipient wanted it so. */
const expected = ['recipient_opted_out', 'number_deleted', 'cancelled'];

interface Look {
  outcomes: number;
  failed: number;
  lastError: string;
}

const kind = 'message.failures';

/** Notices when many messages of a number fail. Everything is asked of the messages; in memory is only whom to look at. */
export class MessageFailures extends Tables {
  readonly #alerts: AlertRows;
  /** Numbers that a message has failed on since they were looked at. */
  readonly #suspects = new Set<string>();
  readonly #lookedAt = new Map<string, number>();

  constructor(sql: SqlStorage, alerts: AlertRows) {
    super(sql);
    this.#alerts = alerts;
  }

  /** A message of this number has failed. */
  note(numberId: string): void {
    this.#suspects.add(numberId);
  }

  /** What was looked at in a time to come is looked at again. */
  clockWentBack(): void {
    this.#lookedAt.clear();
  }

  /** When a number is to be looked at; null: none is. */
  dueAt(): number | null {
    return earliest([
      ...[...this.#suspects].map((numberId) => (this.#lookedAt.get(numberId) ?? 0) + lookEveryMs),
      ...this.#openNumbers().map((numberId) => (this.#lookedAt.get(numberId) ?? 0) + lookWhileOpenMs),
    ]);
  }

  /** Looks at those that are due. Call inside a transaction. */
  review(now: number): void {
    const isDue = (everyMs: number) => (numberId: string) =>
      (this.#lookedAt.get(numberId) ?? 0) + everyMs <= now;
    const due = new Set([
      ...[...this.#suspects].filter(isDue(lookEveryMs)),
      ...this.#openNumbers().filter(isDue(lookWhileOpenMs)),
    ]);
    for (const numberId of due) {
      this.#suspects.delete(numberId);
      this.#lookedAt.set(numberId, now);
      this.#judge(numberId, this.#look(numberId, now), now);
      if (!this.#alerts.isOpen(kind, subjectOf(numberId)) && this.#lookedAt.size > 1_000)
        this.#lookedAt.clear();
    }
  }

  #judge(numberId: string, { outcomes, failed, lastError }: Look, now: number): void {
    const share = outcomes === 0 ? 0 : failed / outcomes;
    if (failed >= failedMin && share >= shareMin) {
      const detail = { failed, messages: outcomes, windowMinutes: windowMs / 60_000, lastError };
      this.#alerts.raise({ kind, subject: subjectOf(numberId), at: now, detail });
    } else if (failed < failedMin / 2 || share < shareMin / 2) {
      this.#alerts.end([kind], subjectOf(numberId), now);
    }
  }

  #look(numberId: string, now: number): Look {
    const rows = this.queryAll<{ status: string; errorCode: string | null; errorMessage: string | null }>(
      `SELECT status, error_code AS errorCode, error_message AS errorMessage FROM messages
         WHERE number_id = ? AND id >= ? AND direction = 'outbound' ORDER BY id DESC LIMIT ?`,
      numberId,
      (now - windowMs) * 1000,
      messagesMax,
    ).filter(({ status, errorCode }) => status !== 'queued' && !expected.includes(errorCode ?? ''));
    const failed = rows.filter(({ status }) => status === 'failed');
    return { outcomes: rows.length, failed: failed.length, lastError: failed[0]?.errorMessage ?? '' };
  }

  #openNumbers(): string[] {
    return this.#alerts.open
      .filter((trouble) => trouble.kind === kind)
      .map(({ subject }) => subject.slice('number:'.length));
  }
}
