import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Conversation,
  newConversation,
} from '../../../../src/durable/event-log/conversations/conversation.ts';
import {
  afterChanges,
  afterInbound,
  afterResponse,
  isFreed,
  wantsSomebody,
} from '../../../../src/durable/event-log/conversations/conversation-steps.ts';

type Deed =
  | { kind: 'inbound' }
  | { kind: 'response' }
  | { kind: 'status'; status: 'open' | 'pending' | 'resolved' }
  | { kind: 'snooze' };
type Done = Deed & { at: number };

const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Deed>({ kind: 'inbound' }) },
  { weight: 2, arbitrary: fc.constant<Deed>({ kind: 'response' }) },
  fc.constantFrom('open', 'pending', 'resolved').map((status): Deed => ({ kind: 'status', status })),
  fc.constant<Deed>({ kind: 'snooze' }),
);

/** All that was done, one after the other, further apart than clocks differ. */
const history = fc
  .array(fc.tuple(deed, fc.integer({ min: 3_000, max: 100_000 })), { maxLength: 40 })
  .map((deeds) => {
    let at = 1_000_000;
    return deeds.map(([one, gap]): Done => {
      at += gap;
      return { ...one, at };
    });
  });

function step(before: Conversation, done: Done): Conversation {
  switch (done.kind) {
    case 'inbound':
      return afterInbound(before, done.at).conversation;
    case 'response':
      return afterResponse(before, done.at).conversation;
    case 'status':
      return afterChanges(before, { status: done.status }, done.at).conversation;
    case 'snooze':
      return afterChanges(before, { snoozedUntil: done.at + 1_000_000 }, done.at).conversation;
  }
}

const begun = () =>
  newConversation({
    conversationId: 'c',
    numberId: 'n',
    phoneNumber: '628123456789',
    lid: null,
    groupId: null,
    createdAt: 0,
  });

/** What the whole history comes to, looked at from its end. */
function expected(all: readonly Done[]) {
  const endsWait = (one: Done) =>
    one.kind === 'response' || (one.kind === 'status' && one.status === 'resolved');
  const since = all.slice(all.findLastIndex(endsWait) + 1);
  const unanswered = since.filter(({ kind }) => kind === 'inbound');
  let status = 'open';
  for (const one of all) {
    if (one.kind === 'status') status = one.status;
    if (one.kind === 'snooze') status = 'snoozed';
    if (one.kind === 'inbound' && status !== 'pending') status = 'open';
  }
  return {
    status,
    unreadCount: unanswered.length,
    waitingSince: unanswered[0]?.at ?? null,
    lastInboundAt: all.findLast(({ kind }) => kind === 'inbound')?.at ?? null,
  };
}

test('status, unread messages and the wait are what the whole history comes to', () => {
  fc.assert(
    fc.property(history, (all) => {
      const { status, unreadCount, waitingSince, lastInboundAt, resolvedAt, snoozedUntil } = all.reduce(
        step,
        begun(),
      );
      expect({ status, unreadCount, waitingSince, lastInboundAt }).toEqual(expected(all));
      expect(resolvedAt !== null).toBe(status === 'resolved');
      expect(snoozedUntil !== null).toBe(status === 'snoozed');
    }),
    { numRuns: 500 },
  );
});

test('it does not matter in which order an answer and what was written before and after it are told', () => {
  const perms = fc.shuffledSubarray([0, 1, 2], { minLength: 3, maxLength: 3 });
  const told: Done[] = [
    { kind: 'inbound', at: 10_000 },
    { kind: 'response', at: 20_000 },
    { kind: 'inbound', at: 30_000 },
  ];
  fc.assert(
    fc.property(perms, (order) => {
      const end = order.map((index) => told[index] as Done).reduce(step, begun());
      expect(end.waitingSince).toBe(30_000);
      expect(end.unreadCount).toBeGreaterThan(0);
    }),
  );
});

test('it is answered first by the first answer, and anew once it was resolved and is open again', () => {
  const answered = afterResponse(afterResponse(begun(), 5_000).conversation, 9_000).conversation;
  expect(answered.firstResponseAt).toBe(5_000);
  const resolved = afterChanges(answered, { status: 'resolved' }, 20_000).conversation;
  for (const { conversation } of [
    afterInbound(resolved, 30_000),
    afterChanges(resolved, { status: 'open' }, 30_000),
  ])
    expect(conversation).toMatchObject({ openedAt: 30_000, firstResponseAt: null, resolvedAt: null });
});

test('once it is resolved no assistant has it, unless whoever resolves it says so', () => {
  const active = { ...begun(), botState: 'active' as const };
  expect(afterChanges(active, { status: 'resolved' }, 1).conversation.botState).toBe('off');
  expect(afterChanges(active, { status: 'resolved', botState: 'paused' }, 1).conversation.botState).toBe(
    'paused',
  );
  expect(afterResponse(active, 1).conversation.botState).toBe('paused');
});

test('a label that a change adds and takes away is not there', () => {
  const before = { ...begun(), labels: ['old', 'gone'] };
  const changes = { addLabels: ['new', 'both', 'old'], removeLabels: ['gone', 'both'] };
  const { conversation } = afterChanges(before, changes, 1);
  expect(conversation.labels).toEqual(['old', 'new']);
  // It was open before: the silence in it goes on.
  expect(conversation.wokenAt).toBeNull();
});

test('a team gives out what begins, is open again, comes to it or is left to it by an assistant; not what is given back', () => {
  const left: Conversation = { ...begun(), teamId: 'team' };
  const wants = (before: Partial<Conversation>) => wantsSomebody({ ...left, ...before }, left, []);
  expect(wantsSomebody(null, left, [])).toBe(true);
  expect(wantsSomebody(left, left, ['waiting_began'])).toBe(true);
  expect(wants({ status: 'resolved' })).toBe(true);
  expect(wants({ teamId: 'another' })).toBe(true);
  expect(wants({ botState: 'active' })).toBe(true);
  expect(wants({})).toBe(false);
  expect(wants({ assigneeId: 'ada' })).toBe(false);
  const others: Partial<Conversation>[] = [
    { status: 'pending' },
    { assigneeId: 'ada' },
    { teamId: null },
    { botState: 'active' },
  ];
  for (const other of others)
    expect(wantsSomebody(null, { ...left, ...other }, ['waiting_began'])).toBe(false);
});

test('whoever resolves, puts off or passes on what they had open has one less', () => {
  const had: Conversation = { ...begun(), assigneeId: 'ada' };
  for (const after of [
    { status: 'resolved' },
    { status: 'snoozed' },
    { assigneeId: 'bob' },
    { assigneeId: null },
  ])
    expect(isFreed(had, { ...had, ...after } as Conversation)).toBe(true);
  expect(isFreed(had, had)).toBe(false);
  expect(isFreed({ ...had, status: 'resolved' }, { ...had, status: 'resolved', assigneeId: null })).toBe(
    false,
  );
  expect(isFreed(null, had)).toBe(false);
});

test('what was written within two seconds before an answer counts as written behind it, and what is older does not', () => {
  const answered = afterResponse(begun(), 10_000).conversation;
  const waitingSince = (at: number) => afterInbound(answered, at).conversation.waitingSince;
  expect([8_000, 8_001, 9_999].map(waitingSince)).toEqual([null, 8_001, 9_999]);
});
