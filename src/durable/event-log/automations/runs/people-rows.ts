import { hourMs } from '../../../../contract/times.ts';
import { SweptTable } from '../../../storage/housekeeping.ts';

/** Automatic replies to one person within an hour: what talks that fast is no person. */
export const repliesAnHour = 20;
/** Longer than any cooldown. */
const peopleKeptMs = 91 * 24 * hourMs;

type Row = { ran: string; replies: string };

interface Known {
  /** By rule. */
  ran: Record<string, number>;
  replies: number[];
}

/**
 * Whom rules have answered: a row a person, who may have stood under another of their names before. Call what writes inside a
 * transaction.
 */
export class PeopleRows extends SweptTable {
  constructor(sql: SqlStorage) {
    super(sql, { table: 'automation_people', key: 'person', isOver: 'last_at < ?1', keptMs: peopleKeptMs });
  }

  lastRanAt(automationId: string, names: readonly string[]): number | null {
    return this.#find(names).ran[automationId] ?? null;
  }

  /** How many more automatic replies the person may have within this hour. */
  repliesLeft(names: readonly string[], now: number): number {
    return repliesAnHour - this.#find(names).replies.filter((at) => at > now - hourMs).length;
  }

  /** A rule has run for a person; `replies`: so many replies of it. */
  note(
    names: readonly string[],
    automationId: string,
    replies: number,
    cooldownMs: number,
    now: number,
  ): void {
    if (replies === 0 && cooldownMs === 0) return;
    const known = this.#find(names);
    const ran = Object.entries({ ...known.ran, ...(cooldownMs > 0 && { [automationId]: now }) });
    const kept = ran.filter(([, at]) => at > now - peopleKeptMs);
    const recent = known.replies.filter((at) => at > now - hourMs);
    const all = [...recent, ...Array.from({ length: replies }, () => now)].slice(-repliesAnHour);
    for (const name of names) this.forget(name);
    this.sql.exec(
      'INSERT INTO automation_people (person, last_at, ran, replies) VALUES (?, ?, ?, ?)',
      ...[names[0] ?? '', now, JSON.stringify(Object.fromEntries(kept)), JSON.stringify(all)],
    );
  }

  forget(person: string): void {
    this.sql.exec('DELETE FROM automation_people WHERE person = ?', person);
  }

  #find(names: readonly string[]): Known {
    const query =
      'SELECT ran, replies FROM automation_people WHERE person IN (SELECT value FROM json_each(?))';
    const found: Known = { ran: {}, replies: [] };
    for (const row of this.sql.exec<Row>(query, JSON.stringify(names))) {
      const ran: Known['ran'] = JSON.parse(row.ran);
      for (const [id, at] of Object.entries(ran)) found.ran[id] = Math.max(at, found.ran[id] ?? 0);
      found.replies.push(...(JSON.parse(row.replies) as number[]));
    }
    return found;
  }
}
