import { hourMs } from '../../../contract/times.ts';
import { idsPerMs } from '../messages/logged-message.ts';
import type { SupportSnapshot } from './configuration/support-snapshot.ts';

/** Conversations that one slice reads. */
const sliceMax = 50;

interface Parts {
  sql: SqlStorage;
  snapshot: SupportSnapshot;
  /** Resolves these conversations, in one transaction. */
  resolve: (conversationIds: readonly string[]) => void;
}

/** Resolves conversations in which nobody has written for a while, and nobody waits for an answer. */
export class AutoResolve {
  readonly #parts: Parts;
  /**
   * All conversations up to this last message were checked: in those that are still open somebody waits. In memory; checked again
   * after an eviction.
   */
  #seen = 0;
  /** Which setting they were looked at under. */
  #hours: number | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** When the next one is silent for long enough; null: none is to come, or it is off. */
  dueAt(): number | null {
    const { sql, snapshot } = this.#parts;
    const { autoResolveHours } = snapshot.settings;
    if (autoResolveHours === null) return null;
    if (autoResolveHours !== this.#hours) {
      this.#hours = autoResolveHours;
      this.#seen = 0;
    }
    const query = `SELECT min(last_message) AS last FROM conversations WHERE status = 'open' AND last_message > ?`;
    const { last } = sql.exec<{ last: number | null }>(query, this.#seen).one();
    return last === null ? null : Math.ceil(last / idsPerMs) + autoResolveHours * hourMs;
  }

  /** Looks at all that are silent, slice by slice; others have their turn in between. */
  async run(): Promise<void> {
    while ((this.dueAt() ?? Number.POSITIVE_INFINITY) <= Date.now()) {
      this.#look(Date.now());
      await scheduler.wait(0);
    }
  }

  #look(now: number): void {
    const { sql, snapshot, resolve } = this.#parts;
    const { autoResolveHours } = snapshot.settings;
    if (autoResolveHours === null) return;
    const silentBefore = (now - autoResolveHours * hourMs) * idsPerMs;
    const rows = sql
      .exec<{ id: string; last: number; waiting: number | null }>(
        `SELECT conversation_id AS id, last_message AS last, waiting_since AS waiting FROM conversations
         WHERE status = 'open' AND last_message > ? AND last_message <= ? ORDER BY last_message LIMIT ?`,
        ...[this.#seen, silentBefore, sliceMax],
      )
      .toArray();
    const silent = rows.filter(({ waiting }) => waiting === null).map(({ id }) => id);
    if (silent.length > 0) resolve(silent);
    this.#seen = rows.at(-1)?.last ?? this.#seen;
  }
}
