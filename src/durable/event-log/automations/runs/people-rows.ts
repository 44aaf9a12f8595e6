import { hourMs } from '../../../../contract/times.ts';
/** Automatic replies to one person within an hour: what talks that fast is no person. */
export const repliesAnHour = 20;
/** Longer than any cooldown. */
export const peopleKeptMs = 91 * 24 * hourMs;

type Row = { ran: string; replies: string };

interface Known {
  /** By rule. */
  ran: Record<string, number>;
  replies: number[];
}

/** Whom rules have answered: a row a person. Call what writes inside a transaction. */
export class PeopleRows {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  lastRanAt(automationId: string, person: string): number | null {
    return this.#find(person).ran[automationId] ?? null;
  }

  /** How many more automatic replies the person may have within this hour. */
  repliesLeft(person: string, now: number): number {
    return repliesAnHour - this.#find(person).replies.filter((at) => at > now - hourMs).length;
  }

  /** A rule has run for a person; `replies`: so many replies of it. */
  note(person: string, automationId: string, replies: number, cooldownMs: number, now: number): void {
    if (replies === 0 && cooldownMs === 0) return;
    const known = this.#find(person);
    const ran = Object.entries({ ...known.ran, ...(cooldownMs > 0 && { [automationId]: now }) });
    const kept = ran.filter(([, at]) => at > now - peopleKeptMs);
    const recent = known.replies.filter((at) => at > now - hourMs);
    const all = [...recent, ...Array.from({ length: replies }, () => now)].slice(-repliesAnHour);
    this.#sql.exec(
      'INSERT OR REPLACE INTO automation_people (person, last_at, ran, replies) VALUES (?, ?, ?, ?)',
      ...[person, now, JSON.stringify(Object.fromEntries(kept)), JSON.stringify(all)],
    );
  }

  forget(person: string): void {
    this.#sql.exec('DELETE FROM automation_people WHERE person = ?', person);
  }

  #find(person: string): Known {
    const query = 'SELECT ran, replies FROM automation_people WHERE person = ?';
    const row = this.#sql.exec<Row>(query, person).toArray()[0];
    return row === undefined
      ? { ran: {}, replies: [] }
      : { ran: JSON.parse(row.ran), replies: JSON.parse(row.replies) };
  }
}
