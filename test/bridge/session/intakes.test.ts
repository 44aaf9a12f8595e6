import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { InboundMessage, NumberFact } from '../../../src/contract/bridge/bridge-frames.ts';
import { seenContactsMax } from '../../../src/contract/contacts/contact.ts';
import type { FactLog } from '../../../src/session-bridge/journal/facts.ts';
import { makeLog } from '../../../src/session-bridge/logging.ts';
import {
  type NetworkConnection,
  QueryError,
  type RawReceipt,
} from '../../../src/session-bridge/network/connection/connection.ts';
import { Queries } from '../../../src/session-bridge/session/queries.ts';
import { InboundIntake, ReceiptIntake } from '../../../src/session-bridge/session/receipt-intake.ts';

const aliasLookupMs = 5_000;

let appended: NumberFact[];
/** What was held, each as it was completed. */
let completed: NumberFact[];
const facts = {
  append: (fact: NumberFact) => appended.push(fact),
  hold: () => 1,
  complete: (_row: number, fact: NumberFact) => completed.push(fact),
} as unknown as FactLog;

beforeEach(() => {
  vi.useFakeTimers();
  appended = [];
  completed = [];
});

afterEach(() => {
  vi.useRealTimers();
});

const receipt: RawReceipt = {
  providerMessageIds: ['3A1'],
  kind: 'delivered',
  isFromOwnDevice: false,
  at: '2026-01-31T09:30:00.000Z',
  groupId: null,
  recipient: null,
  recipientLid: null,
};
const items = (fact: NumberFact | undefined) => (fact?.type === 'receipts' ? fact.items : []);

test('what only proves that the network has a message is told to nobody as delivered', () => {
  const receipts = new ReceiptIntake({ facts, recipientOf: () => '628111111111', aliasLookupMs });
  receipts.journal({ ...receipt, kind: 'evidence' }, async () => null);
  expect(appended).toEqual([]);
  receipts.journal(receipt, async () => null);
  expect(appended.flatMap(items)).toMatchObject([{ kind: 'delivered', recipient: '628111111111' }]);
});

test('who was written to by alias is named by it, and by no phone number', () => {
  const receipts = new ReceiptIntake({ facts, recipientOf: () => '1234@lid', aliasLookupMs });
  receipts.journal({ ...receipt, recipientLid: '1234' }, async () => null);
  const [told] = appended.flatMap(items);
  expect(told).toMatchObject({ recipientLid: '1234' });
  expect(told).not.toHaveProperty('recipient');
});

test('in a group a receipt names its member, and not the group that the message went to', async () => {
  const groupId = '120363000000000000@g.us';
  const receipts = new ReceiptIntake({ facts, recipientOf: () => groupId, aliasLookupMs });
  receipts.journal({ ...receipt, groupId, recipientLid: '1234' }, async () => '628222222222');
  await vi.advanceTimersByTimeAsync(0);
  expect(appended).toEqual([]);
  expect(completed.flatMap(items)).toMatchObject([
    { isGroup: true, recipient: '628222222222', recipientLid: '1234' },
  ]);
});

test('whose alias a receipt has told needs no look-up when the next one has the alias alone', () => {
  const receipts = new ReceiptIntake({ facts, recipientOf: () => null, aliasLookupMs });
  const unasked = () => Promise.reject(new Error('nobody is to be asked'));
  receipts.journal({ ...receipt, recipient: '628222222222', recipientLid: '1234' }, unasked);
  receipts.journal({ ...receipt, providerMessageIds: ['3A2'], recipientLid: '1234' }, unasked);
  expect(appended.flatMap(items)).toMatchObject([
    { providerMessageId: '3A1', recipient: '628222222222' },
    { providerMessageId: '3A2', recipient: '628222222222' },
  ]);
});

test('a receipt whose author is looked up in vain is told by alias, when the time for that is over', async () => {
  const receipts = new ReceiptIntake({ facts, recipientOf: () => null, aliasLookupMs });
  receipts.journal({ ...receipt, recipientLid: '1234' }, () => new Promise(() => {}));
  await vi.advanceTimersByTimeAsync(aliasLookupMs - 1);
  expect(completed).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  const [told] = completed.flatMap(items);
  expect(told).toMatchObject({ providerMessageId: '3A1', recipientLid: '1234' });
  expect(told).not.toHaveProperty('recipient');
});

test('a message whose author is not known before its session is given up stays on disk as it came', async () => {
  const author = Promise.withResolvers<string>();
  let isOver = false;
  const inbound = new InboundIntake({
    ...{ facts, aliasLookupMs, learn: () => {}, log: makeLog('silent') },
    isOver: () => isOver,
  });
  const message = { from: '1234', content: { type: 'text', text: 'hello' } };
  const take = () => inbound.message(message as InboundMessage, () => author.promise);
  take();
  await vi.advanceTimersByTimeAsync(0);
  isOver = true;
  author.resolve('628222222222');
  await vi.advanceTimersByTimeAsync(aliasLookupMs);
  expect(completed).toEqual([]);
  isOver = false;
  take();
  await vi.advanceTimersByTimeAsync(0);
  expect(completed).toMatchObject([{ type: 'inbound', items: [{ from: '628222222222' }] }]);
});

test('what a message tells of an alias is kept for receipts, unless it names nobody else', () => {
  const learned: string[][] = [];
  const inbound = new InboundIntake({
    ...{ facts, aliasLookupMs, isOver: () => false, log: makeLog('silent') },
    learn: (...pair) => learned.push(pair),
  });
  const message = { senderLid: '1234', content: { type: 'text', text: 'hello' } };
  for (const from of ['1234', '628222222222']) inbound.message({ ...message, from } as InboundMessage, null);
  expect(learned).toEqual([['1234', '628222222222']]);
});

test('an address book is told in parts of so many, each person once', () => {
  const inbound = new InboundIntake({
    facts,
    aliasLookupMs,
    learn: () => {},
    isOver: () => false,
    log: makeLog('silent'),
  });
  const people = Array.from({ length: 2 * seenContactsMax }, (_, index) => ({
    phoneNumber: `62811${index}`,
    lid: null,
    name: `Person ${index}`,
  }));
  inbound.contacts(people as unknown as Parameters<typeof inbound.contacts>[0]);
  const parts = appended.map((fact) => (fact.type === 'contacts.listed' ? fact.contacts : []));
  expect(parts.map(({ length }) => length)).toEqual([seenContactsMax, seenContactsMax]);
  expect(parts.flat()).toEqual(people);
});

test('groups are told in facts that fit into a frame, all of them, and then that these were all', async () => {
  const groups = Array.from({ length: 30 }, (_, index) => ({
    groupId: `${index}@g.us`,
    description: 'x'.repeat(60_000),
  }));
  const answers: unknown[] = [];
  const queries = new Queries({
    connection: () => ({ groups: async () => groups }) as unknown as NetworkConnection,
    facts,
    answer: (frame) => answers.push(frame),
    log: makeLog('silent'),
  });
  await queries.answer({ type: 'query', queryId: 7, deadlineMs: 10_000, query: { verb: 'groups.sync' } });
  expect(answers).toEqual([{ type: 'query.result', queryId: 7, answer: {} }]);
  const parts = appended.slice(0, -1).map((fact) => (fact.type === 'groups.state' ? fact.groups : []));
  expect(parts.map(({ length }) => length)).toEqual([4, 4, 4, 4, 4, 4, 4, 2]);
  expect(parts.flat()).toEqual(groups);
  expect(appended.at(-1)).toMatchObject({
    type: 'groups.synced',
    groupIds: groups.map(({ groupId }) => groupId),
  });
});

test('that a number is in no group any more is told, too', async () => {
  const queries = new Queries({
    connection: () => ({ groups: async () => [] }) as unknown as NetworkConnection,
    facts,
    answer: () => {},
    log: makeLog('silent'),
  });
  await queries.answer({ type: 'query', queryId: 7, deadlineMs: 15_000, query: { verb: 'groups.sync' } });
  expect(appended).toMatchObject([{ type: 'groups.synced', groupIds: [] }]);
});

test('a question that breaks off has no answer, and without a connection none is asked', async () => {
  const answers: unknown[] = [];
  const groups = () => Promise.reject(new Error('Connection Closed'));
  for (const connection of [{ groups } as unknown as NetworkConnection, null]) {
    const answer = (frame: unknown) => answers.push(frame);
    const queries = new Queries({ connection: () => connection, facts, answer, log: makeLog('silent') });
    await queries.answer({ type: 'query', queryId: 7, deadlineMs: 15_000, query: { verb: 'groups.sync' } });
  }
  expect(answers).toMatchObject([
    { type: 'query.failed', failure: { reason: 'no_answer' } },
    { type: 'query.failed', failure: { reason: 'not_connected' } },
  ]);
});

test('a question that the network leaves open is answered at its deadline, and once', async () => {
  const groups = Promise.withResolvers<never[]>();
  const answers: unknown[] = [];
  const queries = new Queries({
    connection: () => ({ groups: () => groups.promise }) as unknown as NetworkConnection,
    facts,
    answer: (frame) => answers.push(frame),
    log: makeLog('silent'),
  });
  const query = { verb: 'groups.sync' } as const;
  const isOver = queries.answer({ type: 'query', queryId: 7, deadlineMs: 15_000, query });
  await vi.advanceTimersByTimeAsync(14_999);
  expect(answers).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  groups.resolve([]);
  await isOver;
  expect(answers).toEqual([
    { type: 'query.failed', queryId: 7, verb: 'groups.sync', failure: { reason: 'no_answer' } },
  ]);
});

test('a receipt is told of each message that it names, as read or as delivered, and whether it is of a group', () => {
  const receipts = new ReceiptIntake({ facts, recipientOf: () => null, aliasLookupMs });
  const unasked = () => Promise.reject(new Error('nobody is to be asked'));
  const groupId = '120363000000000000@g.us';
  const more = { recipient: '628222222222', providerMessageIds: ['3A1', '3A2'] };
  receipts.journal({ ...receipt, ...more, kind: 'read', groupId }, unasked);
  receipts.journal({ ...receipt, ...more }, unasked);
  const { at } = receipt;
  expect(appended.flatMap(items)).toEqual(
    (
      [
        ['read', true],
        ['delivered', false],
      ] as const
    ).flatMap(([kind, isGroup]) =>
      ['3A1', '3A2'].map((providerMessageId) => ({
        ...{ providerMessageId, kind, at, isGroup, recipient: '628222222222' },
      })),
    ),
  );
});

test('who confirms a message in a chat of two is whom it was sent to, and needs no look-up', () => {
  const receipts = new ReceiptIntake({ facts, recipientOf: () => '628222222222', aliasLookupMs });
  receipts.journal({ ...receipt, recipientLid: '1234' }, () => Promise.reject(new Error('unasked')));
  expect([appended.flatMap(items), completed]).toMatchObject([
    [{ recipient: '628222222222', recipientLid: '1234' }],
    [],
  ]);
});

test('a look-up that fails, and one that has told who it is, are worth as much for the next receipt', async () => {
  const receipts = new ReceiptIntake({ facts, recipientOf: () => null, aliasLookupMs });
  receipts.journal({ ...receipt, recipientLid: '1234' }, () => Promise.reject(new Error('no answer')));
  await vi.advanceTimersByTimeAsync(0);
  receipts.journal({ ...receipt, recipientLid: '1234' }, async () => '628222222222');
  await vi.advanceTimersByTimeAsync(0);
  receipts.journal({ ...receipt, recipientLid: '1234' }, () => Promise.reject(new Error('unasked')));
  const recipients = (told: NumberFact[]) => told.flatMap(items).map(({ recipient }) => recipient);
  expect([recipients(completed), recipients(appended)]).toEqual([
    [undefined, '628222222222'],
    ['628222222222'],
  ]);
});

test('a message whose author nobody can name is told as it came, and one whose author is known at once', async () => {
  const inbound = new InboundIntake({
    ...{ facts, aliasLookupMs, learn: () => {}, isOver: () => false, log: makeLog('silent') },
  });
  const message = { from: '1234', content: { type: 'text', text: 'hello' } } as InboundMessage;
  inbound.message({ ...message, from: '628222222222' }, null);
  inbound.message(message, () => Promise.reject(new Error('no answer')));
  inbound.message(message, () => new Promise(() => {}));
  await vi.advanceTimersByTimeAsync(aliasLookupMs - 1);
  const authors = (told: NumberFact[]) =>
    told.flatMap((fact) => (fact.type === 'inbound' ? fact.items.map(({ from }) => from) : []));
  expect([authors(appended), authors(completed)]).toEqual([['628222222222'], ['1234']]);
  await vi.advanceTimersByTimeAsync(1);
  expect(authors(completed)).toEqual(['1234', '1234']);
});

test('the answer of the network goes to who asked, and its refusal with its code', async () => {
  const answers: unknown[] = [];
  const ask = vi.fn(async (_query: object): Promise<object> => ({ contacts: [] }));
  const queries = new Queries({
    connection: () => ({ ask }) as unknown as NetworkConnection,
    facts,
    answer: (frame) => answers.push(frame),
    log: makeLog('silent'),
  });
  const query = { verb: 'contacts.check' as const, phoneNumbers: ['628222222222'] };
  const question = { type: 'query' as const, queryId: 7, deadlineMs: 15_000, query };
  await queries.answer(question);
  const failure = { reason: 'refused', code: '403' } as const;
  ask.mockRejectedValueOnce(new QueryError(failure as unknown as QueryError['failure']));
  await queries.answer({ ...question, queryId: 8 });
  expect(ask.mock.calls).toEqual([[query], [query]]);
  expect(answers).toEqual([
    { type: 'query.result', queryId: 7, answer: { contacts: [] } },
    { type: 'query.failed', queryId: 8, verb: 'contacts.check', failure },
  ]);
});
