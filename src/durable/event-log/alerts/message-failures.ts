import type { AlertRows } from './alert-rows.ts';

/** Messages that were accepted so long ago at most are looked at. */
const windowMs = 15 * 60_000;
/** Messages of a number that one look reads; the newest. */
const messagesMax = 500;
/** It is a trouble from so many failures on, when they are this share of what has an outcome; and over below half of that. */
const failedMin = 10;
const shareMin = 0.25;
/** One number is looked at this often, and while the trouble lasts at least this often. */
const lookEveryMs = 2_000;
const lookWhileOpenMs = 60_000;

/** Not the number's trouble: the caller or the recipient wanted it so. */
const expected = ['recipient_opted_out', 'number_deleted'];

interface Look {
  outcomes: number;
  failed: number;
  lastError: string;
}

const kind = 'message.failures';
const subjectOf = (numberId: string) => `number:${numberId}`;

/** Notices when many messages of a number fail. Everything is asked of the messages; in memory is only whom to look at. */
export class MessageFailures {
  readonly #sql: SqlStorage;
  readonly #alerts: AlertRows;
  /** Numbers that a message has failed on since they were looked at. */
  readonly #suspects = new Set<string>();
  readonly #lookedAt = new Map<string, number>();

  constructor(sql: SqlStorage, alerts: AlertRows) {
    this.#sql = sql;
    this.#alerts = alerts;
  }

  /** A message of this number has failed. */
  note(numberId: string): void {
    this.#suspects.add(numberId);
  }

  /** When a number is to be looked at; null: none is. */
  dueAt(): number | null {
    const due = [
      ...[...this.#suspects].map((numberId) => (this.#lookedAt.get(numberId) ?? 0) + lookEveryMs),
      ...this.#openNumbers().map((numberId) => (this.#lookedAt.get(numberId) ?? 0) + lookWhileOpenMs),
    ];
    return due.length === 0 ? null : Math.min(...due);
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
    const rows = this.#sql
      .exec<{ status: string; errorCode: string | null; errorMessage: string | null }>(
        `SELECT status, error_code AS errorCode, error_message AS errorMessage FROM messages
         WHERE number_id = ? AND id >= ? AND direction = 'outbound' ORDER BY id DESC LIMIT ?`,
        numberId,
        (now - windowMs) * 1000,
        messagesMax,
      )
      .toArray()
      .filter(({ status, errorCode }) => status !== 'queued' && !expected.includes(errorCode ?? ''));
    const failed = rows.filter(({ status }) => status === 'failed');
    return { outcomes: rows.length, failed: failed.length, lastError: failed[0]?.errorMessage ?? '' };
  }

  #openNumbers(): string[] {
    return this.#alerts.open
      .filter((trouble) => trouble.kind === kind)
      .map(({ subject }) => subject.slice('number:'.length));
  }
}
