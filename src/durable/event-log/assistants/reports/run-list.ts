import type { RunOutcome } from '../../../../contract/assistants/run.ts';
import { dayMs } from '../../../../contract/times.ts';
import { log } from '../../../log.ts';
import type { NamedTimer } from '../../../named-timers.ts';
import { Tables } from '../../../storage/rows.ts';
import { type Turn, type TurnRow, turnOf } from '../turns/turn-rows.ts';
import type { InstructionVersions } from './instruction-versions.ts';

export interface RunFilter {
  outcome?: RunOutcome | undefined;
  conversationId?: string | undefined;
}

const running = "('waiting', 'running', 'sending')";

/** The turns of assistants, for those who look at what came of them. */
export class RunList extends Tables {
  /** Newest first, below `before`; one more than `limit` where there are more. */
  page(
    assistantId: string,
    { outcome, conversationId }: RunFilter,
    limit: number,
    before: number | null,
  ): Turn[] {
    const state =
      outcome === undefined ? 'true' : outcome === 'running' ? `state IN ${running}` : `state = '${outcome}'`;
    return this.queryAll<TurnRow>(
      `SELECT * FROM assistant_turns WHERE assistant_id = ?1 AND (?2 IS NULL OR id < ?2)
           AND (?3 IS NULL OR conversation_id = ?3) AND ${state} ORDER BY id DESC LIMIT ?4`,
      ...[assistantId, before, conversationId ?? null, limit + 1],
    ).map(turnOf);
  }

  find(turnId: string): Turn | null {
    return (
      this.queryAll<TurnRow>('SELECT * FROM assistant_turns WHERE turn_id = ?', turnId).map(turnOf)[0] ?? null
    );
  }
}

/** How long a run can be looked at. */
const runsKeptMs = 90 * dayMs;
/** The counts of a day are small, and kept for longer. */
const daysKeptMs = 400 * dayMs;
/** Rows of one slice, and the time between two of them. */
const rowsMax = 500;
const sliceEveryMs = 1_000;

/** Once a day what is too old goes: only in a log whose assistants have done something. */
export class RunUpkeep extends Tables {
  readonly #versions: InstructionVersions;
  /** When the oldest run is too old, or the next slice is due; null: there is none. */
  #dueAt: number | null = null;

  constructor(sql: SqlStorage, versions: InstructionVersions) {
    super(sql);
    this.#versions = versions;
    this.reload();
  }

  get timer(): NamedTimer {
    return { name: 'assistant upkeep', dueAt: () => this.#dueAt, run: (now) => this.run(now) };
  }

  /** There may be a first run. */
  wake(): void {
    if (this.#dueAt === null) this.reload();
  }

  run(now: number): void {
    const runs = this.queryAll(
      `DELETE FROM assistant_turns WHERE id IN (SELECT id FROM assistant_turns
           WHERE ring_at IS NULL AND begun_at < ? ORDER BY id LIMIT ?) RETURNING 1`,
      now - runsKeptMs,
      rowsMax,
    ).length;
    const firstDay = new Date(now - daysKeptMs).toISOString().slice(0, 10);
    this.sql.exec('DELETE FROM assistant_days WHERE day < ?', firstDay);
    this.#versions.forgetOld(now);
    if (runs > 0) log('assistant.runs_forgotten', { runs });
    this.reload();
    if (runs === rowsMax) this.#dueAt = now + sliceEveryMs;
    else if (this.#dueAt !== null) this.#dueAt = Math.max(this.#dueAt, now + dayMs);
  }

  reload(): void {
    const query = 'SELECT begun_at FROM assistant_turns ORDER BY id LIMIT 1';
    const oldestAt = this.queryValue<number>(query);
    this.#dueAt = oldestAt === null ? null : oldestAt + runsKeptMs + dayMs;
  }
}
