import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import type { SeenContact } from '../../../src/contract/contacts/contact.ts';
import {
  type Conversation,
  newConversation,
} from '../../../src/durable/event-log/conversations/conversation.ts';
import { ConversationRows } from '../../../src/durable/event-log/conversations/rows/conversation-rows.ts';
import type { EventLog } from '../../../src/durable/event-log/event-log.ts';
import type { Fact } from '../../../src/durable/event-log/facts.ts';
import { newMessageId, newUuid } from '../../../src/durable/new-ids.ts';
import {
  countOf,
  eventsOf,
  type LogStub,
  newLog,
  received,
  start,
  takeAll,
} from '../event-log/event-log-fixture.ts';
import { until } from '../until.ts';

const phoneNumber = '628123456789';
const lid = '100000000000017';

type Address = { phoneNumber: string | null; lid: string | null };

/** A conversation under this address with each of the numbers. */
const talk = (
  log: LogStub,
  numberIds: readonly string[],
  address: Address,
  more: Partial<Conversation> = {},
) =>
  runInDurableObject(log, (_, { storage }) => {
    const rows = new ConversationRows(storage.sql);
    for (const numberId of numberIds) {
      const conversationId = newUuid();
      const begun = newConversation({
        conversationId,
        numberId,
        ...address,
        groupId: null,
        createdAt: start,
      });
      rows.put({ ...begun, ...more }, null);
    }
  });

const numbers = (count: number) => Array.from({ length: count }, () => newUuid());
const listed = (...contacts: SeenContact[]): Fact => ({
  kind: 'contacts.listed',
  numberId: newUuid(),
  at: start,
  contacts,
});
const joined = (log: LogStub) =>
  countOf(log, `conversations WHERE phone = '${phoneNumber}' AND lid = '${lid}'`);

test('somebody with conversations by phone number and by alias with many numbers is one at once, with each of them', async () => {
  const log = newLog();
  const numberIds = numbers(120);
  await talk(log, numberIds, { phoneNumber: null, lid });
  await talk(log, numberIds.slice(0, 40), { phoneNumber, lid: null });
  const events = async () => (await eventsOf(log)).map(({ envelope }) => envelope.event);
  await log.take([listed({ phoneNumber, lid, name: 'Budi' })]);
  await evictDurableObject(log);
  expect(await joined(log)).toBe(120);
  expect(await countOf(log, 'conversations')).toBe(120);
  expect(await countOf(log, "conversation_activity WHERE change LIKE '%merged%'")).toBe(40);
  const told = await events();
  await log.take([listed({ phoneNumber, lid, name: 'Budi' })]);
  expect(await events()).toEqual(told);
});

test('of two conversations of which none is open the one that they become is what the later one was, and whose', async () => {
  const log = newLog();
  const [numberId = ''] = numbers(1);
  const later = {
    status: 'pending',
    assigneeId: newUuid(),
    teamId: newUuid(),
    lastMessage: (start + 1) * 1000,
    answers: { messageId: newMessageId(), origin: null, at: start },
  } as const;
  await talk(log, [numberId], { phoneNumber: null, lid }, { status: 'resolved', resolvedAt: start });
  await talk(log, [numberId], { phoneNumber, lid: null }, later);
  await log.take([listed({ phoneNumber, lid, name: 'Budi' })]);
  expect(await log.conversationOf({ numberId, lid })).toMatchObject({
    ...later,
    phoneNumber,
    resolvedAt: null,
  });
});

test('whoever talks with more numbers than are joined at once is one with all of them by and by, and at no time lost', async () => {
  const log = newLog();
  const numberIds = numbers(250);
  await talk(log, numberIds, { phoneNumber: null, lid });
  await talk(log, numberIds.slice(10), { phoneNumber, lid: null });
  await log.take([listed({ phoneNumber, lid, name: 'Budi' })]);
  // Where there was one, it has both addresses at once.
  expect(await joined(log)).toBeGreaterThanOrEqual(10 + 50);
  await evictDurableObject(log);
  await until(async () => {
    await runDurableObjectAlarm(log);
    return (await joined(log)) === 250;
  });
  expect(await countOf(log, 'conversations')).toBe(250);
  expect(await countOf(log, "conversation_activity WHERE change LIKE '%merged%'")).toBe(240);
  expect(await countOf(log, 'person_joins')).toBe(0);
});

test('a join that is cut off has changed nothing, and comes whole with the repeat', async () => {
  const log = newLog();
  await talk(log, numbers(3), { phoneNumber: null, lid });
  await log.take([listed({ lid, name: 'An alias' }), listed({ phoneNumber, name: 'Budi' })]);
  const fact = listed({ phoneNumber, lid, name: 'Budi' });
  const cutOff = vi.spyOn(ConversationRows.prototype, 'readdress').mockImplementation(() => {
    throw new Error('killed');
  });
  await runInDurableObject<EventLog, unknown>(log, (object) => object.take([fact]));
  cutOff.mockRestore();
  await evictDurableObject(log);
  expect(await joined(log)).toBe(0);
  expect((await log.contacts({}, 10, null)).contacts).toHaveLength(2);
  await log.take([fact]);
  expect(await joined(log)).toBe(3);
  expect((await log.contacts({}, 10, null)).contacts).toMatchObject([{ phoneNumber, lid }]);
});

test('what the release before had yet to join is joined when the log goes on', async () => {
  const log = newLog();
  await talk(log, numbers(3), { phoneNumber: null, lid });
  await log.take([listed({ phoneNumber: '628999', name: 'Wakes the log' })]);
  await runInDurableObject(log, (_, { storage }) =>
    storage.sql.exec('INSERT INTO person_joins (phone, lid) VALUES (?, ?)', phoneNumber, lid),
  );
  await evictDurableObject(log);
  await log.take([listed({ phoneNumber: '628999', name: 'Wakes it again' })]);
  await until(async () => {
    await runDurableObjectAlarm(log);
    return (await joined(log)) === 3;
  });
  expect(await countOf(log, 'person_joins')).toBe(0);
});

test('contacts that were merged by hand and are two again have their own conversations again', async () => {
  const log = newLog();
  const [both, alias, phone] = numbers(3) as [string, string, string];
  const wrote = (from: string, numberId: string, minute: number) =>
    received(
      { from, ...(from === lid && { senderLid: lid }), at: new Date(start + minute * 60_000).toISOString() },
      numberId,
    );
  await log.take([
    wrote(lid, both, 0),
    wrote(phoneNumber, both, 1),
    wrote(lid, alias, 2),
    wrote(phoneNumber, phone, 3),
  ]);
  const idOf = async (numberId: string, address: { phoneNumber: string } | { lid: string }) =>
    (await log.conversationOf({ numberId, ...address }))?.conversationId;
  const before = await idOf(both, { lid });
  await log.changeConversation(before ?? '', { labels: ['vip'] }, { kind: 'system' });
  const [kept, other] = await log.contactsAt([phoneNumber, `${lid}@lid`]);
  const merged = await log.mergeContacts(kept?.contactId ?? '', other?.contactId ?? '');
  if (merged === null || !('mergeId' in merged)) throw new Error('they were not merged');
  expect(await joined(log)).toBe(3);
  expect(await log.unmergeContacts(merged.mergeId)).toHaveLength(2);
  expect(await joined(log)).toBe(0);
  expect(await countOf(log, 'conversations')).toBe(4);
  expect(await log.conversationOf({ numberId: both, phoneNumber })).toMatchObject({
    conversationId: before,
    lid: null,
    labels: ['vip'],
  });
  expect(await log.conversationOf({ numberId: both, lid })).toMatchObject({
    phoneNumber: null,
    labels: ['vip'],
  });
  expect(await idOf(alias, { lid })).toBeDefined();
  expect(await idOf(alias, { phoneNumber })).toBeUndefined();
  expect(await idOf(phone, { lid })).toBeUndefined();
  await log.take([wrote(lid, both, 4)]);
  expect(await log.conversationOf({ numberId: both, phoneNumber })).toMatchObject({ unreadCount: 2 });
  expect(await log.conversationOf({ numberId: both, lid })).toMatchObject({ unreadCount: 1 });
});

/** Somebody who has written by alias and by phone number to each of so many numbers: the log, and their contacts. */
async function twoContacts(count: number) {
  const log = newLog();
  const wrote = numbers(count).flatMap((numberId) => [
    received({ from: lid, senderLid: lid }, numberId),
    received({ from: phoneNumber }, numberId),
  ]);
  await takeAll(log, wrote);
  const [kept, other] = await log.contactsAt([phoneNumber, `${lid}@lid`]);
  return { log, kept: kept?.contactId ?? '', other: other?.contactId ?? '' };
}

/** The same, and the contacts were merged by hand. */
async function mergedByHand(count: number) {
  const { log, kept, other } = await twoContacts(count);
  const merged = await log.mergeContacts(kept, other);
  if (merged === null || !('mergeId' in merged)) throw new Error('they were not merged');
  await until(async () => {
    await runDurableObjectAlarm(log);
    return (await joined(log)) === count;
  });
  return { log, mergeId: merged.mergeId };
}

test('who talks with many numbers and is two people again is parted slice by slice, and loses nothing where one is cut off', async () => {
  const { log, mergeId } = await mergedByHand(120);
  // Each conversation that is parted is two writes.
  let writesLeft = 0;
  const { put } = ConversationRows.prototype;
  const cutOff = vi.spyOn(ConversationRows.prototype, 'put').mockImplementation(function (
    this: ConversationRows,
    ...parameters
  ) {
    if (writesLeft === 0) throw new Error('killed');
    writesLeft -= 1;
    put.apply(this, parameters);
  });
  /** Ends the object where it has written so much: in the middle of a slice. */
  const killedAfter = async (writes: number, work: () => Promise<unknown> = async () => {}) => {
    writesLeft = writes;
    await work();
    await until(async () => {
      await runDurableObjectAlarm(log);
      return writesLeft === 0;
    });
    await evictDurableObject(log);
    return joined(log);
  };
  expect(await killedAfter(30, () => expect(log.unmergeContacts(mergeId)).rejects.toThrow('killed'))).toBe(
    120,
  );
  expect(await killedAfter(130, () => log.unmergeContacts(mergeId))).toBe(70);
  expect(await killedAfter(130)).toBe(20);
  cutOff.mockRestore();
  await until(async () => {
    await runDurableObjectAlarm(log);
    return (await countOf(log, 'person_partings')) === 0;
  });
  expect(await joined(log)).toBe(0);
  const of = (address: string) => countOf(log, `conversations WHERE ${address} AND last IS NOT NULL`);
  expect(await of(`phone = '${phoneNumber}' AND lid IS NULL`)).toBe(120);
  expect(await of(`lid = '${lid}' AND phone IS NULL`)).toBe(120);
});

test('whoever becomes one with somebody while their conversations are parted is joined when all are', async () => {
  const { log, mergeId } = await mergedByHand(60);
  await log.unmergeContacts(mergeId);
  expect(await joined(log)).toBe(10);
  const other = '100000000000018';
  await log.take([listed({ phoneNumber, lid: other, name: 'Budi' })]);
  const of = (address: string) => countOf(log, `conversations WHERE ${address}`);
  await until(async () => {
    await runDurableObjectAlarm(log);
    return (await of(`phone = '${phoneNumber}' AND lid = '${other}'`)) === 60;
  });
  expect(await of(`phone IS NULL AND lid = '${lid}'`)).toBe(60);
});

test('who is one again while their conversations are parted stays one', async () => {
  const { log, mergeId } = await mergedByHand(60);
  await log.unmergeContacts(mergeId);
  await log.take([listed({ phoneNumber, lid, name: 'Budi' })]);
  await until(async () => {
    await runDurableObjectAlarm(log);
    return (await joined(log)) === 60;
  });
  expect(await countOf(log, 'conversations')).toBe(60);
  expect(await countOf(log, 'person_partings')).toBe(0);
});

test('who is two people again before all their conversations were joined stays two', async () => {
  const { log, kept, other } = await twoContacts(60);
  await runInDurableObject<EventLog, void>(log, (object) => {
    const merged = object.mergeContacts(kept, other);
    object.unmergeContacts(merged !== null && 'mergeId' in merged ? merged.mergeId : '');
  });
  await until(async () => {
    await runDurableObjectAlarm(log);
    return (await countOf(log, 'person_joins')) + (await countOf(log, 'person_partings')) === 0;
  });
  expect(await joined(log)).toBe(0);
  expect(await countOf(log, 'conversations')).toBe(120);
});

/** Statements that the log's storage is asked for. */
async function statements(log: LogStub, work: (object: EventLog) => unknown): Promise<number> {
  return runInDurableObject<EventLog, number>(log, (object, { storage }) => {
    const exec = vi.spyOn(storage.sql, 'exec');
    work(object);
    const { length } = exec.mock.calls;
    exec.mockRestore();
    return length;
  });
}

test('a new contact and a search ask the storage no more where a thousand numbers have conversations', async () => {
  const asked = await Promise.all(
    [1, 1_000].map(async (count) => {
      const log = newLog();
      const numberIds = numbers(count);
      await talk(log, numberIds, { phoneNumber: '628555000001', lid: null });
      await log.take([listed({ phoneNumber: '628555000001', name: 'Old Customer' })]);
      const contact = { phoneNumber, lid, name: 'Budi' };
      const taken = await statements(log, (object) => object.take([listed(contact)]));
      const query = { q: 'customer', sort: 'newest', limit: 50, after: null, hiddenNumberIds: [] } as const;
      const { conversations } = await log.conversationPage(query);
      expect(conversations).toHaveLength(Math.min(count, 50));
      const one = await log.conversationPage({ ...query, hiddenNumberIds: numberIds.slice(1) });
      expect(one.conversations).toMatchObject([{ numberId: numberIds[0] }]);
      const none = { ...query, q: 'customer', numberId: newUuid() };
      const searched = await statements(log, (object) => object.conversationPage(none));
      return { taken, searched };
    }),
  );
  expect(asked[1]).toEqual(asked[0]);
});
