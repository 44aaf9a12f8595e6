import { isDue } from '../../due-times.ts';
import { type NamedTimer, slicedTimer } from '../../named-timers.ts';
import type { Conversations } from '../conversations/conversations.ts';
import type { ConversationRows } from '../conversations/rows/conversation-rows.ts';
import type { EventDraft } from '../events/event-draft.ts';
import type { LogState } from '../log-state.ts';
import type { SupportParts } from './assemble-support.ts';
import { AutoResolve } from './auto-resolve.ts';
import { reviewName } from './support-snapshot.ts';

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
