import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { refuse } from '../../../src/contract/errors.ts';
import type { AssistantConfiguration } from '../../../src/durable/event-log/assistants/known-assistants.ts';
import { KnownAssistants } from '../../../src/durable/event-log/assistants/known-assistants.ts';
import { DayCounts } from '../../../src/durable/event-log/assistants/reports/day-counts.ts';
import { InstructionVersions } from '../../../src/durable/event-log/assistants/reports/instruction-versions.ts';
import { RunList } from '../../../src/durable/event-log/assistants/reports/run-list.ts';
import { Memories } from '../../../src/durable/event-log/assistants/turns/context-messages.ts';
import type {
  AnsweredConversation,
  AssistantConversations,
} from '../../../src/durable/event-log/assistants/turns/log-conversations.ts';
import { Participation } from '../../../src/durable/event-log/assistants/turns/participation.ts';
import type { ContextMessage, Thought } from '../../../src/durable/event-log/assistants/turns/turn-orders.ts';
import { TurnRows } from '../../../src/durable/event-log/assistants/turns/turn-rows.ts';
import { Turns } from '../../../src/durable/event-log/assistants/turns/turns.ts';
import { LogState } from '../../../src/durable/event-log/log-state.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';

const start = Date.UTC(2026, 10, 26, 12);
const leaseMs = 60_000;
const ada = newUuid();
const here = newUuid();

const assistant: AssistantConfiguration = {
  id: newUuid(),
  enabled: true,
  numberIds: null,
  hours: 'always',
  handOff: { labels: [], teamId: null, message: 'Somebody will see to it.' },
  dailyTokenBudget: 10_000,
  conversationTokenBudget: 1_000,
  debounceSeconds: 5,
};

const thoughtOf = (more: object = {}): Thought => ({
  outcome: 'answer',
  text: 'Tomorrow.',
  tokens: { input: 100, output: 20 },
  cost: null,
  detail: { model: 'm', durationMs: 1, sources: [], toolCalls: [], error: null },
  labels: [],
  ...(more as Partial<Extract<Thought, { outcome: 'answer' }>>),
});
const failed = { outcome: 'failed' };

/** The turns of a log whose conversations are in memory, told the time by the test. */
function inLog(check: (log: ReturnType<typeof logOver>) => void, more: Partial<AssistantConfiguration> = {}) {
  return runInDurableObject(env.EVENT_LOG.getByName(newUuid()), (_, { storage }) => {
    check(logOver(storage.sql, { ...assistant, ...more }));
  });
}

function logOver(sql: SqlStorage, ...assistants: AssistantConfiguration[]) {
  const state = new LogState(sql);
  state.put('assistants', { revision: 1, assistants, optOut: { stopWords: ['stop'], startWords: [] } });
  const [rows, memories, days] = [new TurnRows(sql, leaseMs), new Memories(sql), new DayCounts(sql)];
  const talks = new Map<string, AnsweredConversation & { messages: ContextMessage[] }>();
  const handedOver: [string, string][] = [];
  let now = start;
  let isOpen: boolean | null = null;

  const setBot = (conversationId: string, botState: AnsweredConversation['botState']) => {
    Object.assign(talks.get(conversationId) ?? {}, { botState });
    // As the log tells of it.
    if (botState !== 'active') participation.stopped(conversationId, now);
  };
  const conversations: AssistantConversations = {
    find: (id) => talks.get(id) ?? null,
    contextOf: ({ conversationId }) =>
      ({ conversationId, messages: talks.get(conversationId)?.messages ?? [], unsummarised: [] }) as never,
    label: () => {},
    handOver({ conversationId }, _, reason) {
      handedOver.push([conversationId, reason]);
      setBot(conversationId, 'paused');
    },
    assign: (conversationId, assigneeId) =>
      void Object.assign(talks.get(conversationId) ?? {}, { assigneeId }),
    setBot,
  };
  const known = new KnownAssistants(state);
  const parts = { rows, memories, days, versions: new InstructionVersions(sql), known, conversations };
  const turns = new Turns({ ...parts, leaseMs, sendingMs: 30_000 });
  const participation = new Participation({
    ...parts,
    leaseMs,
    sendingMs: 30_000,
    turns,
    isOpen: () => isOpen,
  });

  /** Somebody who writes to the account, and what becomes of it. */
  function talk(more: Partial<AnsweredConversation> = {}) {
    const conversationId = newUuid();
    const conversation = {
      conversationId,
      numberId: newUuid(),
      contactId: null,
      address: '628123456789',
      botState: 'off' as const,
      assigneeId: null,
      messages: [],
      ...more,
    };
    talks.set(conversationId, conversation);
    const it = () => talks.get(conversationId) ?? conversation;
    const open = () => rows.openOf(conversationId);
    return {
      conversationId,
      it,
      open,
      writes(text: string, id = now * 1000) {
        (it().messages as ContextMessage[]).push({ id, from: 'contact', text, at: now });
        participation.inbound(it(), { id, text }, now);
      },
      claim: () => turns.claim(open()?.turnId ?? '', now),
      /** Its turn is claimed and thought about: what is to be sent. */
      answer(thought: Thought = thoughtOf()) {
        const turn = open();
        const claimed = turns.claim(turn?.turnId ?? '', now);
        if (turn === null || claimed.todo !== 'answer') return null;
        return turns.decide(turn.turnId, claimed.lease, thought, now).order;
      },
    };
  }

  return {
    ...{ rows, memories, days, turns, participation, talk, handedOver, runs: new RunList(sql) },
    now: () => now,
    pass: (seconds: number) => (now += seconds * 1000),
    setOpen: (value: boolean) => (isOpen = value),
    /** The assistants as they are in the configuration of this revision. */
    configure: (revision: number, more: Partial<AssistantConfiguration>) =>
      known.replace({
        revision,
        assistants: assistants.map((it) => ({ ...it, ...more })),
        optOut: { stopWords: ['stop'], startWords: [] },
      }),
  };
}

const unavailable = refuse('NO_HEALTHY_SENDER', 'No number can send.');
const passingCodes = ['NO_HEALTHY_SENDER', 'SENDER_UNAVAILABLE', 'RATE_LIMITED', 'INTERNAL'] as const;

test('a burst is answered five seconds after its last message, and half a minute after its first at the latest', () =>
  inLog(({ talk, pass }) => {
    const somebody = talk();
    somebody.writes('Hello');
    pass(4);
    somebody.writes('Is anybody there?');
    pass(4);
    expect(somebody.claim()).toEqual({ todo: 'nothing' });
    for (let written = 0; written < 6; written += 1) {
      somebody.writes('Hello?');
      pass(4);
    }
    expect(somebody.open()).toMatchObject({ dueAt: start + 30_000 });
    expect(somebody.claim()).toMatchObject({ todo: 'answer' });
  }));

test('what is written while an answer is made makes that one void, though its lease lasts, and has all tries of its own', () =>
  inLog(({ talk, pass, turns, now }) => {
    const somebody = talk();
    somebody.writes('Where is it?');
    pass(5);
    const first = somebody.claim();
    const turnId = somebody.open()?.turnId ?? '';
    if (first.todo !== 'answer') throw new Error('there is nothing to answer');
    somebody.writes('The parcel.', now() * 1000);
    pass(5);
    const second = somebody.claim();
    expect(second).toMatchObject({ todo: 'answer' });
    expect(turns.decide(turnId, first.lease, thoughtOf(), now())).toEqual({ order: null });
    expect(somebody.open()).toMatchObject({
      state: 'running',
      attempts: 1,
      tokens: { input: 100, output: 20 },
    });
  }));

test('a conversation that has used up its tokens, questions and answers, goes to people at the next message', () =>
  inLog(({ talk, pass, handedOver }) => {
    const somebody = talk();
    const ask = (tokens: object) => {
      somebody.writes('And now?');
      pass(5);
      return somebody.answer(thoughtOf({ tokens }))?.text;
    };
    expect(ask({ input: 600, output: 399 })).toBe('Tomorrow.');
    expect(ask({ input: 0, output: 1 })).toBe('Tomorrow.');
    somebody.writes('And now?');
    pass(5);
    expect(somebody.claim()).toMatchObject({ todo: 'send', order: { text: 'Somebody will see to it.' } });
    expect(handedOver).toEqual([[somebody.conversationId, 'conversation_budget']]);
  }));

test('what an assistant may use in a day is used up by all conversations together, and whole the next day', () =>
  inLog(
    ({ talk, pass, participation, now, handedOver }) => {
      const [one, other, third] = [talk(), talk(), talk()];
      one.writes('Hello');
      other.writes('Hello');
      pass(5);
      expect(one.answer(thoughtOf({ tokens: { input: 100, output: 100 } }))?.text).toBe('Tomorrow.');
      expect(other.claim()).toMatchObject({ todo: 'send' });
      expect(handedOver).toEqual([[other.conversationId, 'daily_budget']]);
      expect(participation.start(third.it(), assistant.id, null, now())).toEqual({
        ok: false,
        reason: 'budget',
      });
      pass(12 * 3600);
      third.writes('Hello');
      pass(5);
      expect(third.claim()).toMatchObject({ todo: 'answer' });
    },
    { dailyTokenBudget: 200 },
  ));

test('an answer that no number can send is tried for a while, then people have it; one that was refused for good at once', () =>
  inLog(({ talk, pass, turns, now, handedOver }) => {
    const [patient, refused] = [talk(), talk()];
    for (const it of [patient, refused]) it.writes('Hello');
    pass(5);
    const [order, other] = [patient.answer(), refused.answer()];
    for (let tried = 1; tried < 8; tried += 1) {
      const passing = refuse(passingCodes[tried % passingCodes.length] ?? 'INTERNAL', 'Not now.');
      expect(turns.notSent(order?.turnId ?? '', passing, now())).toEqual({ order: null });
      pass(20);
      expect(turns.takeDue(now(), 10_000, 100)).toContain(order?.turnId);
      expect(turns.claim(order?.turnId ?? '', now())).toMatchObject({ todo: 'send', order });
    }
    expect(handedOver).toEqual([]);
    turns.notSent(order?.turnId ?? '', unavailable, now());
    turns.notSent(other?.turnId ?? '', refuse('VALIDATION_ERROR', 'No.'), now());
    expect(handedOver.map(([, reason]) => reason)).toEqual(['not_sent', 'not_sent']);
    expect(turns.claim(order?.turnId ?? '', now())).toEqual({ todo: 'nothing' });
  }));

test('that somebody will see to it is said though the assistant is paused by then, hands over once, and not after a person', () =>
  inLog(({ talk, pass, turns, participation, now, handedOver }) => {
    const handOff = thoughtOf({ outcome: 'hand_off', reason: 'asked_for_person', note: null });
    const orders = [talk(), talk()].map((somebody) => {
      somebody.writes('A person, please');
      pass(5);
      return { somebody, order: somebody.answer(handOff) };
    });
    const [said, left] = orders;
    expect(orders.map(({ order }) => order?.text)).toEqual(Array(2).fill('Somebody will see to it.'));
    if (said === undefined || left === undefined) throw new Error('there are two');
    participation.personReplied(left.somebody.it(), now());
    expect(turns.claim(left.order?.turnId ?? '', now())).toEqual({ todo: 'nothing' });
    participation.stopped(said.somebody.conversationId, now());
    expect(turns.claim(said.order?.turnId ?? '', now())).toMatchObject({ todo: 'send' });
    turns.notSent(said.order?.turnId ?? '', refuse('VALIDATION_ERROR', 'No.'), now());
    expect(handedOver.map(([id]) => id)).toEqual(orders.map(({ somebody }) => somebody.conversationId));
  }));

test('a model that fails is asked three times, with pauses, and then people have it', () =>
  inLog(({ talk, pass, handedOver }) => {
    const somebody = talk();
    somebody.writes('Hello');
    for (const seconds of [5, 4]) {
      pass(seconds - 1);
      expect(somebody.answer()).toBeNull();
      pass(1);
      expect(somebody.answer(thoughtOf(failed))).toBeNull();
    }
    pass(15);
    expect(somebody.answer(thoughtOf(failed))).toMatchObject({ text: 'Somebody will see to it.' });
    expect(handedOver).toEqual([[somebody.conversationId, 'model_failed']]);
  }));

test('an assistant comes into no conversation that somebody has, and comes and stays at its hours alone', () =>
  inLog(
    ({ talk, setOpen, pass }) => {
      setOpen(true);
      const [taken, outside, inside] = [talk({ assigneeId: ada }), talk(), talk()];
      taken.writes('Hello');
      inside.writes('Hello');
      expect([taken.open(), inside.open()]).toMatchObject([null, { state: 'waiting' }]);
      pass(5);
      inside.answer();
      setOpen(false);
      outside.writes('Hello');
      inside.writes('And?');
      expect([outside.open(), inside.open()]).toEqual([null, null]);
    },
    { hours: 'inside_hours' },
  ));

test('of two conversations that become one, all that was open is answered in it, with what the assistant remembers', () =>
  inLog(({ talk, pass, participation, memories, now, rows }) => {
    const [from, to] = [talk(), talk()];
    from.writes('What does it cost?');
    pass(5);
    const order = from.answer();
    expect(order).not.toBeNull();
    from.writes('And the large one?', 1);
    from.writes('In blue?', 2);
    participation.joined(from.conversationId, to.conversationId, now());
    expect(rows.openOf(from.conversationId)).toBeNull();
    expect(to.open()).toMatchObject({ toAnswer: [1, 2], question: 'And the large one?\nIn blue?' });
    expect(memories.find(to.conversationId)).toMatchObject({ tokens: 120, since: 1 });
    expect(memories.find(from.conversationId)).toBeNull();
  }));

test('of two conversations that become one, the assistant keeps what it knows of the one that goes on', () =>
  inLog(({ talk, pass, participation, memories, now }) => {
    const [from, to] = [talk(), talk()];
    for (const it of [from, to]) it.writes('Hello', 1);
    pass(5);
    to.answer();
    participation.joined(from.conversationId, to.conversationId, now());
    expect(memories.find(to.conversationId)).toMatchObject({ tokens: 120 });
    expect(memories.find(from.conversationId)).toBeNull();
  }));

test('a turn does not wait until a clock that was set back has caught up', () =>
  inLog(({ talk, pass, turns, rows, now }) => {
    const it = talk();
    it.writes('Hello');
    pass(-3_600);
    expect(rows.nextRingAt(now())).toBeLessThan(now());
    expect(turns.takeDue(now(), 30_000, 100)).toHaveLength(1);
    expect(it.claim().todo).toBe('answer');
  }));

test('of more turns than are woken at a time, due in one millisecond, each is woken once, and again when nobody has heard it', () =>
  inLog(({ talk, pass, turns, rows, now }) => {
    const all = Array.from({ length: 101 }, () => talk());
    for (const it of all) it.writes('Hello');
    pass(5);
    const first = turns.takeDue(now(), 30_000, 100);
    expect(first).toHaveLength(100);
    expect(rows.nextRingAt(now())).toBe(now());
    const woken = [...first, ...turns.takeDue(now(), 30_000, 100)];
    expect(new Set(woken)).toEqual(new Set(all.map((it) => it.open()?.turnId)));
    expect(turns.takeDue(now(), 30_000, 100)).toEqual([]);
    expect(rows.nextRingAt(now())).toBe(now() + 30_000);
    pass(30);
    expect(turns.takeDue(now(), 30_000, 100)).toHaveLength(100);
  }));

test('an assistant introduces itself once, and knows of what was dated before it came in', () =>
  inLog(({ talk, pass, turns, participation, memories, now }) => {
    const somebody = talk();
    const isIntroduced = () => memories.find(somebody.conversationId)?.isIntroduced;
    somebody.writes('Hello', 7);
    somebody.writes('Hi', 5);
    expect(memories.find(somebody.conversationId)?.since).toBe(5);
    pass(5);
    const order = somebody.answer();
    expect(isIntroduced()).toBe(false);
    turns.sent(order?.turnId ?? '', newUuid(), now());
    expect(isIntroduced()).toBe(true);
    somebody.writes('Thanks', 9);
    pass(5);
    turns.sent(somebody.answer()?.turnId ?? '', newUuid(), now());
    expect([isIntroduced(), memories.find(somebody.conversationId)?.since]).toEqual([true, 5]);
    // It is still the same to them once people have talked in between.
    const by = { kind: 'person', userId: ada } as const;
    for (const action of ['pause', 'resume'] as const) {
      participation.order(somebody.conversationId, action, null, by, now());
    }
    expect([isIntroduced(), memories.find(somebody.conversationId)?.since]).toEqual([true, now() * 1000]);
  }));

test('an assistant that comes in while another one still answers has introduced itself to nobody, and used nothing', () =>
  runInDurableObject(env.EVENT_LOG.getByName(newUuid()), (_, { storage }) => {
    const other = { ...assistant, id: newUuid() };
    const { talk, pass, turns, memories, participation, now } = logOver(storage.sql, assistant, other);
    const somebody = talk();
    somebody.writes('Hello');
    pass(5);
    const order = somebody.answer();
    participation.start(somebody.it(), other.id, null, now());
    turns.sent(order?.turnId ?? '', newUuid(), now());
    const known = () => memories.find(somebody.conversationId);
    expect(known()).toMatchObject({ assistantId: other.id, isIntroduced: false, tokens: 0 });
    turns.decide(order?.turnId ?? '', newUuid(), thoughtOf(), now());
    expect(known()?.tokens).toBe(0);
    const resume = (assistantId: string) =>
      participation.order(somebody.conversationId, 'resume', assistantId, { kind: 'system' }, now());
    memories.put({ ...(known() ?? expect.fail()), isIntroduced: true });
    resume(other.id);
    expect(known()?.isIntroduced).toBe(true);
    resume(assistant.id);
    expect(known()).toMatchObject({ assistantId: assistant.id, isIntroduced: false });
  }));

test('a turn whose consumers have died three times goes to people at the fourth', () =>
  inLog(({ talk, pass, turns, handedOver, now }) => {
    const somebody = talk();
    somebody.writes('Hello');
    pass(5);
    for (let died = 0; died < 3; died += 1) {
      expect(somebody.claim()).toMatchObject({ todo: 'answer' });
      pass(leaseMs / 1000);
      expect(turns.takeDue(now(), 30_000, 100)).toHaveLength(1);
    }
    expect(somebody.claim()).toMatchObject({ todo: 'send', order: { text: 'Somebody will see to it.' } });
    expect(handedOver).toEqual([[somebody.conversationId, 'model_failed']]);
  }));

test('an answer whose sender has died is sent again under the same key, and counts once however often it is told as sent', () =>
  inLog(({ talk, pass, turns, days, now }) => {
    const somebody = talk();
    somebody.writes('Hello');
    pass(5);
    const order = somebody.answer();
    pass(30);
    expect(turns.takeDue(now(), 30_000, 100)).toEqual([order?.turnId]);
    expect(turns.claim(order?.turnId ?? '', now())).toEqual({ todo: 'send', order });
    const messageId = newUuid();
    for (let told = 0; told < 2; told += 1) turns.sent(order?.turnId ?? '', messageId, now());
    expect(turns.claim(order?.turnId ?? '', now())).toEqual({ todo: 'nothing' });
    expect(days.since(assistant.id, '2026-01-01')).toMatchObject([{ answered: 1, handedOff: 0 }]);
  }));

test('what a rule has answered, what is opted out of and what people have by then is answered by no assistant', () =>
  inLog(({ talk, pass, participation, now }) => {
    const [ruled, stopped, paused] = [talk(), talk(), talk()];
    for (const it of [ruled, stopped, paused]) it.writes('Hello', 1);
    ruled.writes('Hi', 2);
    participation.ruleAnswered(ruled.conversationId, 1, now());
    expect(ruled.open()?.toAnswer).toEqual([2]);
    participation.ruleAnswered(ruled.conversationId, 2, now());
    stopped.writes('STOP', 3);
    expect([ruled.open(), stopped.open()]).toEqual([null, null]);
    Object.assign(paused.it(), { botState: 'paused' });
    pass(5);
    expect(paused.claim()).toEqual({ todo: 'nothing' });
    expect(paused.open()).toBeNull();
  }));

test('an answer that a person was quicker than is nobody else’s to give, and one that was taken before counts as said', () =>
  inLog(({ talk, pass, turns, participation, days, now, handedOver }) => {
    const [late, said] = [talk(), talk()];
    for (const it of [late, said]) it.writes('Hello');
    pass(5);
    const [first, second] = [late.answer(), said.answer()];
    turns.notSent(first?.turnId ?? '', refuse('CONFLICT', 'A person has answered.'), now());
    participation.personReplied(said.it(), now());
    turns.sent(second?.turnId ?? '', newUuid(), now());
    expect(handedOver).toEqual([]);
    expect(days.since(assistant.id, '2026-01-01')).toMatchObject([{ answered: 1, handedOff: 0 }]);
  }));

test('an assistant that is switched off while it thinks says nothing, also where an older configuration is read late', () =>
  inLog(({ talk, pass, configure, turns, now, handedOver }) => {
    const [thinking, later] = [talk(), talk()];
    thinking.writes('Hello');
    pass(5);
    const turnId = thinking.open()?.turnId ?? '';
    const claimed = thinking.claim();
    if (claimed.todo !== 'answer') throw new Error('there is nothing to answer');
    configure(3, { enabled: false });
    configure(2, { enabled: true });
    expect(turns.decide(turnId, claimed.lease, thoughtOf(), now())).toEqual({ order: null });
    later.writes('Hello');
    expect([thinking.open(), later.open(), handedOver]).toEqual([null, null, []]);
    configure(3, { enabled: true });
    later.writes('Hello?');
    expect(later.open()).not.toBeNull();
  }));

test('the runs of an assistant are paged without a gap or a repeat, of one conversation too', () =>
  inLog(({ talk, runs }) => {
    const all = [talk(), talk(), talk()];
    for (const [index, it] of all.entries()) it.writes(`question ${index}`);
    const pages: string[][] = [];
    for (let before: number | null = null; pages.length < 4; ) {
      const found = runs.page(assistant.id, {}, 1, before);
      pages.push(found.map(({ question }) => question));
      before = found[0]?.id ?? null;
      if (before === null) break;
    }
    expect(pages).toEqual([['question 2', 'question 1'], ['question 1', 'question 0'], ['question 0'], []]);
    const [first] = all;
    const ofOne = runs.page(assistant.id, { conversationId: first?.conversationId }, 5, null);
    expect(ofOne.map(({ question }) => question)).toEqual(['question 0']);
  }));

test('a person who answers where no assistant could come in pauses nothing, and lets one in to what somebody has', () =>
  inLog(
    ({ talk, participation, memories, turns, pass, now }) => {
      const [elsewhere, taken] = [talk(), talk({ numberId: here, assigneeId: ada })];
      participation.personReplied(elsewhere.it(), now());
      participation.personReplied(taken.it(), now());
      expect([elsewhere.it().botState, taken.it().botState]).toEqual(['off', 'paused']);
      const person = { kind: 'person', userId: ada } as const;
      const resume = () => participation.order(taken.conversationId, 'resume', null, person, now());
      expect(resume()).toMatchObject({ ok: true });
      expect(taken.it().botState).toBe('active');
      taken.writes('Hello');
      pass(5);
      turns.sent(taken.answer()?.turnId ?? '', newUuid(), now());
      // It has said who it is already.
      expect(resume()).toMatchObject({ ok: true });
      expect(memories.find(taken.conversationId)).toMatchObject({ isIntroduced: true, since: now() * 1000 });
    },
    { numberIds: [here] },
  ));

test('a turn costs what all its tries have cost', () =>
  inLog(({ talk, pass, rows, days }) => {
    const somebody = talk();
    somebody.writes('Hello');
    pass(5);
    const turnId = somebody.open()?.turnId ?? '';
    somebody.answer(thoughtOf({ ...failed, cost: 0.5 }));
    pass(4);
    somebody.answer(thoughtOf({ ...failed, cost: null }));
    pass(15);
    somebody.answer(thoughtOf({ cost: 0.25 }));
    expect(rows.find(turnId)).toMatchObject({ cost: 0.75, tokens: { input: 300, output: 60 } });
    expect(days.since(assistant.id, '2026-01-01')).toMatchObject([{ cost: 0.75 }]);
  }));
