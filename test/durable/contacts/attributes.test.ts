import { runInDurableObject } from 'cloudflare:test';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ContactImports } from '../../../src/durable/event-log/contacts/imports/contact-imports.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { newLog, received } from '../event-log/event-log-fixture.ts';

test('an account with all attributes that it may have declares one of them anew, and while an import runs it changes none', async () => {
  const log = newLog();
  for (let index = 0; index < 200; index += 1) await log.declareContactAttribute(`a${index}`, 'text');
  const declared = { name: 'a0', type: 'number', declared: true };
  expect(await log.declareContactAttribute('a0', 'number')).toEqual(declared);
  expect(await log.declareContactAttribute('another', 'text')).toMatchObject({ code: 'CONFLICT' });
  const isRunning = vi.spyOn(ContactImports.prototype, 'isRunning').mockReturnValue(true);
  onTestFinished(() => void isRunning.mockRestore());
  expect(await log.declareContactAttribute('a0', 'text')).toMatchObject({ code: 'CONFLICT' });
  expect(await log.removeContactAttribute('a0')).toMatchObject({ code: 'CONFLICT' });
  isRunning.mockRestore();
  expect((await log.contactAttributes())[0]).toEqual(declared);
  expect(await log.removeContactAttribute('a0')).toBe(true);
});

test('by a phone number of theirs all addresses of somebody are known, their alias too', async () => {
  const log = newLog();
  const [phoneNumber, lid] = ['628123456789', '100000000000017'];
  await log.take([received({ from: phoneNumber, senderLid: lid })]);
  expect(await log.addressesOf({ phoneNumber })).toEqual([phoneNumber, `${lid}@lid`]);
});

test('messages to a contact go to the phone number, to the alias where no other is known, and nowhere where there is no contact', async () => {
  const log = newLog();
  const [phoneNumber, lid, alias] = ['628123456789', '100000000000017', '100000000000099'];
  await log.take([
    received({ from: phoneNumber, senderLid: lid }),
    received({ from: alias, senderLid: alias }),
  ]);
  const contacts = await log.contactsAt([phoneNumber, `${alias}@lid`]);
  const [both = '', hidden = ''] = contacts.map((one) => one?.contactId);
  expect(await log.contactAddresses([both, hidden, newUuid()])).toEqual({
    [both]: phoneNumber,
    [hidden]: `${alias}@lid`,
  });
});

test('what the values of an attribute are is told by the first of them, until somebody declares it', async () => {
  const log = newLog();
  await log.createContact(newUuid(), '628123456789', { attributes: { city: 'Jakarta', orders: 3 } });
  const known = [
    { name: 'city', type: 'text', declared: false },
    { name: 'orders', type: 'number', declared: false },
  ];
  expect(await log.contactAttributes()).toEqual(known);
  await log.declareContactAttribute('city', 'text');
  expect(await log.contactAttributes()).toEqual([{ ...known[0], declared: true }, known[1]]);
});

test('the attributes that contacts have are named some contacts at a time, also those without a type any more', async () => {
  const log = newLog();
  const contactId = newUuid();
  await log.createContact(contactId, '628123456789', { attributes: { city: 'Jakarta', orders: 3 } });
  expect(await log.removeContactAttribute('city')).toBe(true);
  expect((await log.contactAttributes()).map(({ name }) => name)).toEqual(['orders']);
  expect(await log.usedContactAttributes(0)).toEqual({ names: ['city', 'orders'], next: null });
  await runInDurableObject(log, (_, { storage }) => {
    const fields = 'contact_id, phone, labels, attributes, first_seen_at';
    storage.sql.exec(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
       INSERT INTO contacts (${fields}) SELECT 'c' || i, '49' || i, '[]', iif(i = 2500, '{"size":1}', '{}'), 1 FROM n`,
    );
  });
  const first = await log.usedContactAttributes(0);
  expect(first).toMatchObject({ names: ['city', 'orders'], next: expect.any(Number) });
  expect(await log.usedContactAttributes(first.next ?? 0)).toEqual({ names: ['size'], next: null });
});

test('a value of another type than its attribute has is refused, of a new contact and of a known one', async () => {
  const log = newLog();
  const contactId = newUuid();
  await log.createContact(contactId, '628123456789', { attributes: { orders: 3 } });
  const refused = { ok: false, code: 'VALIDATION_ERROR', details: [{ path: 'attributes.orders' }] };
  const attributes = { orders: 'many' };
  expect(await log.createContact(newUuid(), '628999000111', { attributes })).toMatchObject(refused);
  expect(await log.changeContact(contactId, { name: 'Budi', attributes })).toMatchObject(refused);
  expect(await log.contact(contactId)).toMatchObject({ ownName: null, attributes: { orders: 3 } });
});

test('an attribute may be called as what every object has: contacts without it have none', async () => {
  const log = newLog();
  const builder = newUuid();
  const attributes = { constructor: 'Acme' };
  expect(await log.createContact(builder, '628123456789', { attributes })).toMatchObject({ attributes });
  await log.createContact(newUuid(), '628999000111', {});
  expect(await log.contactAttributes()).toEqual([{ name: 'constructor', type: 'text', declared: false }]);
  const condition = { name: 'constructor', operator: 'exists' } as const;
  const { contacts } = await log.contacts({ attributes: [condition] }, 10, null);
  expect(contacts.map(({ contactId }) => contactId)).toEqual([builder]);
});
