import { minuteMs } from '../../../../contract/times.ts';
import { derivedUuid } from '../../../new-ids.ts';
import type { KnownRule, RuleSet } from '../configuration/rule-set.ts';
import type { ConversationPort, KnownConversation } from '../conversation-port.ts';
import type { Happening } from '../rules/happening.ts';
import type { Runner } from '../runner.ts';

/** Conversations that one transaction looks at. */
const sliceMax = 50;

interface Parts {
  storage: DurableObjectStorage;
  rules: RuleSet;
  runner: Runner;
  conversations: ConversationPort;
  /** After a transaction that was rolled back. */
  reload: () => void;
}

const waitMsOf = ({ waitingMinutes }: KnownRule): number => (waitingMinutes ?? 0) * minuteMs;

/** What a wait is for rules: once for each time that somebody begins to wait. */
export function waitHappening(conversation: KnownConversation, waitMs: number): Happening {
  const { conversationId, numberId, person, waitingSince } = conversation;
  const since = waitingSince ?? 0;
  const own = { eventId: `evt_${derivedUuid(since, conversationId, 'waiting')}`, at: since + waitMs };
  return {
    on: 'conversation.waiting',
    ...own,
    root: own,
    numberId,
    conversationId,
    person,
    message: null,
    chain: [],
  };
}

/**
 * Rules that answer a wait: looked at when a conversation has waited for as long as the rule says. Those that wait as
 * long are asked together, in their order.
 */
export class Waits {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** When the next conversation has waited long enough; null: none waits, or no rule asks. */
  dueAt(): number | null {
    const due = this.#rules().flatMap((rule) => {
      const [first] = this.#parts.conversations.waiting(rule.waitedTo, Number.MAX_SAFE_INTEGER, 1);
      return first?.waitingSince ? [first.waitingSince + waitMsOf(rule)] : [];
    });
    return due.length === 0 ? null : Math.min(...due);
  }

  /** Applies the rules to those that have waited long enough. True: something is planned for outside. */
  run(now: number): boolean {
    let plansOuter = false;
    for (const [waitMs, rules] of Map.groupBy(this.#rules(), waitMsOf)) {
      const after = Math.min(...rules.map(({ waitedTo }) => waitedTo));
      const found = this.#parts.conversations.waiting(after, now - waitMs, sliceMax);
      const waiting = found.length < sliceMax ? found : withoutTies(found);
      const last = waiting.at(-1)?.waitingSince;
      if (!last) continue;
      plansOuter = this.#apply(rules, waitMs, waiting, last, now) || plansOuter;
    }
    return plansOuter;
  }

  #apply(
    rules: readonly KnownRule[],
    waitMs: number,
    waiting: readonly KnownConversation[],
    last: number,
    now: number,
  ): boolean {
    const { storage, runner, reload } = this.#parts;
    try {
      return storage.transactionSync(() => {
        const planned = waiting.map((conversation) => {
          const since = conversation.waitingSince ?? 0;
          const asked = rules.filter(({ waitedTo }) => waitedTo < since);
          return runner.apply(asked, waitHappening(conversation, waitMs), now);
        });
        for (const { automationId, waitedTo } of rules) {
          if (waitedTo < last) this.#parts.rules.noteWaited(automationId, last);
        }
        return planned.includes(true);
      });
    } catch (error) {
      reload();
      throw error;
    }
  }

  #rules(): readonly KnownRule[] {
    return this.#parts.rules.on.filter(({ on }) => on === 'conversation.waiting');
  }
}

/** Without the last ones of the same moment: the next slice begins behind a moment. */
function withoutTies(found: readonly KnownConversation[]): readonly KnownConversation[] {
  const last = found.at(-1)?.waitingSince;
  const before = found.filter(({ waitingSince }) => waitingSince !== last);
  return before.length > 0 ? before : found;
}
