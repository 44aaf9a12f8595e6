import type { Action } from '../../../../contract/automations/actions.ts';
import type { AutomationTrigger } from '../../../../contract/automations/fields.ts';
import type { ActionReason, ActionState, NoReason } from '../../../../contract/automations/runs.ts';
import { Tables } from '../../../storage/rows.ts';
import type { StoredEvent } from '../../events/event-rows.ts';
import type { Cause } from '../rules/trigger-event.ts';

/** What became of one action of a run. */
export interface ActionOutcome {
  type: Action['type'];
  state: ActionState;
  /** Why it was not carried out, for a program. */
  reason?: ActionReason;
  /** The same for a person, where there is more to say: as the refusal has it, or the receiver. */
  words?: string;
  /** The reply. */
  messageId?: string;
}

/** What is kept of a run beside its ids. Times are milliseconds since 1970. */
export interface RunDetail {
  eventId: string;
  on: AutomationTrigger;
  numberId: string;
  conversationId: string | null;
  messageId: string | null;
  /** The other side: a phone number, an alias, or a group. */
  person: string;
  /** Of a rule that did not run. */
  reason?: NoReason;
  conditionIndex?: number;
  until?: number;
  stoppedBy?: string;
  /** Of one that did. */
  actions?: ActionOutcome[];
}

export interface RunRecord extends RunDetail {
  runId: string;
  automationId: string;
  at: number;
  ran: boolean;
}

/** Rows of one rule that are kept, and how long. */
const runsKeptMax = 1_000;
const runsKeptMs = 30 * 24 * 3_600_000;

type Row = { automation_id: string; run_id: string; at: number; ran: number; detail: string };

const recordOf = (row: Row): RunRecord => ({
  ...(JSON.parse(row.detail) as RunDetail),
  runId: row.run_id,
  automationId: row.automation_id,
  at: row.at,
  ran: row.ran === 1,
});

/** How often a rule has run, as far as its rows are kept, and when last; milliseconds since 1970. */
export interface RunFigures {
  automationId: string;
  runs: number;
  lastRunAt: number | null;
}

/** The log of runs. Call what writes inside a transaction. */
export class RunRows extends Tables {
  has(automationId: string, runId: string): boolean {
    const query = 'SELECT 1 FROM automation_runs WHERE automation_id = ? AND run_id = ?';
    return this.queryAny(query, automationId, runId);
  }

  insert({ runId, automationId, at, ran, ...detail }: RunRecord): void {
    this.sql.exec(
      'INSERT OR IGNORE INTO automation_runs (automation_id, run_id, at, ran, detail) VALUES (?, ?, ?, ?, ?)',
      ...[automationId, runId, at, ran ? 1 : 0, JSON.stringify(detail)],
    );
  }

  find(automationId: string, runId: string): RunRecord | null {
    const query = 'SELECT * FROM automation_runs WHERE automation_id = ? AND run_id = ?';
    return this.queryAll<Row>(query, automationId, runId).map(recordOf)[0] ?? null;
  }

  /** More is known of an action. A run that is gone, since its rule is, is left so. */
  noteAction(automationId: string, runId: string, index: number, outcome: ActionOutcome): void {
    const run = this.find(automationId, runId);
    if (run === null) return;
    const { runId: _id, automationId: _rule, at: _at, ran: _ran, ...detail } = run;
    const actions = (detail.actions ?? []).with(index, outcome);
    this.sql.exec(
      'UPDATE automation_runs SET detail = ? WHERE automation_id = ? AND run_id = ?',
      ...[JSON.stringify({ ...detail, actions }), automationId, runId],
    );
  }

  /** Newest first, below `before`, one more than `limit` where there are more; `ran`: those that did, or did not. */
  page(automationId: string, limit: number, before: string | null, ran: boolean | null): RunRecord[] {
    return this.queryAll<Row>(
      `SELECT * FROM automation_runs WHERE automation_id = ?1 AND run_id < ?2 AND (?3 IS NULL OR ran = ?3)
         ORDER BY run_id DESC LIMIT ?4`,
      automationId,
      before ?? 'g',
      ran === null ? null : Number(ran),
      limit + 1,
    ).map(recordOf);
  }

  figures(automationIds: readonly string[]): RunFigures[] {
    return automationIds.map((automationId) => {
      const query =
        'SELECT count(*) AS runs, max(at) AS lastRunAt FROM automation_runs WHERE automation_id = ? AND ran = 1';
      const row = this.queryOne<{ runs: number; lastRunAt: number | null }>(query, automationId);
      return { automationId, ...row };
    });
  }

  /** Deletes what is too old or too much, of a rule that is gone all of it; at most `rowsMax` rows. True: there is no more. */
  sweep(automationIds: ReadonlySet<string>, now: number, rowsMax: number): boolean {
    let left = rowsMax;
    for (const id of this.#rules()) {
      const isKept = automationIds.has(id);
      const oldest = isKept ? this.#oldestKept(id) : null;
      const deleted = this.queryAll(
        `DELETE FROM automation_runs WHERE automation_id = ?1 AND run_id IN (
             SELECT run_id FROM automation_runs
             WHERE automation_id = ?1 AND (?2 = 0 OR at < ?3 OR run_id < ?4) ORDER BY run_id LIMIT ?5)
           RETURNING 1`,
        ...[id, isKept ? 1 : 0, now - runsKeptMs, oldest ?? '', left],
      ).length;
      left -= deleted;
      if (left <= 0) return false;
    }
    return true;
  }

  /** A person is to be forgotten: what happened stays, and not with whom. Which runs that were, at most `limit`. */
  forget(person: string, limit: number): string[] {
    return this.queryValues<string>(
      `UPDATE automation_runs SET detail = json_set(detail, '$.person', '') WHERE (automation_id, run_id) IN
           (SELECT automation_id, run_id FROM automation_runs WHERE detail ->> '$.person' = ? LIMIT ?) RETURNING run_id`,
      ...[person, limit],
    );
  }

  #rules(): string[] {
    return this.queryValues<string>('SELECT DISTINCT automation_id FROM automation_runs');
  }

  #oldestKept(automationId: string): string | null {
    const query = `SELECT run_id FROM automation_runs WHERE automation_id = ?
      ORDER BY run_id DESC LIMIT 1 OFFSET ${runsKeptMax - 1}`;
    return this.queryValue<string>(query, automationId);
  }
}

/** What has caused an event that rules have caused, until it is read. Call what writes inside a transaction. */
export class CauseRows extends Tables {
  note(events: readonly StoredEvent[], cause: Cause): void {
    for (const { seq } of events) {
      this.sql.exec(
        'INSERT OR REPLACE INTO automation_causes (seq, cause) VALUES (?, ?)',
        seq,
        JSON.stringify(cause),
      );
    }
  }

  /** Null: no rule has caused it. */
  of(seq: number): Cause | null {
    return this.queryJson<Cause>('SELECT cause FROM automation_causes WHERE seq = ?', seq);
  }

  deleteUpTo(seq: number): void {
    this.sql.exec('DELETE FROM automation_causes WHERE seq <= ?', seq);
  }
}
