import { expect, test } from 'vitest';
import { connected, NumberLife, now, reaction, text } from './number-life.ts';

const waitMs = 600_000;
const away = { ...connected, state: 'disconnected' as const };
const other = { to: '628111222333' };

test('what a number that is away cannot send goes back after as long as the account says, also in the next life, and what may have left stays', () => {
  const number = new NumberLife();
  number.returns.configure(waitMs);
  number.give([text('with the bridge')]);
  number.device = away;
  number.give([text('waits')]);
  expect(number.returned()).toEqual([]);
  expect(number.returns.dueAt(away, now)).toBe(now + waitMs);
  number.begin();
  expect(number.returns.dueAt(away, now)).toBe(now + waitMs);
  expect(number.returned(now + waitMs - 1)).toEqual([]);
  expect(number.returned(now + waitMs)).toEqual(['waits: sender_unavailable']);
  expect(number.queue.all).toHaveLength(1);
  expect(number.returns.dueAt(away, now)).toBeNull();
});

test('what waits for a number that is deleted goes back at once', () => {
  const number = new NumberLife();
  number.device = away;
  number.give([text('waits')]);
  number.device = { ...away, removedAt: now };
  expect(number.returned()).toEqual(['waits: deleted']);
});

test('what waits for a number that rests goes back after as long a rest, and not when it begins', () => {
  const number = new NumberLife();
  number.returns.configure(10_000);
  for (let time = 0; time < 5; time += 1) number.health.note({ kind: 'unanswered' }, now);
  number.give([text('waits')]);
  expect(number.returned()).toEqual([]);
  expect(number.returned(now + 9_999)).toEqual([]);
  expect(number.returned(now + 10_000)).toEqual(['waits: sender_unavailable']);
});

test('what a number may not send any more today goes back at once with what follows it, and the rest stays', () => {
  const number = new NumberLife({ dailyLimit: 1 });
  const answer = text('answer to somebody else', { isAnswer: true, ...other });
  number.give([text('of this day')]);
  number.give([text('too many'), reaction(), answer]);
  expect(number.returned()).toEqual(['too many: facts_changed', 'reaction: facts_changed']);
  expect(number.queue.find(answer.messageId)).not.toBeNull();
});

test('what a number may not send any more waits for its session, and goes back then', () => {
  const number = new NumberLife();
  number.returns.configure(waitMs);
  number.health.noteRestriction({ isActive: true, until: null }, now);
  number.device = away;
  number.give([text('begins a chat', { isNewChat: true }), text('does not', other)]);
  expect(number.returned()).toEqual([]);
  number.device = connected;
  expect(number.returned()).toEqual(['begins a chat: facts_changed']);
});

test('of what an account wants back only what certainly never left goes there', () => {
  const number = new NumberLife();
  const [left, waits, wanted] = [text('left'), text('waits', other), text('still wanted', other)];
  number.give([left]);
  number.device = away;
  number.give([waits, wanted]);
  expect(number.returns.cancel([left.messageId, waits.messageId])).toBe(true);
  expect(number.returned()).toEqual(['waits: cancelled']);
  expect(number.returns.cancel([left.messageId, waits.messageId])).toBe(false);
  expect(number.queue.all.map(({ messageId }) => messageId)).toEqual([left.messageId, wanted.messageId]);
});

test('a message goes back as the account gave it, with why it could not be sent', () => {
  const number = new NumberLife();
  const message = text('not sendable', { clientReference: 'order 7' });
  number.give([message]);
  const [queued] = number.queue.all;
  if (!queued) throw new Error('it is in the queue');
  number.returns.giveBack(queued, 'not_sendable', { errorMessage: 'No.', errorCode: 'network_403' });
  expect(number.notes.first(10)).toMatchObject([
    { note: { message, reason: 'not_sendable', errorMessage: 'No.', errorCode: 'network_403' } },
  ]);
  expect(number.notes.first(10)[0]?.note).not.toHaveProperty('message.handedTo');
  // Nothing of it is under way, and nothing waits for it.
  expect([number.dispatch.ackDueAt(), number.queue.all]).toEqual([null, []]);
});
