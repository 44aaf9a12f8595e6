import { expect, test } from 'vitest';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { eventsOf, newLog, queued, receipt, received, record, sent } from '../event-log/event-log-fixture.ts';

const dialled = '5511987654321';
const to = '551187654321';
const numberId = newUuid();
const message = (more = {}) => record({ numberId, to, dialled, ...more });
const answer = (more = {}) => received({ from: to, pushName: 'Ana', ...more }, numberId);

test('events of a message have the digits that were given, also with a receipt from the others', async () => {
  const log = newLog();
  const one = message();
  await log.take([queued(one), sent(one), receipt(one, 'delivered', { numberId, recipient: to })]);
  const told = (await eventsOf(log)).map(({ envelope }) => envelope);
  expect(told).toMatchObject([
    { event: 'message.queued', data: { to: dialled } },
    { event: 'message.sent', data: { to: dialled } },
    { event: 'message.delivered', data: { recipient: to } },
  ]);
});

test('whoever was dialled and answers is one contact, by both digits', async () => {
  const log = newLog();
  const { contactId } = (await log.createContact(newUuid(), dialled, { name: 'Ana' })) as {
    contactId: string;
  };
  await log.take([queued(message({ origin: { kind: 'person', userId: newUuid() } }))]);
  await log.take([answer()]);
  const before = await log.conversationOf({ numberId, phoneNumber: dialled });
  expect(before).toMatchObject({ phoneNumber: to, unreadCount: 1 });
  expect(await log.contactAddresses([contactId])).toEqual({ [contactId]: to });
  const again = await log.createContact(newUuid(), dialled, {});
  expect(again).toMatchObject({ ok: false, code: 'CONFLICT' });
  const begun = await log.conversationOf({ numberId, phoneNumber: to });
  expect(begun).toMatchObject({ phoneNumber: to });
});

test('two contacts and two conversations that were there before become one', async () => {
  const log = newLog();
  await log.take([answer(), received({ from: dialled, pushName: 'Ana' }, numberId)]);
  const kept = await log.conversationOf({ numberId, phoneNumber: to });
  expect((await log.conversationOf({ numberId, phoneNumber: dialled }))?.conversationId).not.toBe(
    kept?.conversationId,
  );
  await log.take([queued(message())]);
  const joined = await log.conversationOf({ numberId, phoneNumber: to });
  expect(joined).toMatchObject({ phoneNumber: to, unreadCount: 2 });
  expect(await log.conversationOf({ numberId, phoneNumber: dialled })).toEqual(joined);
  await log.take([answer({ content: { type: 'text', text: 'again' } })]);
  expect(await log.conversationOf({ numberId, phoneNumber: to })).toMatchObject({ unreadCount: 3 });
});
