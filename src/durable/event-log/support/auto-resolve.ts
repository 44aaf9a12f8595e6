import { hourMs } from '../../../contract/times.ts';
import { Tables } from '../../storage/rows.ts';
import { idsPerMs } from '../messages/logged-message.ts';
import type { SupportSnapshot } from './support-snapshot.ts';

/** Conversations that one slice resolves. */
const sliceMax = 50;

/** When the silence in a conversation began, as an id of a message has it; word for word as its index says it. */
const silentSince = 'max(last_message, coalesce(woken_at, 0) * 1000)';
/** The others have somebody who waits. */
const silentOnes = `FROM conversations INDEXED BY conversations_silent WHERE status = 'open' AND waiting_since IS NULL`;

interface AutoResolveParts {
  sql: SqlStorage;
  snapshot: SupportSnapshot;
  /** Resolves these conversations, in one transaction. */
  resolve: (conversationIds: readonly string[]) => void;
}

/**
 * Resolves open conversations in which nobody has written for a while, and nobody waits for an answer. It counts from the last
 * message, or from when the conversation was opened again without one, whichever was later.
 */
export class AutoResolve extends Tables {
  readonly #parts: AutoResolveParts;

  constructor(parts: AutoResolveParts) {
    super(parts.sql);
    this.#parts = parts;
  }

  /** When the next one is silent for long enough; null: there is none, or it is off. */
  dueAt(): number | null {
    const { autoResolveHours } = this.#parts.snapshot.settings;
    if (autoResolveHours === null) return null;
    const query = `SELECT ${silentSince} AS since ${silentOnes} ORDER BY since LIMIT 1`;
    const since = this.queryValue<number>(query);
    return since === null ? null : Math.ceil(since / idsPerMs) + autoResolveHours * hourMs;
  }

  /** Resolves a slice of those that are silent, the longest silent first. */
  look(now: number): void {
    const { snapshot, resolve } = this.#parts;
    const { autoResolveHours } = snapshot.settings;
    if (autoResolveHours === null) return;
    const silent = this.queryValues<string>(
      `SELECT conversation_id ${silentOnes} AND ${silentSince} <= ? ORDER BY ${silentSince} LIMIT ?`,
      ...[(now - autoResolveHours * hourMs) * idsPerMs, sliceMax],
    );
    if (silent.length > 0) resolve(silent);
  }
}
