import { minuteMs } from '../../../../contract/times.ts';
import { clockSlackMs, earliest } from '../../../due-times.ts';
import { derivedUuid } from '../../../new-ids.ts';
import { inTransaction } from '../../../storage/in-transaction.ts';
import { Tables } from '../../../storage/rows.ts';
import type { Conversation } from '../../conversations/conversation.ts';
import type { ConversationRows, WaitPlace } from '../../conversations/rows/conversation-rows.ts';
import type { KnownRule, RuleSet } from '../rule-set.ts';
import { personOf, type TriggerEvent } from '../rules/trigger-event.ts';
import type { Runner } from '../runner.ts';

/** Conversations that one transaction looks at. */
const sliceMax = 50;

interface Parts {
  storage: DurableObjectStorage;
  rules: RuleSet;
  runner: Runner;
  conversations: Pick<ConversationRows, 'find' | 'waiting'>;
  /** After a transaction that was rolled back. */
  reload: () => void;
}

const waitMsOf = ({ waitingMinutes }: KnownRule): number => (waitingMinutes ?? 0) * minuteMs;

/** What a wait is for rules: once for each time that somebody begins to wait. */
export function waitTriggerEvent(conversation: Conversation, waitMs: number): TriggerEvent {
  const { conversationId, numberId, waitingSince } = conversation;
  const since = waitingSince ?? 0;
  const own = { eventId: `evt_${derivedUuid(since, conversationId, 'waiting')}`, at: since + waitMs };
  return {
    on: 'conversation.waiting',
    ...own,
    root: own,
    numberId,
    conversationId,
    person: personOf(conversation),
    message: null,
    chain: [],
  };
}

type LateWait = { conversation_id: string; since: number; known_at: number };

/**
 * Rules for waiting conversations: they are evaluated when a conversation has waited for as long as the rule says. Rules with
 * the same wait are evaluated together, in their order. A wait may be known late: its number was offline, or the answer to it
 * has failed since. Others that began behind it may have been evaluated by then, so it is remembered by itself.
 */
export class Waits extends Tables {
  readonly #parts: Parts;
  /** Within a moment, by how long is waited. What is looked at twice runs once: a run is known by what it is for. */
  readonly #places = new Map<number, WaitPlace & { after: number }>();

  constructor(parts: Parts) {
    super(parts.storage.sql);
    this.#parts = parts;
  }

  /** Somebody waits, as is known now. Call inside a transaction. */
  began(
    { conversationId, waitingSince }: Pick<Conversation, 'conversationId' | 'waitingSince'>,
    now: number,
  ): void {
    if (waitingSince === null || !this.#rules().some((rule) => waitingSince + waitMsOf(rule) <= now)) return;
    this.sql.exec(
      'INSERT OR REPLACE INTO late_waits (conversation_id, since, known_at) VALUES (?, ?, ?)',
      ...[conversationId, waitingSince, now],
    );
  }

  /**
   * Whoever began to wait after now, by a clock that went back since, has waited long enough; what is looked at twice runs once.
   * And who begins to wait from now on is behind what was done with.
   */
  clockWentBack(now: number): void {
    const rules = this.#rules();
    if (rules.length === 0) return;
    const longestMs = Math.max(...rules.map(waitMsOf));
    inTransaction(
      this.#parts.storage,
      () => {
        for (const rule of rules) {
          const waitedTo = now - waitMsOf(rule);
          if (rule.waitedTo > waitedTo + clockSlackMs)
            this.#parts.rules.noteWaited(rule.automationId, waitedTo);
        }
        let place: WaitPlace = { since: now + clockSlackMs, conversationId: null };
        for (;;) {
          const found = this.#parts.conversations.waiting(place, Number.MAX_SAFE_INTEGER, sliceMax);
          for (const one of found) this.began(one, (one.waitingSince ?? 0) + longestMs);
          const last = found.at(-1);
          if (last === undefined || found.length < sliceMax) break;
          place = { since: last.waitingSince ?? 0, conversationId: last.conversationId };
        }
      },
      this.#parts.reload,
    );
    this.#places.clear();
  }

  /** When the next conversation has waited long enough; null: none waits, or no rule asks. */
  dueAt(): number | null {
    const lateAt = this.queryValue<number>('SELECT min(known_at) FROM late_waits');
    // Whatever the clock was when it became known.
    if (lateAt !== null) return 1;
    const due = this.#rules().map((rule) => {
      const behind = { since: rule.waitedTo, conversationId: null };
      const [first] = this.#parts.conversations.waiting(behind, Number.MAX_SAFE_INTEGER, 1);
      return first?.waitingSince ? first.waitingSince + waitMsOf(rule) : null;
    });
    return earliest(due);
  }

  /** Applies the rules to those that have waited long enough. True: something is planned for outside. */
  run(now: number): boolean {
    let plansOuter = this.#applyLate(now);
    for (const [waitMs, rules] of Map.groupBy(this.#rules(), waitMsOf)) {
      const after = Math.min(...rules.map(({ waitedTo }) => waitedTo));
      const place = this.#placeOf(waitMs, after);
      const found = this.#parts.conversations.waiting(place, now - waitMs, sliceMax);
      const isEnd = found.length < sliceMax;
      const since = found.at(-1)?.waitingSince ?? place.since;
      // A moment is done with when all of it has been looked at.
      const earlier = found.findLast(({ waitingSince }) => waitingSince !== since)?.waitingSince ?? after;
      const doneTo = isEnd ? since : earlier;
      if (found.length === 0 && doneTo <= after) continue;
      plansOuter = this.#apply(rules, waitMs, found, doneTo, now) || plansOuter;
      const conversationId = found.at(-1)?.conversationId ?? null;
      if (isEnd) this.#places.delete(waitMs);
      else this.#places.set(waitMs, { after: doneTo, since, conversationId });
    }
    return plansOuter;
  }

  /** Where the next slice begins; another life, or other rules, begin anew behind what is done with. */
  #placeOf(waitMs: number, after: number): WaitPlace {
    const place = this.#places.get(waitMs);
    return place?.after === after ? place : { since: after, conversationId: null };
  }

  #apply(
    rules: readonly KnownRule[],
    waitMs: number,
    waiting: readonly Conversation[],
    doneTo: number,
    now: number,
  ): boolean {
    const { storage, runner, reload } = this.#parts;
    const apply = () => {
      const planned = waiting.map((conversation) => {
        const since = conversation.waitingSince ?? 0;
        const asked = rules.filter(({ waitedTo }) => waitedTo < since);
        return runner.apply(asked, waitTriggerEvent(conversation, waitMs), now);
      });
      for (const { automationId, waitedTo } of rules) {
        if (waitedTo < doneTo) this.#parts.rules.noteWaited(automationId, doneTo);
      }
      return planned.includes(true);
    };
    return inTransaction(storage, apply, reload);
  }

  /** Rules that would have looked at a late wait before it was known. They do not answer what they were saved too late for. */
  #applyLate(now: number): boolean {
    const { storage, runner, conversations, reload } = this.#parts;
    const late = this.queryAll<LateWait>('SELECT * FROM late_waits LIMIT ?', sliceMax);
    const apply = ({ conversation_id, since, known_at }: LateWait) => {
      this.sql.exec('DELETE FROM late_waits WHERE conversation_id = ?', conversation_id);
      const conversation = conversations.find(conversation_id);
      if (conversation?.waitingSince !== since) return false;
      const planned = [...Map.groupBy(this.#rules(), waitMsOf)].map(([waitMs, rules]) => {
        if (since + waitMs > known_at) return false;
        const asked = rules.filter(({ sinceAt }) => sinceAt < since + waitMs);
        return runner.apply(asked, waitTriggerEvent(conversation, waitMs), now);
      });
      return planned.includes(true);
    };
    return late.length > 0 && inTransaction(storage, () => late.map(apply).includes(true), reload);
  }

  #rules(): readonly KnownRule[] {
    return this.#parts.rules.on.filter(({ on }) => on === 'conversation.waiting');
  }
}
