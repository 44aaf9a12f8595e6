import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import type { SeenContact } from '../../../src/contract/contact.ts';
import { newConversation } from '../../../src/durable/event-log/conversations/conversation.ts';
import { ConversationRows } from '../../../src/durable/event-log/conversations/conversation-rows.ts';
import type { EventLog } from '../../../src/durable/event-log/event-log.ts';
import type { Fact } from '../../../src/durable/event-log/facts.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { countOf, type LogStub, newLog, start } from '../event-log/event-log-fixture.ts';
import { until } from '../until.ts';

const phoneNumber = '628123456789';
const lid = '100000000000017';

type Address = { phoneNumber: string | null; lid: string | null };

/** A conversation under this address with each of the numbers. */
const talk = (log: LogStub, numberIds: readonly string[], address: Address) =>
  runInDurableObject(log, (_, { storage }) => {
    const rows = new ConversationRows(storage.sql);
    for (const numberId of numberIds) {
      const conversationId = newUuid();
      rows.put(
        newConversation({ conversationId, numberId, ...address, groupId: null, createdAt: start }),
        null,
      );
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

test('somebody with conversations by phone number and by alias with many numbers is joined a part at a time, to the end', async () => {
  const log = newLog();
  const numberIds = numbers(120);
  await talk(log, numberIds, { phoneNumber: null, lid });
  await talk(log, numberIds.slice(0, 90), { phoneNumber, lid: null });
  await log.take([listed({ phoneNumber, lid, name: 'Budi' })]);
  const atOnce = await joined(log);
  expect(atOnce).toBeGreaterThan(0);
  expect(atOnce).toBeLessThan(120);
  await evictDurableObject(log);
  await until(async () => {
    await runDurableObjectAlarm(log);
    return (await joined(log)) === 120;
  });
  expect(await countOf(log, 'conversations')).toBe(120);
  expect(await countOf(log, "conversation_activity WHERE change LIKE '%merged%'")).toBe(90);
  expect(await countOf(log, 'person_joins')).toBe(0);
});

test('contacts that were merged by hand and are two again are joined no further', async () => {
  const log = newLog();
  await talk(log, numbers(120), { phoneNumber: null, lid });
  await log.take([listed({ lid, name: 'An alias' })]);
  const { contacts } = await log.contacts({}, 1, null);
  const contactId = newUuid();
  await log.createContact(contactId, phoneNumber, {});
  const merged = await log.mergeContacts(contactId, contacts[0]?.contactId ?? '');
  if (merged === null || !('mergeId' in merged)) throw new Error('they were not merged');
  const atOnce = await joined(log);
  expect(await log.unmergeContacts(merged.mergeId)).toHaveLength(2);
  await runDurableObjectAlarm(log);
  expect(await joined(log)).toBe(atOnce);
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
