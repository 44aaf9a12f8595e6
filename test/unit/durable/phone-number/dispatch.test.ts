import { expect, test } from 'vitest';
import { newUuid } from '../../../../src/durable/new-ids.ts';
import { connected, NumberLife, now, reaction, text } from './number-life.ts';

const texts = (count: number) => Array.from({ length: count }, (_, index) => text(`text ${index}`));
const minuteMs = 60_000;

test('a number has as many messages under way as its bridge takes, and another one for each that is answered', () => {
  const number = new NumberLife();
  const messages = texts(40);
  expect(number.give(messages)).toHaveLength(32);
  expect(number.look()).toEqual([]);
  number.sent(...messages.slice(0, 3));
  expect(number.look()).toEqual(['text 32', 'text 33', 'text 34']);
});

test('a number that types before each text has fewer under way, and says for how long it types', () => {
  const number = new NumberLife({ typing: true });
  expect(number.give(texts(10))).toHaveLength(8);
  expect(number.handed[0]).toMatchObject({ typingMs: 180 });
});

test('a paced number lets one message leave, and the next one when its pause is over, also in the next life', () => {
  const number = new NumberLife({ minDelayMs: minuteMs, maxDelayMs: minuteMs });
  expect(number.give(texts(3))).toEqual(['text 0']);
  expect(number.dispatch.dueAt(connected)).toBe(now + minuteMs);
  number.begin();
  expect(number.look(now + minuteMs - 1)).toEqual([]);
  expect(number.look(now + minuteMs)).toEqual(['text 1']);
});

test('what another bridge was given is handed over to this one in the next life, though the clock was set back meanwhile', () => {
  const number = new NumberLife();
  expect(number.give([text('one')])).toEqual(['one']);
  number.link('another bridge', now - 500);
  number.begin();
  expect(number.look()).toEqual(['one']);
});

test('a message whose time is over stays, and those behind it leave', () => {
  const number = new NumberLife();
  expect(number.give([text('over', { expiresAt: now }), text('behind it')])).toEqual(['behind it']);
  expect(number.handed).toMatchObject([{ expiresInMs: 86_400_000 }]);
});

test('the second message to somebody waits for their pause, also in the next life, and those to others pass', () => {
  const number = new NumberLife({ recipientIntervalMs: minuteMs });
  const other = { to: '628111222333' };
  expect(number.give([text('one'), text('two'), text('three'), text('other', other)])).toEqual([
    'one',
    'other',
  ]);
  expect(number.dispatch.dueAt(connected)).toBe(now + minuteMs);
  number.begin();
  expect(number.look(now + minuteMs - 1)).toEqual([]);
  expect(number.look(now + minuteMs)).toEqual(['two']);
});

test('a number that keeps no distance writes to somebody as often as it is told to', () => {
  expect(new NumberLife().give([text('one'), text('two')])).toEqual(['one', 'two']);
});

test('what is done to messages keeps no distance to their recipient, and makes nobody wait', () => {
  const number = new NumberLife({ recipientIntervalMs: minuteMs });
  expect(number.give([reaction(), text('first'), text('second')])).toEqual(['reaction', 'first']);
  const other = { to: '628111222333' };
  expect(number.give([reaction(other)])).toEqual(['reaction']);
  expect(number.give([text('to them', other)])).toEqual(['to them']);
  expect(number.give([reaction(other)])).toEqual(['reaction']);
  // Behind what waits for the same recipient it waits, too.
  expect(number.give([reaction()])).toEqual([]);
});

test('what is done to messages counts for no day, and leaves where the day is used up', () => {
  const number = new NumberLife({ dailyLimit: 1 });
  const other = { to: '628111222333' };
  expect(number.give([reaction(other), text('the only one')])).toEqual(['reaction', 'the only one']);
  expect(number.give([text('too many'), reaction(other)])).toEqual(['reaction']);
});

test('an answer leaves where the day is used up, and counts for it', () => {
  const number = new NumberLife({ dailyLimit: 2 });
  const answer = text('answer', { isAnswer: true, to: '628111222333' });
  expect(number.give([text('one')])).toEqual(['one']);
  expect(number.give([answer])).toEqual(['answer']);
  expect(number.give([text('two')])).toEqual([]);
  expect(number.give([text('another', { isAnswer: true, to: '628111222333' })])).toEqual(['another']);
});

test('an account of an earlier release does not say what is an answer: no day holds what comes from it', () => {
  const number = new NumberLife({ dailyLimit: 1 });
  expect(number.give([text('one')])).toEqual(['one']);
  const { isAnswer: _, ...unsaid } = text('not said');
  expect(number.give([unsaid])).toEqual(['not said']);
});

test('a message that begins a chat waits for the end of a restriction with what follows it, and others leave', () => {
  const number = new NumberLife();
  number.health.noteRestriction({ isActive: true, until: now + minuteMs }, now);
  const begins = text('begins', { isNewChat: true });
  expect(number.give([begins, text('follows'), text('other', { to: '628111222333' })])).toEqual(['other']);
  expect(number.dispatch.dueAt(connected)).toBe(now + minuteMs);
  expect(number.look(now + minuteMs)).toEqual(['begins', 'follows']);
});

test('a number that is tried after a rest sends one message, and the next when that is answered', () => {
  const number = new NumberLife();
  for (let time = 0; time < 5; time += 1) number.health.note({ kind: 'unanswered' }, now);
  const messages = texts(3);
  expect(number.give(messages)).toEqual([]);
  expect(number.dispatch.dueAt(connected)).toBe(now + 30_000);
  expect(number.look(now + 30_000)).toEqual(['text 0']);
  expect(number.look(now + 40_000)).toEqual([]);
  number.sent(...messages.slice(0, 1));
  number.health.note({ kind: 'sent', ackMs: 5 }, now + 40_000);
  expect(number.look(now + 40_000)).toEqual(['text 1', 'text 2']);
});

test('a number without a session or a bridge hands nothing over and looks at no time, and one that is deleted neither', () => {
  const number = new NumberLife({ minDelayMs: minuteMs, maxDelayMs: minuteMs });
  number.device = { ...connected, state: 'disconnected' };
  expect(number.give(texts(2))).toEqual([]);
  expect(number.dispatch.dueAt(number.device)).toBeNull();
  number.device = { ...connected, removedAt: now };
  expect(number.look()).toEqual([]);
  number.device = connected;
  const { ready } = number;
  number.ready = null;
  expect(number.look()).toEqual([]);
  expect(number.dispatch.dueAt(connected)).toBeNull();
  number.ready = ready;
  expect(number.look()).toEqual(['text 0']);
});

test('a number looks at once what waits when its life begins, and at nothing where nothing waits', () => {
  const number = new NumberLife();
  number.device = { ...connected, state: 'disconnected' };
  number.give(texts(1));
  number.begin();
  expect(number.dispatch.dueAt(connected)).toBeLessThanOrEqual(now);
  expect(number.dispatch.dueAt(null)).toBeNull();
  const idle = new NumberLife();
  expect(idle.dispatch.dueAt(connected)).toBeNull();
});

test('the next bridge is handed all that has no outcome, with who may have sent it, and nothing twice', () => {
  const number = new NumberLife();
  const messages = texts(2);
  number.give(messages);
  number.sent(...messages.slice(0, 1));
  number.link('bridge', now + 1);
  expect(number.look(now + 1)).toEqual(['text 1']);
  expect(number.handed.at(-1)).toMatchObject({ handedTo: 'you', handOver: 2 });
  number.link('next', now + 2);
  expect(number.look(now + 2)).toEqual(['text 1']);
  expect(number.handed.at(-1)).toMatchObject({ handedTo: 'another', handOver: 3 });
  expect(number.look(now + 3)).toEqual([]);
});

test('in the next life what this link was handed is under way, also where the link is ahead of the clock, and nothing else', () => {
  const number = new NumberLife();
  number.link('bridge', now + 500);
  number.give(texts(1));
  number.begin();
  expect(number.look()).toEqual([]);
  expect(number.dispatch.ackDueAt()).toBe(now + 500 + minuteMs);
  number.link('bridge', now + 501);
  number.begin();
  expect(number.dispatch.ackDueAt()).toBeNull();
  expect(number.look()).toEqual(['text 0']);
});

test('in the next life, too, what was handed over again leaves all the room for new messages', () => {
  const number = new NumberLife();
  number.give(texts(20));
  number.link('next', now + 1);
  expect(number.look(now + 1)).toHaveLength(20);
  number.begin();
  expect(number.give(texts(40), now + 2)).toHaveLength(32);
});

test('what has waited a minute for the network holds up nobody, and stays with its bridge', () => {
  const number = new NumberLife();
  const picture = text('', {
    content: {
      ...{ type: 'image', media: { mediaId: newUuid(), mimetype: 'image/jpeg', bytes: 5, sha256: 'ab' } },
    },
  });
  number.give([picture, ...texts(31)]);
  number.give(texts(2), now + 1);
  expect(number.dispatch.ackDueAt()).toBe(now + minuteMs);
  expect(number.dispatch.dropOverdue(now + minuteMs - 1)).toEqual({ dropped: 0, unanswered: 0 });
  // A file may take longer: that it has no answer says nothing of the number.
  expect(number.dispatch.dropOverdue(now + minuteMs)).toEqual({ dropped: 32, unanswered: 31 });
  expect(number.dispatch.ackDueAt()).toBeNull();
  expect(number.look(now + minuteMs)).toEqual(['text 0', 'text 1']);
  expect(number.dispatch.ackDueAt()).toBe(now + 2 * minuteMs);
});

test('what was under way when the session was lost holds up nobody, and is not handed over the same link again', () => {
  const number = new NumberLife();
  number.give(texts(32));
  number.device = { ...connected, state: 'disconnected' };
  number.look();
  expect(number.dispatch.ackDueAt()).toBeNull();
  number.device = connected;
  expect(number.give([text('behind')])).toEqual(['behind']);
});

test('of a message is said when it leaves and what keeps it: nothing with the bridge, and no time without a session', () => {
  const number = new NumberLife({ minDelayMs: minuteMs, maxDelayMs: minuteMs });
  const messages = texts(3);
  number.give(messages);
  const outlooks = (device = connected) =>
    number.queue.all.map((message) => number.dispatch.outlook(message, device, now));
  expect(outlooks()).toEqual([
    { heldReason: null, expectedAt: null },
    { heldReason: 'pacing', expectedAt: now + minuteMs },
    { heldReason: 'pacing', expectedAt: now + 2 * minuteMs },
  ]);
  const away = outlooks({ ...connected, state: 'disconnected' });
  expect(away[1]).toEqual({ heldReason: 'not_connected', expectedAt: null });
});

test('what was given to a recipient a moment ago is counted in the forecast of what follows', () => {
  const number = new NumberLife({ recipientIntervalMs: minuteMs });
  number.give([text('one')]);
  const waiting = { isNewChat: false, isAnswer: false, hasBeenHanded: false };
  const { expectedAt } = number.dispatch.expect(waiting, '628999888777', 0, connected, now);
  expect(expectedAt).toBe(now + minuteMs);
  number.configure({});
  expect(number.dispatch.expect(waiting, '628999888777', 0, connected, now).expectedAt).toBe(now);
});

test('before a message of a lane leave those that wait in it and in the lanes before it, and not what is under way', () => {
  const number = new NumberLife({ minDelayMs: minuteMs, maxDelayMs: minuteMs });
  const person = { origin: { kind: 'person', userId: 'somebody' } } as const;
  const campaign = { origin: { kind: 'campaign', campaignId: 'some' } } as const;
  number.give([text('leaves', person), text('waits', person), text('server'), text('campaign', campaign)]);
  const before = (['person', 'server', 'campaign'] as const).map((lane) =>
    number.dispatch.waitingBefore(lane),
  );
  expect(before).toEqual([1, 2, 3]);
});

test('a change that was not stored leaves nothing under way', () => {
  const number = new NumberLife();
  expect(() =>
    number.storage.transactionSync(() => {
      number.queue.add(texts(1));
      number.dispatch.handOver(connected, now);
      throw new Error('no room');
    }),
  ).toThrow('no room');
  for (const part of [number.queue, number.pace, number.dispatch]) part.reload();
  expect(number.dispatch.ackDueAt()).toBeNull();
  expect(number.give(texts(1))).toEqual(['text 0']);
});

test('no more messages leave together than the day has room for, and what leaves again takes none of it', () => {
  const number = new NumberLife({ dailyLimit: 2 });
  const to = ['628111000001', '628111000002', '628111000003'];
  const messages = to.map((recipient) => text(recipient, { to: recipient }));
  expect(number.give(messages)).toEqual(to.slice(0, 2));
  expect(number.pace.at(now).sent).toBe(2);
  number.link('next', now + 1);
  expect(number.look(now + 1)).toEqual(to.slice(0, 2));
  expect(number.pace.at(now).sent).toBe(2);
});

test('what is done to a message is not counted by the day', () => {
  const number = new NumberLife({ dailyLimit: 2 });
  number.give([reaction(), text('one')]);
  expect(number.pace.at(now).sent).toBe(1);
});

test.each(['pairedAt', 'connectedAt'] as const)(
  'the warm-up of a number is as old as its phone: %s',
  (since) => {
    const number = new NumberLife({ warmUp: [1, 3] });
    number.device = { ...connected, connectedAt: now, [since]: now - 86_400_000 };
    const to = ['628111000001', '628111000002', '628111000003', '628111000004'];
    expect(number.give(to.map((recipient) => text(recipient, { to: recipient })))).toHaveLength(3);
  },
);

test('a bridge is told all that it needs of a message, and of its trace where it knows of traces', () => {
  const number = new NumberLife();
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const message = text('traced', { traceparent, expiresAt: now + 1 });
  number.give([message]);
  const { messageId, to, chatType, content } = message;
  const providerMessageId = number.queue.find(messageId)?.providerMessageId;
  const told = { messageId, providerMessageId, to, chatType, content, expiresInMs: 1, typingMs: 0 };
  expect(number.handed).toEqual([{ ...told, handedTo: null, handOver: 1, traceparent }]);
  for (const version of [11, 10]) {
    number.link('next', now + version);
    number.ready = number.ready && { ...number.ready, version };
    number.look(now);
    expect(number.handed.at(-1)?.traceparent).toBe(version === 11 ? traceparent : undefined);
  }
});

test('in the next life the message that was handed over first is the first that waits too long, whatever its turn was', () => {
  const number = new NumberLife();
  number.give([text('of a campaign', { origin: { kind: 'campaign', campaignId: 'some' } })]);
  number.give([text('by a person', { origin: { kind: 'person', userId: 'somebody' } })], now + 1_000);
  number.begin();
  expect(number.dispatch.ackDueAt()).toBe(now + minuteMs);
  expect(number.dispatch.dropOverdue(now + minuteMs)).toEqual({ dropped: 1, unanswered: 1 });
});

test('in the next life, too, what this bridge was handed for the first time counts against its room', () => {
  const number = new NumberLife();
  number.give(texts(20));
  number.begin();
  expect(number.give(texts(40))).toHaveLength(12);
});

test('a message that came back waits as one that never left, also in the next life', () => {
  const number = new NumberLife();
  number.give(texts(1));
  for (const message of number.queue.all) {
    number.queue.noteReturned(message);
    number.dispatch.resolved(message.providerMessageId);
  }
  expect(number.queue.lastHandedAt).toBe(0);
  number.begin();
  expect(number.queue.unhanded).toHaveLength(1);
  expect(number.look(now + 1)).toEqual(['text 0']);
  expect(number.handed.at(-1)).toMatchObject({ handedTo: null, handOver: 2 });
  expect(number.queue.lastHandedAt).toBe(now + 1);
});

test('of what waits behind others is said whether pauses or answers of the network are what it waits for', () => {
  const waiting = { isNewChat: true, isAnswer: false, hasBeenHanded: false };
  const reason = (number: NumberLife, ahead: number) =>
    number.dispatch.expect(waiting, '628999888777', ahead, connected, now).heldReason;
  const paced = new NumberLife({ minDelayMs: minuteMs, maxDelayMs: minuteMs });
  const unpaced = new NumberLife();
  expect([reason(paced, 1), reason(unpaced, 1), reason(unpaced, 0)]).toEqual(['pacing', 'in_flight', null]);
  unpaced.health.noteRestriction({ isActive: true, until: now + minuteMs }, now);
  expect(reason(unpaced, 0)).toBe('restricted');
});

test('a message behind a restriction leaves on the next day where the limit was lowered below what was sent', () => {
  const number = new NumberLife({ dailyLimit: 5 });
  number.pace.noteLeaving(4, now);
  number.configure({ dailyLimit: 2 });
  number.health.noteRestriction({ isActive: true, until: now + minuteMs }, now);
  const waiting = { isNewChat: true, isAnswer: false, hasBeenHanded: false };
  const { expectedAt } = number.dispatch.expect(waiting, '628999888777', 0, connected, now);
  expect(expectedAt).toBe(Date.UTC(2037, 4, 11));
});
