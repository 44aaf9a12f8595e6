import { runInDurableObject } from 'cloudflare:test';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { SeenContact } from '../../../src/contract/contacts/contact.ts';
import { type ContactFilter, searchSeparator } from '../../../src/contract/contacts/contact-filter.ts';
import type { ImportAbout } from '../../../src/durable/event-log/contacts/imports/import-rows.ts';
import type { EventLog } from '../../../src/durable/event-log/event-log.ts';
import type { Fact } from '../../../src/durable/event-log/facts.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { countOf, eventsOf, type LogStub, newLog, received, start } from '../event-log/event-log-fixture.ts';

const phoneNumber = '628123456789';
const lid = '100000000000017';

const numberId = newUuid();

const wrote = (more: Parameters<typeof received>[0] = {}): Fact =>
  received({ from: phoneNumber, ...more }, numberId);
const listed = (...contacts: SeenContact[]): Fact => ({
  kind: 'contacts.listed',
  numberId: newUuid(),
  at: start,
  contacts,
});

const all = async (log: LogStub, filter: ContactFilter = {}) =>
  (await log.contacts(filter, 50, null)).contacts;

const aboutFair: ImportAbout = {
  consentSource: 'fair',
  labels: [],
  fileName: null,
  defaultCountry: null,
  mapping: {},
  shape: null,
};

async function changesOf(log: LogStub) {
  const events = await eventsOf(log);
  return events.flatMap(({ envelope }) => (envelope.event === 'contact.updated' ? envelope.data : []));
}

/** Rows that the facts have written. */
function rowsWrittenBy(log: LogStub, facts: Fact[]): Promise<number> {
  return runInDurableObject<EventLog, number>(log, (object, { storage }) => {
    const contacts = () => storage.sql.exec<{ n: number }>('SELECT total_changes() AS n').one().n;
    const before = contacts();
    object.take(facts);
    return contacts() - before;
  });
}

describe('the contacts of an account', () => {
  test('are those who write to its numbers, with the name they call themselves', async () => {
    const log = newLog();
    await log.take([wrote({ pushName: 'Budi' })]);
    expect(await all(log)).toMatchObject([
      { phoneNumber, lid: null, pushName: 'Budi', bookName: null, labels: [], firstSeenAt: start },
    ]);
    expect(await changesOf(log)).toEqual([]);
  });

  test('do not have who owns the phone, whatever that person writes on it', async () => {
    const log = newLog();
    await log.take([wrote({ from: '15550000001', sentTo: phoneNumber, pushName: 'Ada' }), wrote()]);
    expect(await all(log)).toMatchObject([{ phoneNumber }]);
  });

  test('are told when they call themselves otherwise, and not when nothing has changed', async () => {
    const log = newLog();
    await log.take([wrote({ pushName: 'Budi' }), wrote({ pushName: 'Budi' }), wrote({ pushName: '' })]);
    expect(await changesOf(log)).toEqual([]);
    await log.take([wrote({ pushName: 'Budi S.' })]);
    const [contact] = await all(log);
    expect(await changesOf(log)).toEqual([
      { contactId: contact?.contactId, phoneNumber, pushName: 'Budi S.' },
    ]);
    await log.take([listed({ phoneNumber, pushName: '' })]);
    expect(await all(log)).toEqual([contact]);
  });

  test('cost a message of somebody who is known no row of their own', async () => {
    const log = newLog();
    await log.take([wrote({ pushName: 'Budi', senderLid: lid })]);
    const known = await rowsWrittenBy(log, [wrote({ pushName: 'Budi', senderLid: lid })]);
    const inGroup = await rowsWrittenBy(log, [
      wrote({ pushName: 'Ani', from: '628999', chatType: 'group', groupId: '120363041234567890@g.us' }),
    ]);
    expect(known).toBe(inGroup);
    expect(await all(log)).toHaveLength(1);
  });

  test('are one by phone number and alias, also where both were there before', async () => {
    const log = newLog();
    await log.take([
      wrote({ from: lid, senderLid: lid, pushName: 'Budi' }),
      listed({ phoneNumber, name: 'Budi Santoso' }),
    ]);
    const before = await all(log);
    expect(before).toHaveLength(2);
    const byLid = before.find((contact) => contact.lid === lid);
    await log.changeContact(byLid?.contactId ?? '', { labels: ['wholesale'] });
    await log.take([wrote({ senderLid: lid, pushName: 'Budi' })]);
    expect(await all(log)).toMatchObject([
      { phoneNumber, lid, bookName: 'Budi Santoso', pushName: 'Budi', labels: ['wholesale'] },
    ]);
    expect(await changesOf(log)).toMatchObject([
      { phoneNumber, lid, name: 'Budi Santoso', pushName: 'Budi' },
    ]);
    expect(await all(log, { labels: ['wholesale'] })).toHaveLength(1);
  });

  test('who turn out to be one by an address book have written to all the numbers that both had', async () => {
    const log = newLog();
    const other = newUuid();
    await log.take([wrote(), received({ from: lid, senderLid: lid }, other), listed({ phoneNumber, lid })]);
    const contactIds = (await all(log)).map(({ contactId }) => contactId);
    const [member, ...more] = await log
      .audience({ contactIds }, null, 9)
      .then((page) => ('members' in page ? page.members : []));
    expect(more).toEqual([]);
    expect(member?.wroteTo.toSorted()).toEqual([numberId, other].toSorted());
  });

  test('come from an address book with any name that it has for them, and not without one', async () => {
    const log = newLog();
    await log.take([listed({ phoneNumber, pushName: 'Budi' }, { phoneNumber: '628999000111', lid })]);
    expect(await all(log)).toMatchObject([{ phoneNumber, bookName: null, pushName: 'Budi' }]);
  });

  test('come from an address book without an event each, and follow its changes', async () => {
    const log = newLog();
    const book = Array.from({ length: 100 }, (_, index) => ({
      phoneNumber: `62811${String(index).padStart(6, '0')}`,
      name: `Person ${index}`,
    }));
    await log.take([listed(...book), listed(...book)]);
    expect((await log.contacts({}, 200, null)).contacts).toHaveLength(100);
    expect(await changesOf(log)).toEqual([]);
    await log.take([listed({ ...book[7], name: 'Person seven' })]);
    expect(await changesOf(log)).toMatchObject([{ phoneNumber: book[7]?.phoneNumber, name: 'Person seven' }]);
  });

  test('are found by the beginnings of their names and numbers, by label, and page by page', async () => {
    const log = newLog();
    await log.take([
      listed(
        { phoneNumber: '628111000001', name: 'José Álvarez' },
        { phoneNumber: '628111000002', name: 'Joseph "Joe" Miller' },
        { phoneNumber: '4915112345678', name: 'Anna' },
      ),
    ]);
    const names = async (filter: ContactFilter) =>
      (await all(log, filter)).map((contact) => contact.bookName).sort();
    expect(await names({ q: 'jos' })).toEqual(['Joseph "Joe" Miller', 'José Álvarez']);
    expect(await names({ q: 'ALV jose' })).toEqual(['José Álvarez']);
    expect(await names({ q: '49151' })).toEqual(['Anna']);
    expect(await names({ q: '"' })).toEqual([]);
    // What a segment searches for, and a phone number as it is dialled in its country.
    const within = (...searched: string[]) => names({ q: searched.join(searchSeparator) });
    expect(await within('jos', '0811 1000')).toEqual(['Joseph "Joe" Miller', 'José Álvarez']);
    expect(await within('0811 1000', 'anna')).toEqual([]);
    expect(await within('"', 'anna')).toEqual(['Anna']);
    const first = await log.contacts({}, 2, null);
    expect(first.contacts).toHaveLength(2);
    const second = await log.contacts({}, 2, first.next);
    expect(second.contacts).toHaveLength(1);
    expect(second.next).toBeNull();
    // Behind somebody who is gone by now the next one comes all the same.
    const page = await log.contacts({ q: 'jos' }, 1, null);
    await log.removeContact(page.contacts[0]?.contactId ?? '');
    const behind = await log.contacts({ q: 'jos' }, 1, page.next);
    expect(behind.contacts).toHaveLength(1);
  });

  test('keep the name that the account gives them, until it takes it back', async () => {
    const log = newLog();
    await log.take([listed({ phoneNumber, name: 'Budi Santoso' })]);
    const [contact] = await all(log);
    const contactId = contact?.contactId ?? '';
    await log.changeContact(contactId, { name: 'Mr Santoso', attributes: { city: 'Jakarta' } });
    await log.take([listed({ phoneNumber, name: 'Budi S.' })]);
    expect(await log.contact(contactId)).toMatchObject({ ownName: 'Mr Santoso', bookName: 'Budi S.' });
    expect((await changesOf(log)).map(({ name }) => name)).toEqual(['Mr Santoso', 'Mr Santoso']);
    expect(await all(log, { q: 'santoso' })).toHaveLength(1);
    await log.changeContact(contactId, { name: null });
    expect((await changesOf(log)).at(-1)).toMatchObject({ name: 'Budi S.' });
    // Nobody in the address book calls them anything any more.
    await log.take([listed({ phoneNumber, name: '' })]);
    expect(await log.contact(contactId)).toMatchObject({ ownName: null, bookName: null });
  });

  test('are of the country of the phone number that they have now', async () => {
    const log = newLog();
    await log.take([wrote({ senderLid: lid })]);
    expect(await all(log, { countries: ['ID'] })).toMatchObject([{ phoneNumber, country: 'ID' }]);
    // The alias comes with another number by now.
    const german = '4915112345678';
    await log.take([wrote({ from: german, senderLid: lid })]);
    expect(await all(log, { countries: ['DE'] })).toMatchObject([
      { phoneNumber: german, lid, country: 'DE' },
    ]);
    expect(await all(log, { countries: ['ID'] })).toEqual([]);
  });

  test('have agreed to be written to until somebody says that nothing is known of it', async () => {
    const log = newLog();
    await log.take([listed({ phoneNumber, name: 'Budi Santoso' })]);
    const contactId = (await all(log))[0]?.contactId ?? '';
    await log.changeContact(contactId, { consentSource: 'fair' });
    expect(await log.contact(contactId)).toMatchObject({ consent: { source: 'fair' } });
    const told = Date.now() + 60_000;
    vi.useFakeTimers({ toFake: ['Date'], now: told });
    onTestFinished(() => void vi.useRealTimers());
    await log.changeContact(contactId, { consentSource: 'form' });
    expect(await log.contact(contactId)).toMatchObject({ consent: { source: 'form', at: told } });
    await log.changeContact(contactId, { consentSource: null });
    expect(await log.contact(contactId)).toMatchObject({ consent: null });
  });

  test('are added once, also where the request is repeated; whoever has their number is another one', async () => {
    const log = newLog();
    const contactId = newUuid();
    const added = await log.createContact(contactId, phoneNumber, { name: 'Ana' });
    expect(added).toMatchObject({ contactId, phoneNumber });
    expect(await log.createContact(contactId, phoneNumber, { name: 'Ana' })).toEqual(added);
    expect(await log.createContact(newUuid(), phoneNumber, { name: 'Ana' })).toMatchObject({
      ...{ code: 'CONFLICT', details: [{ path: 'phoneNumber' }] },
    });
    expect(await all(log)).toHaveLength(1);
  });

  test('have two hundred attributes together, and not one more', async () => {
    const log = newLog();
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`a${index}`, index]));
    const create = (phone: string, attributes: Record<string, number>) =>
      log.createContact(newUuid(), phone, { attributes });
    expect(await create(phoneNumber, many)).toMatchObject({ phoneNumber });
    expect(await create('628999000111', { a0: 1, one_more: 1 })).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await create('628999000111', { a0: 1 })).toMatchObject({ phoneNumber: '628999000111' });
  });

  test('that are deleted are gone with their words and labels, and come back when they write', async () => {
    const log = newLog();
    await log.take([wrote({ pushName: 'Budi' })]);
    const [contact] = await all(log);
    await log.changeContact(contact?.contactId ?? '', { labels: ['wholesale'] });
    expect(await log.contactLabels()).toEqual(['wholesale']);
    expect(await log.removeContact(contact?.contactId ?? '')).toBe(true);
    expect(await log.removeContact(contact?.contactId ?? '')).toBe(false);
    expect(await log.contactLabels()).toEqual([]);
    expect([
      ...(await all(log)),
      ...(await all(log, { q: 'budi' })),
      ...(await all(log, { labels: ['wholesale'] })),
    ]).toEqual([]);
    await log.take([wrote({ pushName: 'Budi' })]);
    expect(await all(log)).toMatchObject([{ phoneNumber, labels: [] }]);
  });
});

const dayMs = 24 * 3_600_000;

test('whoever has not written for so many days is asked for, also who never has, and is not who has written since', async () => {
  const log = newLog();
  const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString();
  await log.take([
    listed({ phoneNumber: '628000000001', name: 'Never' }),
    wrote({ from: '628000000002', at: daysAgo(10) }),
    wrote({ from: '628000000003', at: daysAgo(2) }),
    // What is written in a group is not written to the number.
    wrote({ from: '628000000002', at: daysAgo(1), chatType: 'group', groupId: '120363041234567890@g.us' }),
  ]);
  const phones = async (filter: ContactFilter) =>
    (await all(log, filter)).map((contact) => contact.phoneNumber?.slice(-1)).toSorted();
  expect(await phones({ notSeenForDays: 7 })).toEqual(['1', '2']);
  expect(await phones({ seenWithinDays: 7 })).toEqual(['3']);
  expect(await phones({ hasWritten: false })).toEqual(['1']);
  // What is told late is not what they wrote last.
  await log.take([wrote({ from: '628000000003', at: daysAgo(20) })]);
  expect(await phones({ seenWithinDays: 7 })).toEqual(['3']);
});

test('contacts that are named, or were imported, are an audience page by page, each once and in one order', async () => {
  const log = newLog();
  await log.take([
    listed(...['1', '2', '3'].map((last) => ({ phoneNumber: `62800000000${last}`, name: `Person ${last}` }))),
  ]);
  const contactIds = (await all(log)).map(({ contactId }) => contactId);
  const csv = newUuid();
  await log.importContacts(
    csv,
    aboutFair,
    (await all(log)).map(({ phoneNumber: phone }, index) => ({
      row: index,
      contact: { phoneNumber: phone ?? '', labels: [], attributes: {} },
    })),
    [],
  );
  for (const source of [{ contactIds: [...contactIds, contactIds[0] ?? ''] }, { csv }]) {
    const found: string[] = [];
    let after: string | null = null;
    do {
      const page = await log.audience(source, after, 2, 'all');
      if (!page.ok) throw new Error('they are no audience');
      found.push(...page.members.map(({ contactId }) => contactId));
      after = page.nextAfter;
    } while (after !== null);
    expect(found).toEqual(contactIds.toSorted());
  }
});

test('of whoever has these addresses those are found whom the filter means', async () => {
  const log = newLog();
  const phones = ['628111000001', '628111000002'];
  await log.take([
    listed({ phoneNumber: phones[0], name: 'Ana Lima' }, { phoneNumber: phones[1], name: 'Budi Lima' }),
  ]);
  const found = async (filter: ContactFilter) =>
    (await log.contactsAt([...phones, '628999'], filter)).map((one) => one?.bookName ?? null);
  expect(await found({})).toEqual(['Ana Lima', 'Budi Lima', null]);
  expect(await found({ q: 'lima' })).toEqual(['Ana Lima', 'Budi Lima', null]);
  expect(await found({ q: 'budi' })).toEqual([null, 'Budi Lima', null]);
  expect(await found({ q: '"' })).toEqual([null, null, null]);
});

test('whoever has all of several labels is found by them, and nobody who has one', async () => {
  const log = newLog();
  const [both, first] = ['628111000001', '628111000002'];
  await log.createContact(newUuid(), both, { name: 'Ana', labels: ['vip', 'wholesale'] });
  await log.createContact(newUuid(), first, { name: 'Ana', labels: ['vip'] });
  for (const filter of [{ labels: ['vip', 'wholesale'] }, { q: 'ana', labels: ['wholesale'] }]) {
    const found = await all(log, filter);
    expect(found.map((one) => one.phoneNumber)).toEqual([both]);
  }
});

describe('two contacts that become one', () => {
  /** Somebody with a phone number, and somebody with an alias. */
  async function two(log: LogStub) {
    await log.take([listed({ phoneNumber, name: 'Ana' }), received({ from: lid, senderLid: lid }, numberId)]);
    const known = await all(log);
    const idOf = (phone: string | null) => known.find((it) => it.phoneNumber === phone)?.contactId ?? '';
    return { phone: idOf(phoneNumber), alias: idOf(null) };
  }
  async function merged(log: LogStub) {
    const { phone, alias } = await two(log);
    const done = await log.mergeContacts(phone, alias);
    if (done === null || !('mergeId' in done)) throw new Error('they did not become one');
    return { phone, alias, mergeId: done.mergeId };
  }

  test('are two people where each has a phone number, or an alias, and nobody is two', async () => {
    const log = newLog();
    await log.take([
      listed({ phoneNumber: '628000000001', name: 'A' }, { phoneNumber: '628000000002', name: 'B' }),
      received({ from: '100000000000001', senderLid: '100000000000001' }, numberId),
      received({ from: '100000000000002', senderLid: '100000000000002' }, numberId),
    ]);
    const known = await all(log);
    const [a = '', b = ''] = known.filter((it) => it.phoneNumber !== null).map((it) => it.contactId);
    const [c = '', d = ''] = known.filter((it) => it.phoneNumber === null).map((it) => it.contactId);
    for (const [one, other] of [
      [a, b],
      [c, d],
      [a, a],
    ] as const)
      expect(await log.mergeContacts(one, other)).toMatchObject({ ok: false, code: 'CONFLICT' });
    expect(await all(log)).toHaveLength(4);
  });

  test('are listed with all merges, or with those of one contact, the newest first', async () => {
    const log = newLog();
    const first = await merged(log);
    await log.take([
      listed({ phoneNumber: '628999000111', name: 'Citra' }),
      received({ from: '100000000000099', senderLid: '100000000000099' }, numberId),
    ]);
    const [phone, alias] = await log.contactsAt(['628999000111', '100000000000099@lid']);
    await log.mergeContacts(phone?.contactId ?? '', alias?.contactId ?? '');
    const listedOf = async (contactId: string | null) =>
      (await log.contactMerges(contactId, 9, null)).map((merge) => merge.contactId);
    expect(await listedOf(null)).toEqual([phone?.contactId, first.phone]);
    expect(await listedOf(first.phone)).toEqual([first.phone]);
    expect(await listedOf(first.alias)).toEqual([first.phone]);
  });

  test('are parted again within 30 days, and not later', async () => {
    const log = newLog();
    const { mergeId } = await merged(log);
    const begin = Date.now();
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    vi.setSystemTime(begin + 31 * dayMs);
    expect(await log.contactMerges(null, 9, null)).toEqual([]);
    expect(await log.unmergeContacts(mergeId)).toBeNull();
    expect(await all(log)).toHaveLength(1);
    vi.setSystemTime(begin + 29 * dayMs);
    expect(await log.contactMerges(null, 9, null)).toMatchObject([{ mergeId, canUndo: true }]);
    expect(await log.unmergeContacts(mergeId)).toHaveLength(2);
    expect(await log.unmergeContacts(mergeId)).toBeNull();
    expect(await all(log)).toHaveLength(2);
  });

  test('are not parted once somebody else has the alias of one of them', async () => {
    const log = newLog();
    const { mergeId } = await merged(log);
    await log.take([
      wrote({ senderLid: '100000000000099' }),
      received({ from: lid, senderLid: lid }, numberId),
    ]);
    expect(await log.contactMerges(null, 9, null)).toMatchObject([{ mergeId, canUndo: false }]);
    expect(await log.unmergeContacts(mergeId)).toMatchObject({ ok: false, code: 'CONFLICT' });
    expect(await all(log)).toMatchObject([{ phoneNumber: null, lid }, { phoneNumber }]);
  });

  test('are not parted once somebody else has the phone number of one of them', async () => {
    const log = newLog();
    const { phone, alias } = await two(log);
    const done = await log.mergeContacts(alias, phone);
    const mergeId = done !== null && 'mergeId' in done ? done.mergeId : '';
    // They write from another phone number by now, and somebody else from the one that they had.
    await log.take([wrote({ from: '628999000111', senderLid: lid }), wrote({ pushName: 'Citra' })]);
    expect(await log.contactMerges(null, 9, null)).toMatchObject([{ mergeId, canUndo: false }]);
    expect(await log.unmergeContacts(mergeId)).toMatchObject({ ok: false, code: 'CONFLICT' });
    expect(await all(log)).toMatchObject([
      { phoneNumber, lid: null, pushName: 'Citra' },
      { contactId: alias, phoneNumber: '628999000111', lid },
    ]);
  });

  test('are in no list of merges any more when they are erased, whichever of them became a part of the other', async () => {
    for (const stays of ['phone', 'alias'] as const) {
      const log = newLog();
      const contacts = await two(log);
      await log.mergeContacts(contacts[stays], contacts[stays === 'phone' ? 'alias' : 'phone']);
      // Under another alias by now: they are in it by their phone number.
      await log.take([wrote({ senderLid: '100000000000099' })]);
      await log.eraseContact(contacts[stays], 0);
      expect(await countOf(log, 'contact_merges')).toBe(0);
    }
  });

  test('were imported as one, whichever of them was: a campaign for that file is for them', async () => {
    const log = newLog();
    const importId = newUuid();
    await log.importContacts(
      importId,
      aboutFair,
      [{ row: 1, contact: { phoneNumber, labels: [], attributes: {} } }],
      [],
    );
    const { phone, alias } = await two(log);
    expect(await log.mergeContacts(alias, phone)).toMatchObject({ contact: { contactId: alias } });
    expect(await log.audience({ csv: importId }, null, 9, 'all')).toMatchObject({
      ok: true,
      members: [{ contactId: alias, phoneNumber }],
    });
  });
});

test('a page looks at the attributes of a part of many contacts, and goes on behind its cursor', async () => {
  const log = newLog();
  await runInDurableObject(log, (_, { storage }) =>
    storage.sql.exec(
      `INSERT INTO contacts (contact_id, labels, attributes, first_seen_at)
         SELECT printf('%08d', key), '[]', iif(key = 0, '{"city":"Jakarta"}', '{}'), ? FROM json_each(?)`,
      ...[start, JSON.stringify(Array(4_000).fill(0))],
    ),
  );
  const filter: ContactFilter = { attributes: [{ name: 'city', operator: 'equals', value: 'Jakarta' }] };
  const first = await log.contacts(filter, 50, null);
  expect(first).toEqual({ contacts: [], next: expect.any(String) });
  expect(await log.contacts(filter, 50, first.next)).toMatchObject({
    contacts: [{ contactId: '00000000' }],
    next: null,
  });
});
