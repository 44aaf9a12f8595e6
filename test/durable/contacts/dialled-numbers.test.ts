import { describe, expect, test } from 'vitest';
import { textOf } from '../../../src/contract/messages/content.ts';
import type { MessageFilter } from '../../../src/durable/event-log/messages/reading/message-list.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import {
  eventsOf,
  type LogStub,
  newLog,
  queued,
  receipt,
  received,
  record,
  sent,
  start,
} from '../event-log/event-log-fixture.ts';

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
  // A campaign for a file in which one of them was is for them.
  const importId = newUuid();
  const about = { consentSource: 'fair', labels: [], fileName: null, defaultCountry: null, mapping: {} };
  const contact = { phoneNumber: dialled, labels: [], attributes: {} };
  await log.importContacts(importId, { ...about, shape: null }, [{ row: 1, contact }], []);
  const [other] = await log.contactsAt([dialled]);
  await log.changeContact(other?.contactId ?? '', { labels: ['vip'] });
  await log.take([queued(message())]);
  expect(await log.contactsAt([to])).toMatchObject([{ phoneNumber: to, labels: ['vip'] }]);
  const joined = await log.conversationOf({ numberId, phoneNumber: to });
  expect(await log.audience({ csv: importId }, null, 9, 'all')).toMatchObject({
    members: [{ phoneNumber: to }],
  });
  expect(joined).toMatchObject({ phoneNumber: to, unreadCount: 2 });
  expect(await log.conversationOf({ numberId, phoneNumber: dialled })).toEqual(joined);
  await log.take([answer({ content: { type: 'text', text: 'again' } })]);
  expect(await log.conversationOf({ numberId, phoneNumber: to })).toMatchObject({ unreadCount: 3 });
});

describe('messages of a person are found by whatever digits mean them', () => {
  const textsOf = async (log: LogStub, filter: MessageFilter) =>
    (await log.messages(filter, 50, null)).messages.map(({ content }) => textOf(content));
  const text = (text: string) => ({ content: { type: 'text' as const, text } });
  const at = (minute: number) => new Date(start + minute * 60_000).toISOString();

  test.each([
    { country: 'Brazil', given: '5511987654321', network: '551187654321' },
    { country: 'Mexico', given: '525512345678', network: '5215512345678' },
    { country: 'Argentina', given: '541123456789', network: '5491123456789' },
    { country: 'a country of which no list knows', given: '99907123456', network: '999123456' },
  ])('as in $country: dialled, as the network has them, and an alias', async ({ given, network }) => {
    const log = newLog();
    const lid = '100000000000017';
    await log.take([
      // Before anybody asked the network, and what it brought of them under the alias alone.
      queued(record({ numberId, to: given, ...text('before') })),
      received({ from: lid, senderLid: lid, at: at(1), ...text('by alias') }, numberId),
      queued(record({ numberId, to: network, dialled: given, queuedAt: start + 120_000, ...text('asked') })),
      received({ from: network, senderLid: lid, at: at(3), ...text('answer') }, numberId),
      received({ from: '15550000099', at: at(4), ...text('somebody else') }, numberId),
    ]);
    for (const digits of [given, network, lid]) {
      expect(await textsOf(log, { to: digits })).toEqual(['asked', 'before']);
      expect(await textsOf(log, { from: digits })).toEqual(['answer', 'by alias']);
    }
    const conversation = await log.conversationOf({ numberId, phoneNumber: given });
    const page = await log.chatPage(conversation?.conversationId ?? '', {
      limit: 50,
      before: null,
      after: null,
    });
    expect(page?.items).toHaveLength(4);
  });

  test.each(['+55 11 98765-4321', '(11) 98765-4321', '5511 8765-4321'])('as a contact: %s', async (q) => {
    const log = newLog();
    await log.take([queued(message()), answer(), received({ from: '15550000099' })]);
    const { contacts } = await log.contacts({ q }, 10, null);
    expect(contacts.map(({ phoneNumber }) => phoneNumber)).toEqual([to]);
  });

  test('whom the network knows by other digits, and who is no contact', async () => {
    const log = newLog();
    await log.take([queued(message(text('hello')))]);
    for (const digits of [dialled, to]) expect(await textsOf(log, { to: digits })).toEqual(['hello']);
  });
});

test('whoever has another phone number by now goes on in the same conversation, and what they wrote before stays theirs', async () => {
  const log = newLog();
  const [before, later, lid] = ['628123456789', '628999000111', '100000000000017'];
  const wrote = (from: string, senderLid: string, text: string) =>
    received({ from, senderLid, content: { type: 'text', text } }, numberId);
  await log.take([wrote(before, lid, 'first')]);
  const begun = await log.conversationOf({ numberId, phoneNumber: before });
  const by = { kind: 'person' as const, userId: newUuid() };
  const planned = record({ numberId, to: before, sendAt: start + 3_600_000, origin: by });
  await log.take([queued(planned)]);
  await log.take([wrote(later, lid, 'second')]);
  const conversationId = begun?.conversationId ?? '';
  expect(await log.conversationOf({ numberId, phoneNumber: later })).toMatchObject({
    ...{ conversationId, phoneNumber: later, lid, unreadCount: 2 },
  });
  const page = await log.chatPage(conversationId, { limit: 50, before: null, after: null });
  expect(page?.items).toHaveLength(3);
  for (const from of [before, later]) {
    const { messages } = await log.messages({ from }, 50, null);
    expect(messages.map(({ content }) => textOf(content))).toEqual(['second', 'first']);
  }
  const { contacts } = await log.contacts({ q: before }, 10, null);
  expect(contacts).toMatchObject([{ phoneNumber: later }]);
  expect(await log.addressesOf({ contactId: contacts[0]?.contactId ?? '' })).toEqual([
    later,
    before,
    `${lid}@lid`,
  ]);
  // What was accepted before leaves for the number that it was meant for.
  await log.take([sent(planned)]);
  expect(await log.message(planned.messageId)).toMatchObject({ status: 'sent', peer: before });
  expect(await log.conversationOf({ numberId, phoneNumber: before })).toMatchObject({
    ...{ conversationId, phoneNumber: later, lid },
  });
  // The network has given the number to somebody else.
  await log.take([wrote(before, '100000000000018', 'third')]);
  const other = await log.conversationOf({ numberId, phoneNumber: before });
  expect(other?.conversationId).not.toBe(conversationId);
  expect(await log.contactsAt([before, later])).toMatchObject([
    { phoneNumber: before, lid: '100000000000018' },
    { phoneNumber: later, lid },
  ]);
});

test('an address is known by a contact, or by what came from it, and not by what was only sent there', async () => {
  const log = newLog();
  const [listed, wrote, inGroup, sentTo] = ['628111000001', '628111000002', '628111000003', '628111000004'];
  const group = { chatType: 'group', groupId: '120363041234567890@g.us' } as const;
  await log.createContact(newUuid(), listed, {});
  await log.take([
    received({ from: wrote }),
    received({ from: inGroup, ...group }),
    queued(record({ to: sentTo })),
  ]);
  const contact = (await log.contactsAt([wrote]))[0];
  // Also where they are a contact no more.
  await log.removeContact(contact?.contactId ?? '');
  const known = await log.knownAddresses([sentTo, listed, wrote, inGroup]);
  expect(known.toSorted()).toEqual([listed, wrote, inGroup]);
});
