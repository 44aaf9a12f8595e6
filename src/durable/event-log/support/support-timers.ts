import { hourMs } from '../../../contract/times.ts';
import { isDue } from '../../due-times.ts';
import { type NamedTimer, slicedTimer } from '../../named-timers.ts';
import { Tables } from '../../storage/rows.ts';
import type { Conversations } from '../conversations/conversations.ts';
import type { ConversationRows } from '../conversations/rows/conversation-rows.ts';
import type { EventDraft } from '../events/event-draft.ts';
import type { LogState } from '../log-state.ts';
import { idsPerMs } from '../messages/logged-message.ts';
import type { SupportParts } from './assemble-support.ts';
import { reviewName, type SupportSnapshot } from './support-snapshot.ts';

/** Cases of one slice, and slices of one run; conversations of one slice of a review. */
const dueMax = 50;
const dueSlicesMax = 20;
const reviewedMax = 50;

interface Parts {
  sql: SqlStorage;
  state: LogState;
  support: SupportParts;
  conversations: Conversations;
  rows: ConversationRows;
  /** Makes a change in one transaction with its events, and tells whoever listens. */
  commit: (change: (now: number) => EventDraft[]) => void;
}

/** What time brings to conversations: targets that are missed, silence, surveys, and a review after a change. */
export function supportTimers({ sql, state, support, conversations, rows, commit }: Parts): NamedTimer[] {
  const { cases, clock, surveys, snapshot } = support;

  function reviewed(conversationId: string, now: number): EventDraft[] {
    const conversation = rows.find(conversationId);
    const fields = conversation && clock.review(conversation, now);
    return (fields && conversations.setSla(conversationId, fields)?.drafts) ?? [];
  }

  function missed(now: number): EventDraft[] {
    return cases.due(now, dueMax).flatMap((it) => {
      const drafts = reviewed(it.conversationId, now);
      if (rows.find(it.conversationId) === null) clock.forget(it, now);
      return drafts;
    });
  }

  function reviewSlice(now: number): EventDraft[] {
    const after = state.get<string>(reviewName) ?? '';
    const slice = sql
      .exec<{ id: string; status: string }>(
        `SELECT conversation_id AS id, status FROM conversations WHERE conversation_id > ?
         ORDER BY conversation_id LIMIT ?`,
        after,
        reviewedMax,
      )
      .toArray();
    const last = slice.at(-1);
    if (slice.length < reviewedMax || last === undefined) state.remove(reviewName);
    else state.put(reviewName, last.id);
    return slice.flatMap(({ id, status }) => (status === 'resolved' ? [] : reviewed(id, now)));
  }

  const autoResolve = new AutoResolve({
    sql,
    snapshot,
    resolve: (ids) =>
      commit((now) =>
        ids.flatMap(
          (id) => conversations.change(id, { status: 'resolved' }, { kind: 'system' }, now)?.drafts ?? [],
        ),
      ),
  });
  return [
    {
      name: 'response targets',
      dueAt: () => cases.earliestDue(),
      async run() {
        for (let slice = 0; slice < dueSlicesMax && isDue(cases.earliestDue(), Date.now()); slice += 1) {
          commit(missed);
          await scheduler.wait(0);
        }
      },
    },
    slicedTimer(
      'response review',
      () => (state.get<string>(reviewName) === null ? null : 0),
      () => commit(reviewSlice),
    ),
    slicedTimer(
      'silence',
      () => autoResolve.dueAt(),
      () => autoResolve.look(Date.now()),
    ),
    { name: 'surveys', dueAt: () => surveys.dueAt(), run: (now) => surveys.run(now) },
  ];
}

/** Conversations that one slice reads. */
const sliceMax = 50;

interface AutoResolveParts {
  sql: SqlStorage;
  snapshot: SupportSnapshot;
  /** Resolves these conversations, in one transaction. */
  resolve: (conversationIds: readonly string[]) => void;
}

/** Resolves conversations in which nobody has written for a while, and nobody waits for an answer. */
class AutoResolve extends Tables {
  readonly #parts: AutoResolveParts;
  /**
   * All conversations up to this last message were checked: in those that are still open somebody waits. In memory; checked again
   * after an eviction.
   */
  #seen = 0;
  /** Which setting they were looked at under. */
  #hours: number | null = null;

  constructor(parts: AutoResolveParts) {
    super(parts.sql);
    this.#parts = parts;
  }

  /** When the next one is silent for long enough; null: none is to come, or it is off. */
  dueAt(): number | null {
    const { autoResolveHours } = this.#parts.snapshot.settings;
    if (autoResolveHours === null) return null;
    if (autoResolveHours !== this.#hours) {
      this.#hours = autoResolveHours;
      this.#seen = 0;
    }
    const query = `SELECT min(last_message) FROM conversations WHERE status = 'open' AND last_message > ?`;
    const last = this.queryValue<number>(query, this.#seen);
    return last === null ? null : Math.ceil(last / idsPerMs) + autoResolveHours * hourMs;
  }

  /** Looks at a slice of those that are silent. */
  look(now: number): void {
    const { snapshot, resolve } = this.#parts;
    const { autoResolveHours } = snapshot.settings;
    if (autoResolveHours === null) return;
    const silentBefore = (now - autoResolveHours * hourMs) * idsPerMs;
    const rows = this.queryAll<{ id: string; last: number; waiting: number | null }>(
      `SELECT conversation_id AS id, last_message AS last, waiting_since AS waiting FROM conversations
         WHERE status = 'open' AND last_message > ? AND last_message <= ? ORDER BY last_message LIMIT ?`,
      ...[this.#seen, silentBefore, sliceMax],
    );
    const silent = rows.filter(({ waiting }) => waiting === null).map(({ id }) => id);
    if (silent.length > 0) resolve(silent);
    this.#seen = rows.at(-1)?.last ?? this.#seen;
  }
}
