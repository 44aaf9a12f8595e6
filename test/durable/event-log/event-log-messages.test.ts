import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { textOf } from '../../../src/contract/messages/content.ts';
import type { Fact } from '../../../src/durable/event-log/facts.ts';
import { MessageWords } from '../../../src/durable/event-log/messages/message-words.ts';
import type { MessageFilter } from '../../../src/durable/event-log/messages/reading/message-list.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { until } from '../until.ts';
import { rowACommit } from './archive/archive-fixture.ts';
import {
  countOf,
  failed,
  type LogStub,
  moved,
  newLog,
  queued,
  receipt,
  received,
  record,
  sent,
  start,
  takeAll,
} from './event-log-fixture.ts';

const minute = 60_000;
const [sales, support] = [newUuid(), newUuid()];
const [salesPhone, supportPhone] = ['15550000001', '15550000002'];
const [customer, other, group] = ['628123456789', '628555', '120363041234567890@g.us'];

afterEach(() => {
  vi.useRealTimers();
});

/** All pages of a list, as the texts of its messages. */
async function list(log: LogStub, filter: MessageFilter, limit = 50): Promise<string[]> {
  const found: string[] = [];
  let before: number | null = null;
  do {
    const page: Awaited<ReturnType<LogStub['messages']>> = await log.messages(filter, limit, before);
    found.push(...page.messages.map(({ content }) => textOf(content)));
    before = page.nextBefore;
  } while (before !== null);
  return found;
}

const text = (text: string) => ({ type: 'text' as const, text });

let log: LogStub;
/** Seven messages, a minute apart; each is called by its place. */
beforeAll(async () => {
  log = newLog();
  const out = (place: number, more: Parameters<typeof record>[0]) =>
    record({
      content: text(`${place}`),
      queuedAt: start + place * minute,
      numberId: sales,
      from: salesPhone,
      to: customer,
      ...more,
    });
  const came = (place: number, more: Parameters<typeof received>[0], numberId: string, to: string) =>
    received(
      {
        content: { type: 'text', text: `${place}` },
        at: new Date(start + place * minute).toISOString(),
        ...more,
      },
      numberId,
      to,
    );
  const [read, refused, moves] = [out(0, {}), out(1, {}), out(4, { to: other })];
  await log.take([
    sent(read),
    receipt(read, 'read'),
    failed(refused),
    came(2, { from: customer }, sales, salesPhone),
    queued(out(3, { chatType: 'group', to: group })),
    queued(moves),
    moved({ ...moves, numberId: support, from: supportPhone }),
    // From one of the account's numbers to the other: as it was sent, and as it came in.
    queued(out(5, { to: supportPhone })),
    came(6, { from: salesPhone }, support, supportPhone),
  ]);
});

test.each<[MessageFilter, string[]]>([
  [{}, ['6', '5', '4', '3', '2', '1', '0']],
  [{ status: 'queued' }, ['5', '4', '3']],
  [{ status: 'failed' }, ['1']],
  [{ status: 'received' }, ['6', '2']],
  [{ status: 'delivered' }, []],
  [{ direction: 'inbound' }, ['6', '2']],
  [{ direction: 'outbound', status: 'read' }, ['0']],
  [{ direction: 'inbound', status: 'read' }, []],
  [{ numberId: sales }, ['5', '3', '2', '1', '0']],
  [{ numberId: support }, ['6', '4']],
  [{ numberId: newUuid() }, []],
  [{ to: customer }, ['1', '0']],
  [{ to: group }, ['3']],
  [{ to: other, numberId: sales }, []],
  [{ to: other, numberId: support }, ['4']],
  [{ from: customer }, ['2']],
  [{ from: customer, to: salesPhone }, ['2']],
  [{ from: customer, to: supportPhone }, []],
  // The account's own phone numbers, on either side.
  [{ to: salesPhone }, ['2']],
  [{ to: supportPhone }, ['6', '5']],
  [{ from: salesPhone }, ['6', '5', '3', '1', '0']],
  [{ from: salesPhone, direction: 'outbound' }, ['5', '3', '1', '0']],
  [{ from: supportPhone }, ['4']],
  [{ from: salesPhone, to: supportPhone }, ['6', '5']],
  [{ from: '628000' }, []],
  [{ type: 'text', direction: 'inbound' }, ['6', '2']],
  [{ type: 'image' }, []],
  [{ since: start + 3 * minute }, ['6', '5', '4', '3']],
  [{ until: start + 2 * minute }, ['1', '0']],
  [{ since: start + minute, until: start + 3 * minute, numberId: sales }, ['2', '1']],
])('the list answers %j', async (filter, expected) => {
  expect(await list(log, filter)).toEqual(expected);
  expect(await list(log, filter, 1)).toEqual(expected);
  expect(await list(log, filter, 2)).toEqual(expected);
});

test('a list ends with its last message: there is no empty page behind it', async () => {
  const first = await log.messages({ status: 'received' }, 1, null);
  const second = await log.messages({ status: 'received' }, 1, first.nextBefore);
  expect([first.messages.length, second.messages.length, second.nextBefore]).toEqual([1, 1, null]);
});

test('pages join without a gap, also when messages come in between', async () => {
  const log = newLog();
  const place = (at: number) => queued(record({ content: text(`${at}`), queuedAt: start + at }));
  await log.take([0, 1, 2, 3, 4].map(place));
  const first = await log.messages({}, 2, null);
  await log.take([place(5), place(6)]);
  const second = await log.messages({}, 2, first.nextBefore);
  const third = await log.messages({}, 2, second.nextBefore);
  expect(
    [first, second, third].map(({ messages }) => messages.map(({ content }) => textOf(content))),
  ).toEqual([['4', '3'], ['2', '1'], ['0']]);
  expect(third.nextBefore).toBeNull();
});

test('messages of the same millisecond have a place each, however many there are', async () => {
  const log = newLog();
  for (let round = 0; round < 11; round += 1) {
    await log.take(Array.from({ length: 100 }, () => queued(record())));
  }
  const found = await list(log, { since: start }, 200);
  expect(found).toHaveLength(1100);
  expect(await list(log, { until: start })).toEqual([]);
});

test('a page reads two thousand rows and no more: it may be short, and the next one goes on', async () => {
  const log = newLog();
  const many = (count: number, from: number, more: Parameters<typeof record>[0]): Fact[] =>
    Array.from({ length: count }, (_, index) =>
      queued(record({ numberId: sales, queuedAt: start + from + index, ...more })),
    );
  await log.take(many(1, 0, { content: text('the first'), to: other, numberId: support }));
  for (let round = 0; round < 25; round += 1) await log.take(many(100, 100 * (round + 1), {}));
  const short = await log.messages({ status: 'failed' }, 10, null);
  expect(short).toEqual({ messages: [], nextBefore: expect.any(Number) });
  expect(await log.messages({ status: 'failed' }, 10, short.nextBefore)).toEqual({
    messages: [],
    nextBefore: null,
  });
  // Where an index leads to what is looked for, nothing else is read.
  for (const filter of [{ to: other }, { numberId: support }]) {
    const { messages, nextBefore } = await log.messages(filter, 10, null);
    expect([messages.map(({ content }) => textOf(content)), nextBefore]).toEqual([['the first'], null]);
  }
});

test('a word that was just sent is found, whatever stands around it and however it is written', async () => {
  const log = newLog();
  const say = (words: string, more: Parameters<typeof record>[0] = {}) =>
    queued(record({ content: text(words), ...more }));
  await log.take([
    say('Your order 1042 is on its way.'),
    received({ content: { type: 'text', text: 'Café, mañana? "Sure"' } }),
    say('nothing'),
  ]);
  expect(await list(log, { q: '1042' })).toEqual(['Your order 1042 is on its way.']);
  expect(await list(log, { q: 'WAY order' })).toEqual(['Your order 1042 is on its way.']);
  expect(await list(log, { q: 'cafe sure' })).toEqual(['Café, mañana? "Sure"']);
  expect(await list(log, { q: 'café OR "nothing' })).toEqual([]);
  for (const none of ['104', 'order nothing', '!!! "', 'text:order', 'NEAR(', '*']) {
    expect(await list(log, { q: none })).toEqual([]);
  }
  await log.take([say('order again')]);
  expect(await list(log, { q: 'order', direction: 'inbound' })).toEqual([]);
  expect(await list(log, { q: 'order' }, 1)).toEqual(['order again', 'Your order 1042 is on its way.']);
});

test('messages are found by a phone that has moved to another number, those of before too', async () => {
  const log = newLog();
  const by = (numberId: string, content: string, minutes: number) =>
    sent(record({ numberId, from: salesPhone, content: text(content), queuedAt: start + minutes * minute }));
  await log.take([by(sales, 'before', 0), by(support, 'since', 1)]);
  expect(await list(log, { from: salesPhone })).toEqual(['since', 'before']);
  await evictDurableObject(log);
  expect(await list(log, { from: salesPhone })).toEqual(['since', 'before']);
});

test('a message that another number has sent is found by the phone of that one', async () => {
  const log = newLog();
  const message = record({ numberId: sales, from: salesPhone, content: text('here') });
  await log.take([queued(message)]);
  await log.take([moved({ ...message, numberId: support, from: supportPhone })]);
  expect(await list(log, { from: supportPhone })).toEqual(['here']);
  expect(await list(log, { from: salesPhone })).toEqual([]);
});

test('of a member of a group both addresses are known, also where one comes with a later receipt', async () => {
  const log = newLog();
  const message = record({ chatType: 'group', to: group });
  const [phone, alias] = ['628111', '100000000000017'];
  await log.take([
    sent(message),
    receipt(message, 'delivered', { recipient: phone }),
    receipt(message, 'read', { recipient: phone, recipientLid: alias }),
  ]);
  expect(await log.message(message.messageId)).toMatchObject({
    receipts: [{ phoneNumber: phone, lid: alias, readAt: expect.any(Number) }],
  });
});

test('a member of a group who is known by an alias alone has a receipt of their own', async () => {
  const log = newLog();
  const message = record({ chatType: 'group', to: group });
  const lid = '100000000000017';
  await log.take([queued(message), sent(message)]);
  await log.take([receipt(message, 'read', { recipient: null, recipientLid: lid })]);
  const known = await log.message(message.messageId);
  expect(known).toMatchObject({ status: 'read', receipts: [{ phoneNumber: null, lid }] });
});

test('no member of a group has a message before it was sent, whatever the clock of their phone says', async () => {
  const log = newLog();
  const message = record({ chatType: 'group', to: group });
  const early = { recipient: '628111', at: message.queuedAt + 400 };
  await log.take([queued(message), sent(message), receipt(message, 'delivered', early)]);
  const sentAt = message.queuedAt + 1_000;
  expect(await log.message(message.messageId)).toMatchObject({ sentAt, receipts: [{ deliveredAt: sentAt }] });
});

test('a member of a group has one receipt, under whichever address they confirm, and reads nothing before they have it', async () => {
  const log = newLog();
  const message = record({ to: group, chatType: 'group' });
  const [phoneNumber, lid] = ['628999', '100000000000017'];
  const at = start + 10 * minute;
  await log.take([
    queued(message),
    receipt(message, 'delivered', { recipient: phoneNumber, recipientLid: lid, at }),
    receipt(message, 'read', { recipient: phoneNumber, at: at - 1000 }),
  ]);
  expect(await log.message(message.messageId)).toMatchObject({
    receipts: [{ phoneNumber, lid, deliveredAt: at, readAt: at }],
  });
});

test('the timeline of a message has its events also where the clock that dates a step is a little ahead', async () => {
  const log = newLog();
  const at = start + 100 * minute;
  onTestFinished(rowACommit());
  vi.useFakeTimers({ toFake: ['Date'], now: at });
  const message = record({ queuedAt: at + 1_000 });
  await log.take([queued(message)]);
  for (const ms of [1_500, 3_000]) {
    vi.setSystemTime(at + ms);
    await log.take([queued(record({ queuedAt: at + ms }))]);
  }
  const events = (await log.timeline(message.messageId))?.events;
  expect(events?.map(({ event }) => event)).toEqual(['message.queued']);
});

test('the timeline of a message has its events where they share a row with those from before', async () => {
  const log = newLog();
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  await log.take([queued(record({ queuedAt: start }))]);
  const queuedAt = start + 10 * minute;
  vi.setSystemTime(queuedAt);
  const message = record({ queuedAt });
  await log.take([queued(message), sent(message)]);
  const timeline = await log.timeline(message.messageId);
  expect(timeline?.events.map(({ event }) => event)).toEqual(['message.queued', 'message.sent']);
});

test('what is no text is found by what people read of it', async () => {
  const log = newLog();
  const found = async (q: string) =>
    (await log.messages({ q }, 50, null)).messages.map(({ content }) => content.type);
  await log.take([
    queued(
      record({ content: { type: 'poll', poll: { name: 'When?', options: ['Monday'], selectableCount: 1 } } }),
    ),
    received({
      content: {
        type: 'location',
        location: { latitude: 1, longitude: 2, name: 'Office', address: 'Station Road' },
      },
    }),
    received({
      content: { type: 'document', media: { mediaId: newUuid(), fileName: 'prices.pdf', caption: 'here' } },
    }),
  ]);
  expect(await found('monday')).toEqual(['poll']);
  expect([await found('office'), await found('station')]).toEqual([['location'], ['location']]);
  expect([await found('prices'), await found('here')]).toEqual([['document'], ['document']]);
});

test('words are found across months, newest first, and in what comes late', async () => {
  const log = newLog();
  const days = (count: number) => start + count * 24 * 60 * minute;
  const say = (day: number) => queued(record({ content: text(`day ${day}`), queuedAt: days(day) }));
  await log.take([say(0), say(40), say(100)]);
  expect(await list(log, { q: 'day' })).toEqual(['day 100', 'day 40', 'day 0']);
  // The phone was offline meanwhile.
  await log.take([
    received({ content: { type: 'text', text: 'day 70' }, at: new Date(days(70)).toISOString() }),
  ]);
  await evictDurableObject(log);
  expect(await list(log, { q: 'day' }, 1)).toEqual(['day 100', 'day 70', 'day 40', 'day 0']);
  expect(await list(log, { q: 'day', since: days(30), until: days(90) })).toEqual(['day 70', 'day 40']);
  // Also within a month.
  expect(await list(log, { q: 'day', since: days(40) + 1, until: days(70) })).toEqual([]);
});

test('words of a month are found until all of its messages have gone', async () => {
  const log = newLog();
  const at = [start, start + minute, start + 24 * 60 * minute];
  await log.take(at.map((queuedAt) => queued(record({ queuedAt }))));
  await runInDurableObject(log, (_, { storage }) => {
    const words = new MessageWords(storage);
    const found = () => [...words.find('hello', 0, Number.MAX_SAFE_INTEGER)].map((id) => id / 1000);
    expect(found()).toEqual(at.toReversed());
    words.dropBefore((at[1] ?? 0) * 1000);
    expect(found()).toEqual(at.toReversed());
    words.dropBefore((at[2] ?? 0) * 1000);
    expect(found()).toEqual(at.slice(2));
  });
});

test('words are indexed a batch at a time, and less than a batch when somebody searches', async () => {
  const log = newLog();
  const queuedAt = Date.now();
  const say = (words: string) => queued(record({ content: text(words), queuedAt }));
  const indexed = () =>
    runInDurableObject(log, (_, { storage }) =>
      storage.sql
        .exec<{ json: string }>("SELECT json FROM log_state WHERE name = 'terms.indexedUpTo'")
        .toArray(),
    );
  const alarm = () => runInDurableObject(log, (_, { storage }) => storage.getAlarm());
  await log.take([say('first')]);
  const retention = await alarm();
  expect(retention).toBeGreaterThan(queuedAt + 24 * 60 * minute);
  for (let call = 0; call < 5; call += 1) {
    await log.take(Array.from({ length: 100 }, (_, index) => say(`number ${index}`)));
  }
  await until(async () => (await indexed()).length === 1);
  await log.take([say('last')]);
  await evictDurableObject(log);
  const index = `message_terms_${new Date(queuedAt).toISOString().slice(0, 7).replace('-', '')}`;
  const found = (word: string) => countOf(log, `${index} WHERE ${index} MATCH '${word}'`);
  expect([await found('first'), await found('last')]).toEqual([1, 0]);
  expect(await list(log, { q: 'last' })).toEqual(['last']);
  expect(await found('last')).toBe(1);
});

test('words that wait to be indexed are found, however many batches of them there are', async () => {
  const dueAt = vi.spyOn(MessageWords.prototype, 'dueAt').mockReturnValue(null);
  onTestFinished(() => dueAt.mockRestore());
  const log = newLog();
  const say = (words: string) => queued(record({ content: text(words), queuedAt: Date.now() }));
  await takeAll(log, [...Array.from({ length: 600 }, (_, index) => say(`number ${index}`)), say('last')]);
  expect(await list(log, { q: 'last' })).toEqual(['last']);
});
