import { expect, test } from 'vitest';
import { lateWaitsSql } from '../../../../src/durable/event-log/automations/automation-tables.ts';
import { triggerEventOf } from '../../../../src/durable/event-log/automations/reading/event-reading.ts';
import { Waits } from '../../../../src/durable/event-log/automations/reading/waits.ts';
import type { TriggerEvent } from '../../../../src/durable/event-log/automations/rules/trigger-event.ts';
import type { Conversation } from '../../../../src/durable/event-log/conversations/conversation.ts';
import type {
  ConversationRows,
  WaitPlace,
} from '../../../../src/durable/event-log/conversations/rows/conversation-rows.ts';
import { sqliteStorage } from '../campaign/sqlite-storage.ts';

const minute = 60_000;

/** Conversations that wait, and a rule that asks for those who do for a minute. */
class Stage {
  readonly rule = { automationId: 'rule', on: 'conversation.waiting', waitingMinutes: 1, waitedTo: 0 };
  /** Rules behind it with the same wait. */
  readonly others: Stage['rule'][] = [];
  /** Which rules were applied to each conversation. */
  readonly asked: string[][] = [];
  /** How often the rule ran for each conversation. */
  readonly runs = new Map<string, number>();
  readonly slices: number[] = [];
  readonly #waiting: Conversation[];
  readonly #storage = sqliteStorage();
  waits: Waits;

  constructor(...moments: { since: number; count: number }[]) {
    this.#waiting = moments.flatMap(({ since, count }) =>
      Array.from(
        { length: count },
        (_, index) =>
          ({
            conversationId: `${since}-${String(index).padStart(4, '0')}`,
            waitingSince: since,
          }) as Conversation,
      ),
    );
    this.#storage.sql.exec(lateWaitsSql);
    this.waits = this.#begin();
  }

  /** A new life: what was in memory is gone. */
  crash(): void {
    this.waits = this.#begin();
  }

  runToEnd(now: number): void {
    for (let turn = 0; turn < 100; turn += 1) {
      const dueAt = this.waits.dueAt();
      if (dueAt === null || dueAt > now) return;
      this.waits.run(now);
    }
    throw new Error('it does not end');
  }

  #begin(): Waits {
    const { runs, rule, others, asked } = this;
    return new Waits({
      storage: this.#storage as DurableObjectStorage,
      rules: {
        get on() {
          return [rule, ...others];
        },
        noteWaited: (automationId: string, at: number) => {
          for (const one of [rule, ...others]) if (one.automationId === automationId) one.waitedTo = at;
        },
      } as never,
      runner: {
        apply: (rules: { automationId: string }[], { conversationId }: TriggerEvent) => {
          asked.push(rules.map(({ automationId }) => automationId));
          // A run is known by what it is for.
          if (rules.length > 0 && conversationId !== null && !runs.has(conversationId))
            runs.set(conversationId, 1);
          return false;
        },
      } as never,
      conversations: {
        waiting: (after: WaitPlace, until: number, limit: number) => {
          const found = this.#waiting.filter(
            ({ waitingSince, conversationId }) =>
              (waitingSince ?? 0) <= until && isBehind(waitingSince ?? 0, conversationId, after),
          );
          this.slices.push(limit);
          return found.slice(0, limit);
        },
      } as unknown as ConversationRows,
      reload: () => {},
    });
  }
}

const isBehind = (since: number, id: string, place: WaitPlace) =>
  since > place.since ||
  (since === place.since && place.conversationId !== null && id > place.conversationId);

test('however many began to wait in the same moment, the rule runs for each of them', () => {
  const stage = new Stage(
    { since: 1_000, count: 3 },
    { since: 2_000, count: 230 },
    { since: 3_000, count: 50 },
  );
  stage.runToEnd(10 * minute);
  expect(stage.runs.size).toBe(283);
  expect(stage.rule.waitedTo).toBe(3_000);
  expect(Math.max(...stage.slices)).toBeLessThanOrEqual(50);
});

test('a crash within a moment begins it anew, and leaves nobody out', () => {
  const stage = new Stage({ since: 2_000, count: 120 });
  stage.waits.run(10 * minute);
  expect(stage.runs.size).toBe(50);
  stage.crash();
  stage.runToEnd(10 * minute);
  expect(stage.runs.size).toBe(120);
});

test('of rules with the same wait, one that was saved later leaves alone who had waited for so long by then', () => {
  const stage = new Stage({ since: 1_000, count: 1 }, { since: 2_000, count: 1 });
  stage.others.push({ ...stage.rule, automationId: 'later', waitedTo: 1_000 });
  stage.runToEnd(2 * minute);
  expect(stage.asked).toEqual([['rule'], ['rule', 'later']]);
});

test('those who have not waited long enough are left for later', () => {
  const stage = new Stage({ since: 1_000, count: 60 }, { since: 5 * minute, count: 60 });
  stage.runToEnd(2 * minute);
  expect(stage.runs.size).toBe(60);
  stage.runToEnd(7 * minute);
  expect(stage.runs.size).toBe(120);
});

test('that somebody has read it, who answers in it and whether its targets are met is no change that a rule answers', () => {
  const answered = (changes: object) => {
    const data = { conversationId: 'c', numberId: 'n', changes };
    const envelope = {
      id: 'evt_1',
      timestamp: '2026-01-31T09:30:00.000Z',
      event: 'conversation.updated',
      data,
    };
    const conversations = { find: () => ({ person: {} }), of: () => null } as never;
    return triggerEventOf({ seq: 1, envelope } as never, null, conversations)?.on ?? null;
  };
  const unheard = [{ unreadCount: 0 }, { sla: 'missed' }, { botState: 'paused' }];
  expect(unheard.map(answered)).toEqual([null, null, null]);
  expect(answered({ sla: 'missed', status: 'open' })).toBe('conversation.updated');
});
