import { runInDurableObject } from 'cloudflare:test';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ImportAbout } from '../../../src/durable/event-log/contacts/imports/import-rows.ts';
import type { EventLog } from '../../../src/durable/event-log/event-log.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { countOf, newLog, received, start } from '../event-log/event-log-fixture.ts';

const about: ImportAbout = {
  consentSource: 'fair',
  labels: ['2026'],
  fileName: null,
  defaultCountry: null,
  mapping: {},
  shape: null,
};
const person = fc.record({
  phoneNumber: fc.integer({ min: 0, max: 15 }).map((index) => `62812345670${String(index).padStart(2, '0')}`),
  labels: fc.uniqueArray(fc.constantFrom('a', 'b'), { maxLength: 2 }),
  attributes: fc
    .dictionary(fc.constantFrom('city', 'shop'), fc.constantFrom('x', 'y'))
    .map((attributes) => ({ ...attributes })),
});

test('whatever is imported and repeated in whatever order, everybody is there once, and the counts add up', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(person, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 4 }),
      fc.array(fc.nat({ max: 3 }), { maxLength: 6 }),
      async (lists, repeats) => {
        const log = newLog();
        const imports = lists.map((list) => ({ importId: newUuid(), list }));
        const run = ({ importId, list }: (typeof imports)[number]) =>
          log.importContacts(
            importId,
            about,
            list.map((contact, index) => ({ row: index + 1, contact: { ...contact } })),
            [],
          );
        const first = [];
        for (const one of imports) first.push(await run(one));
        for (const index of repeats) {
          const one = imports[index % imports.length];
          const known = first[index % imports.length];
          if (one !== undefined) expect(await run(one)).toEqual(known);
        }
        const numbers = new Set(lists.flat().map(({ phoneNumber }) => phoneNumber));
        expect(first.reduce((sum, { created }) => sum + created, 0)).toBe(numbers.size);
        for (const [index, { created, updated, row }] of first.entries()) {
          expect(created + updated).toBe(row);
          expect(row).toBe(lists[index]?.length);
        }
        const { contacts, next } = await log.contacts({}, 200, null);
        expect(next).toBeNull();
        expect(new Set(contacts.map(({ phoneNumber }) => phoneNumber))).toEqual(numbers);
        expect(contacts).toHaveLength(numbers.size);
        const { contacts: labelled } = await log.contacts({ labels: ['2026'] }, 200, null);
        expect(labelled).toHaveLength(numbers.size);
      },
    ),
    { numRuns: 12 },
  );
});

test('twenty thousand contacts are listed, searched and sifted by pages that read a bounded number of rows', async () => {
  const log = newLog();
  const count = 20_000;
  await runInDurableObject<EventLog, void>(log, (object) => {
    for (let from = 0; from < count; from += 500) {
      const contacts = Array.from({ length: 500 }, (_, index) => ({
        row: index + 1,
        contact: {
          phoneNumber: `62812${String(from + index).padStart(7, '0')}`,
          name: `Person ${from + index}${(from + index) % 9_000 === 5 ? ' Rare' : ''}`,
          labels: (from + index) % 100 === 0 ? ['hundredth'] : [],
          attributes: { shop: (from + index) % 7 },
        },
      }));
      object.importContacts(newUuid(), about, contacts, []);
    }
  });
  expect(await countOf(log, 'contacts')).toBe(count);

  /** Rows that one page reads, and what is on it. */
  const page = (filter: Parameters<EventLog['contacts']>[0], limit: number, after: string | null) =>
    runInDurableObject<EventLog, { read: number; found: number; next: string | null }>(
      log,
      (object, { storage }) => {
        let read = 0;
        const { sql } = storage;
        const exec = sql.exec.bind(sql);
        const cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];
        Object.defineProperty(sql, 'exec', {
          configurable: true,
          value: (query: string, ...values: SqlStorageValue[]) => {
            const cursor = exec(query, ...values);
            cursors.push(cursor);
            return cursor;
          },
        });
        const { contacts, next } = object.contacts(filter, limit, after);
        Reflect.deleteProperty(sql, 'exec');
        for (const { rowsRead } of cursors) read += rowsRead;
        return { read, found: contacts.length, next };
      },
    );

  expect(await page({}, 50, null)).toMatchObject({ found: 50 });
  expect((await page({}, 50, null)).read).toBeLessThan(300);
  expect((await page({ q: 'rare' }, 50, null)).found).toBe(3);
  expect((await page({ labels: ['hundredth'] }, 200, null)).found).toBe(200);
  const sparse = { attributes: [{ name: 'shop', operator: 'equals', value: 'none' }] } as const;
  const none = await page({ ...sparse, attributes: [...sparse.attributes] }, 50, null);
  expect(none).toMatchObject({ found: 0, next: expect.any(String) });
  expect(none.read).toBeLessThan(15_000);
  const pages = [none];
  for (let last = none; last.next !== null; pages.push(last)) {
    last = await page({ ...sparse, attributes: [...sparse.attributes] }, 50, last.next);
  }
  expect(pages.map(({ found }) => found)).toEqual(Array.from({ length: 9 }, () => 0));

  const members = [];
  for (let after: string | null = null; ; ) {
    const audience = await log.audience({ all: true }, after, 1000);
    if (!audience.ok) throw new Error(audience.message);
    members.push(...audience.members.map(({ phoneNumber }) => phoneNumber));
    after = audience.nextAfter;
    if (after === null) break;
  }
  expect(members).toHaveLength(count);
  expect(new Set(members).size).toBe(count);
  expect(members).toEqual([...members].sort());
});

test('an audience is read the oldest first: a label, a segment, named ones, and nobody of whom only the alias is known', async () => {
  const log = newLog();
  const numberId = newUuid();
  await log.take([
    received({ from: '628111111111', pushName: 'Ani' }, numberId),
    received({ from: '100000000000018', senderLid: '100000000000018', pushName: 'Alias' }, numberId),
    received({ from: '628222222222', pushName: 'Budi' }, numberId),
  ]);
  const { contacts } = await log.contacts({}, 10, null);
  const idOf = (pushName: string) =>
    contacts.find((contact) => contact.pushName === pushName)?.contactId ?? '';
  await log.changeContact(idOf('Budi'), {
    labels: ['vip'],
    timeZone: 'Asia/Jakarta',
    attributes: { city: 'Jakarta' },
  });
  const segment = await log.createContactSegment('Jakarta', {
    attributes: [{ name: 'city', operator: 'equals', value: 'jakarta' }],
  });
  if (!segment.ok) throw new Error(segment.message);
  const names = async (source: Parameters<EventLog['audience']>[0]) => {
    const page = await log.audience(source, null, 10);
    return page.ok ? page.members.map(({ pushName }) => pushName) : page.code;
  };
  expect(await names({ all: true })).toEqual(['Ani', 'Budi']);
  expect(await names({ label: 'vip' })).toEqual(['Budi']);
  expect(await names({ segmentId: segment.segmentId })).toEqual(['Budi']);
  expect(await names({ contactIds: [idOf('Budi'), newUuid(), idOf('Ani'), idOf('Alias')] })).toEqual([
    'Ani',
    'Budi',
  ]);
  expect(await names({ segmentId: newUuid() })).toBe('NOT_FOUND');
  const page = await log.audience({ label: 'vip' }, null, 10);
  expect(page).toMatchObject({
    members: [
      {
        ...{ country: 'ID', timeZone: 'Asia/Jakarta', attributes: { city: 'Jakarta' } },
        ...{ wroteTo: [numberId], lastInboundAt: start },
      },
    ],
  });
});
