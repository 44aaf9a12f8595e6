import { runInDurableObject } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { joinedContactsSql } from '../../../src/durable/event-log/contacts/joined-contacts.ts';
import type { EventLog } from '../../../src/durable/event-log/event-log.ts';
import type { Fact } from '../../../src/durable/event-log/facts.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import {
  countOf,
  eventsOf,
  type LogStub,
  newLog,
  queued,
  received,
  record,
  sent,
} from '../event-log/event-log-fixture.ts';

const phoneNumber = '628123456789';
const lid = '100000000000017';
const numberId = newUuid();
const wrote = (more: Parameters<typeof received>[0] = {}): Fact =>
  received({ from: phoneNumber, ...more }, numberId);
const underAlias = wrote({ from: lid, senderLid: lid });

async function idAt(log: LogStub, address: string): Promise<string> {
  const [contact] = await log.contactsAt([address]);
  return contact?.contactId ?? '';
}

/** Somebody who was known by a phone number and by an alias before both were seen together. */
async function joinedByNetwork(log: LogStub) {
  await log.take([wrote(), underAlias]);
  const [phone, alias] = [await idAt(log, phoneNumber), await idAt(log, `${lid}@lid`)];
  expect(phone).not.toBe(alias);
  await log.take([wrote({ senderLid: lid })]);
  return { phone, alias };
}

test('the id of a contact that became a part of another one goes on meaning that person', async () => {
  const log = newLog();
  const { phone, alias } = await joinedByNetwork(log);
  expect(await log.contact(alias)).toMatchObject({ contactId: phone, phoneNumber, lid });
  expect(await log.contactAddresses([alias, phone])).toEqual({ [alias]: phoneNumber, [phone]: phoneNumber });
  expect(await log.addressesOf({ contactId: alias })).toEqual([phoneNumber, `${lid}@lid`]);
  expect(await log.changeContact(alias, { name: 'Budi' })).toMatchObject({
    contactId: phone,
    ownName: 'Budi',
  });
  expect(await log.audience({ contactIds: [alias] }, null, 9, 'all')).toMatchObject({
    members: [{ contactId: phone, name: 'Budi' }],
  });
  expect(await log.mergeContacts(phone, alias)).toMatchObject({ ok: false, code: 'CONFLICT' });
  expect(await log.removeContact(alias)).toBe(true);
  expect([await log.contact(alias), await log.contact(phone)]).toEqual([null, null]);
  expect(await countOf(log, 'joined_contacts')).toBe(0);
});

test('so does the id of one whose digits the network has otherwise', async () => {
  const log = newLog();
  const dialled = '5511987654321';
  const to = '551187654321';
  await log.take([wrote({ from: to }), wrote({ from: dialled })]);
  const [kept, other] = [await idAt(log, to), await idAt(log, dialled)];
  await log.take([queued(record({ numberId, to, dialled }))]);
  expect(await log.contact(other)).toMatchObject({ contactId: kept, phoneNumber: to });
});

test('an id means itself again when a merge is undone, also one that came before it', async () => {
  const log = newLog();
  const dialled = '5511987654321';
  const to = '551187654321';
  await log.take([wrote({ from: to }), wrote({ from: dialled }), underAlias]);
  const [first, phone, alias] = [
    await idAt(log, dialled),
    await idAt(log, to),
    await idAt(log, `${lid}@lid`),
  ];
  await log.take([queued(record({ numberId, to, dialled }))]);
  const merged = await log.mergeContacts(alias, phone);
  if (merged === null || !('mergeId' in merged)) throw new Error('they did not become one');
  for (const id of [first, phone, alias]) {
    expect(await log.contact(id)).toMatchObject({ contactId: alias, phoneNumber: to, lid });
  }
  expect(await log.contactMerges(phone, 9, null)).toMatchObject([{ contactId: alias, canUndo: true }]);
  await log.unmergeContacts(merged.mergeId);
  expect(await log.contact(alias)).toMatchObject({ contactId: alias, phoneNumber: null, lid });
  for (const id of [first, phone]) {
    expect(await log.contact(id)).toMatchObject({ contactId: phone, phoneNumber: to, lid: null });
  }
});

test('a merge is not undone any more when its contact became a part of another one', async () => {
  const log = newLog();
  await log.take([underAlias, wrote()]);
  const [phone, alias] = [await idAt(log, phoneNumber), await idAt(log, `${lid}@lid`)];
  const merged = await log.mergeContacts(phone, alias);
  const mergeId = merged !== null && 'mergeId' in merged ? merged.mergeId : '';
  const network = '628555000111';
  await log.take([wrote({ from: network }), wrote({ from: network, senderLid: lid })]);
  const standing = await idAt(log, network);
  expect(await log.contactMerges(null, 9, null)).toMatchObject([{ contactId: standing, canUndo: false }]);
  expect(await log.unmergeContacts(mergeId)).toMatchObject({ ok: false, code: 'CONFLICT' });
});

test('no id of a person who was erased means anybody', async () => {
  const log = newLog();
  await log.take([underAlias]);
  const alias = await idAt(log, `${lid}@lid`);
  const { phone } = await joinedByNetwork(log);
  const begun = await log.eraseContact(alias, 0);
  expect(begun?.person).toMatchObject({ contactId: phone, formerIds: [alias] });
  expect([await log.contact(alias), await log.contact(phone)]).toEqual([null, null]);
});

test('messages to an alias name the contact that stands', async () => {
  const log = newLog();
  await log.take([wrote(), underAlias]);
  const [phone, alias] = [await idAt(log, phoneNumber), await idAt(log, `${lid}@lid`)];
  const message = record({ numberId, to: `${lid}@lid`, contactId: alias });
  await log.take([queued(message), wrote({ senderLid: lid }), sent(message)]);
  expect(await log.message(message.messageId)).toMatchObject({ contactId: phone });
  const { messages } = await log.messages({ direction: 'outbound' }, 9, null);
  expect(messages).toMatchObject([{ contactId: phone }]);
  expect((await eventsOf(log)).map(({ envelope }) => envelope)).toContainEqual(
    expect.objectContaining({ event: 'message.sent', data: expect.objectContaining({ contactId: phone }) }),
  );
});

test('contacts that were merged before ids were kept so are found by them too', async () => {
  const log = newLog();
  await log.take([wrote(), underAlias]);
  const [phone, alias] = [await idAt(log, phoneNumber), await idAt(log, `${lid}@lid`)];
  await log.mergeContacts(phone, alias);
  await runInDurableObject<EventLog, void>(log, (_, { storage }) => {
    storage.sql.exec('DROP TABLE joined_contacts');
    storage.sql.exec(joinedContactsSql);
  });
  expect(await log.contact(alias)).toMatchObject({ contactId: phone });
});
