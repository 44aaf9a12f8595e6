import { describe, expect, test } from 'vitest';
import type { ContactFilter } from '../../../../src/contract/contacts/contact-filter.ts';
import { dayMs, knownContacts, now } from './known-contacts.ts';

/** A list of contacts by the last digit of their phone numbers. */
function listOf({ search }: ReturnType<typeof knownContacts>) {
  const page = (
    filter: ContactFilter,
    limit: number,
    after: string | null,
    order: 'newest first' | 'oldest first',
  ) => search.page(filter, { limit, after, order, now });
  const digits = (contacts: readonly { phoneNumber: string | null }[]) =>
    contacts.map(({ phoneNumber }) => phoneNumber?.at(-1)).join('');
  const all = (filter: ContactFilter) => digits(page(filter, 50, null, 'oldest first').contacts);
  /** Every page of it. */
  const paged = (filter: ContactFilter, limit: number, order: 'newest first' | 'oldest first') => {
    const pages: string[] = [];
    for (let after: string | null = null; ; ) {
      const { contacts, next } = page(filter, limit, after, order);
      pages.push(digits(contacts));
      if (next === null) return pages;
      after = next;
    }
  };
  return { page, all, paged, digits };
}

const phone = (last: number) => `62811000000${last}`;

describe('a list of contacts', () => {
  test.each<[string, ContactFilter]>([
    ['all', {}],
    ['by words', { q: 'lima' }],
    ['by a label', { labels: ['vip'] }],
    ['by several labels', { labels: ['vip', 'two'] }],
    ['by words and a label', { q: 'lima', labels: ['vip'] }],
    ['by an attribute', { attributes: [{ name: 'city', operator: 'equals' as const, value: 'Lima' }] }],
  ])('comes page by page in either order, each contact once (%s)', (_, filter) => {
    const known = knownContacts();
    for (let last = 1; last <= 5; last += 1) {
      const more = { labels: ['vip', 'two'], attributes: { city: 'Lima' } };
      known.put({ phoneNumber: phone(last), ownName: 'Ana Lima', ...more });
    }
    known.put({ phoneNumber: phone(9), ownName: 'Budi' });
    const { paged } = listOf(known);
    const others = Object.keys(filter).length === 0 ? '9' : '';
    expect(paged(filter, 2, 'oldest first')).toEqual(['12', '34', `5${others}`]);
    expect(paged(filter, 2, 'newest first').join('')).toBe(`${others}54321`);
    expect(paged(filter, 10, 'newest first')).toEqual([`${others}54321`]);
    if (others === '') expect(paged(filter, 5, 'oldest first')).toEqual(['12345']);
  });

  test('goes on behind a contact that is gone by now', () => {
    const known = knownContacts();
    const contacts = [1, 2, 3].map((last) => known.put({ phoneNumber: phone(last), ownName: 'Ana' }));
    const { page, digits } = listOf(known);
    for (const order of ['oldest first', 'newest first'] as const) {
      const { next } = page({ q: 'ana' }, 2, null, order);
      expect(next).toBe(contacts[1]?.contactId);
    }
    if (contacts[1]) known.rows.remove(contacts[1]);
    const after = contacts[1]?.contactId ?? '';
    for (const filter of [{ q: 'ana' }, {}]) {
      expect(digits(page(filter, 9, after, 'oldest first').contacts)).toBe('3');
      expect(digits(page(filter, 9, after, 'newest first').contacts)).toBe('1');
    }
  });

  test.each(['oldest first', 'newest first'] as const)(
    'that is searched has each once, also who was parted from another contact again (%s)',
    (order) => {
      const known = knownContacts();
      const kept = known.put({ phoneNumber: phone(1), ownName: 'Ana' });
      const other = known.put({ lid: '100000000000017', ownName: 'Ana' });
      known.put({ phoneNumber: phone(3), ownName: 'Ana' });
      const done = known.merges.merge(kept.contactId, other.contactId, now);
      known.merges.undo(done?.ok ? done.mergeId : '', now);
      for (const limit of [1, 2, 3]) {
        const found: string[] = [];
        for (let after: string | null = null; ; ) {
          const { contacts, next } = listOf(known).page({ q: 'ana' }, limit, after, order);
          found.push(...contacts.map(({ contactId }) => contactId));
          if (next === null) break;
          after = next;
        }
        expect(found.toSorted()).toEqual(known.everybody().map(({ contactId }) => contactId));
      }
    },
  );

  test('is of those who have written within so many days, or not for so many, to the millisecond', () => {
    const known = knownContacts();
    known.put({ phoneNumber: phone(0) });
    known.put({ phoneNumber: phone(1), wroteTo: { a: now - 7 * dayMs } });
    known.put({ phoneNumber: phone(2), wroteTo: { a: now - 7 * dayMs - 1 } });
    known.put({ phoneNumber: phone(3), wroteTo: { a: now - 30 * dayMs, b: now - dayMs } });
    const { all } = listOf(known);
    expect(all({ seenWithinDays: 7 })).toBe('13');
    expect(all({ notSeenForDays: 7 })).toBe('02');
    expect(all({ hasWritten: true })).toBe('123');
    expect(all({ hasWritten: false })).toBe('0');
    expect(all({ seenWithinDays: 30, notSeenForDays: 3 })).toBe('12');
  });

  test('is of those of a country, of all labels and of all conditions', () => {
    const known = knownContacts();
    known.put({ phoneNumber: phone(1), labels: ['a', 'b', 'c'], attributes: { city: 'Lima', orders: 3 } });
    known.put({ phoneNumber: phone(2), labels: ['a', 'b'], attributes: { city: 'Lima' } });
    known.put({ phoneNumber: '4915112345673', labels: ['c'], attributes: { orders: 5 } });
    known.put({ lid: '100000000000017', labels: ['a'] });
    const { all } = listOf(known);
    expect(all({ countries: ['ID'] })).toBe('12');
    expect(all({ countries: ['DE', 'ID'] })).toBe('123');
    expect(all({ countries: [] })).toBe('');
    expect(all({ labels: ['a', 'b', 'c'] })).toBe('1');
    expect(all({ labels: ['b', 'a'] })).toBe('12');
    expect(all({ labels: ['d'] })).toBe('');
    const lima = { name: 'city', operator: 'equals', value: 'lima' } as const;
    const some = { name: 'orders', operator: 'greater', value: 2 } as const;
    expect(all({ attributes: [lima] })).toBe('12');
    expect(all({ attributes: [some] })).toBe('13');
    expect(all({ attributes: [lima, some] })).toBe('1');
    expect(all({ attributes: [some], labels: ['c'], countries: ['DE'] })).toBe('3');
  });

  test('is found by what the account, an address book and they themselves call somebody, and by their number', () => {
    const known = knownContacts();
    known.put({ phoneNumber: phone(1), ownName: 'Own', bookName: 'Book', pushName: 'Push' });
    known.put({ phoneNumber: phone(2), ownName: 'Other' });
    const { all } = listOf(known);
    for (const q of ['own', 'boo', 'push', 'own push', phone(1), '0811 0000 001'])
      expect(all({ q })).toBe('1');
    expect(all({ q: 'own other' })).toBe('');
    expect(all({ q: '62811' })).toBe('12');
  });

  test('follows a name that is changed, and labels that are put and taken away', () => {
    const known = knownContacts();
    const before = known.put({ phoneNumber: phone(1), ownName: 'Ana', labels: ['old', 'kept'] });
    const after = { ...before, ownName: 'Budi', labels: ['kept', 'new'] };
    known.rows.put(after, before);
    const { all } = listOf(known);
    expect([all({ q: 'ana' }), all({ q: 'budi' })]).toEqual(['', '1']);
    expect(['old', 'kept', 'new'].map((label) => all({ labels: [label] }))).toEqual(['', '1', '1']);
    expect(known.rows.spellings.used(9)).toEqual(['kept', 'new']);
    known.rows.put({ ...after, attributes: { city: 'Lima' } }, after);
    expect(all({ q: 'budi' })).toBe('1');
    known.rows.remove(after);
    expect([all({ q: 'budi' }), all({})]).toEqual(['', '']);
    expect(known.rows.spellings.used(9)).toEqual([]);
  });

  test('of those who are named is narrowed by the same filters', () => {
    const known = knownContacts();
    const [one, two, three] = [1, 2, 3].map((last) =>
      known.put({
        phoneNumber: phone(last),
        ownName: last === 3 ? 'Budi' : 'Ana Lima',
        labels: last === 1 ? ['vip'] : [],
        attributes: { orders: last },
        wroteTo: last === 2 ? { a: now - dayMs } : {},
      }),
    );
    const ids = [one, three].map((it) => it?.contactId ?? '');
    const { digits } = listOf(known);
    const among = (filter: ContactFilter, contactIds = ids) =>
      digits(
        known.search.among(contactIds, filter, now).toSorted((a, b) => (a.contactId < b.contactId ? -1 : 1)),
      );
    expect(among({})).toBe('13');
    expect(among({ q: 'ana lima' })).toBe('1');
    expect(among({ q: 'ana' }, [two?.contactId ?? ''])).toBe('2');
    expect(among({ labels: ['vip'] })).toBe('1');
    expect(among({ attributes: [{ name: 'orders', operator: 'greater', value: 1 }] })).toBe('3');
    expect(among({ seenWithinDays: 2 })).toBe('');
    expect(among({ q: '"' })).toBe('');
    expect(among({}, [])).toBe('');
  });
});

test('labels are named in their order, as many as are asked for', () => {
  const { put, rows } = knownContacts();
  for (const labels of [['b'], ['a', 'c'], ['a']]) put({ labels });
  expect(rows.spellings.used(9)).toEqual(['a', 'b', 'c']);
  expect(rows.spellings.used(2)).toEqual(['a', 'b']);
});

describe('segments', () => {
  test('are listed the newest first, one more than a page holds where there are more', () => {
    const { segments } = knownContacts();
    const ids = ['A', 'B', 'C'].map((name) => {
      const made = segments.create(name, {}, now);
      return made.ok ? made.segmentId : '';
    });
    const names = (limit: number, before: string | null) =>
      segments.page(limit, before).map(({ name }) => name);
    expect(names(2, null)).toEqual(['C', 'B', 'A']);
    expect(names(1, null)).toEqual(['C', 'B']);
    expect(names(2, ids[1] ?? '')).toEqual(['A']);
    expect(segments.remove(ids[1] ?? '')).toMatchObject({ name: 'B' });
    expect(segments.remove(ids[1] ?? '')).toBeNull();
    expect(segments.find(ids[1] ?? '')).toBeNull();
    expect(names(9, null)).toEqual(['C', 'A']);
  });

  test('have names of their own, and keep theirs when something else changes', () => {
    const { segments } = knownContacts();
    const [one, other] = [segments.create('A', {}, now), segments.create('B', {}, now)];
    if (!one.ok || !other.ok) throw new Error('they were refused');
    const taken = { ok: false, code: 'CONFLICT', details: [{ path: 'name' }] };
    expect(segments.create('A', {}, now)).toMatchObject(taken);
    expect(segments.change(other.segmentId, { name: 'A' }, now)).toMatchObject(taken);
    expect(segments.change(one.segmentId, { name: 'A', filter: { labels: ['x'] } }, now)).toMatchObject({
      ok: true,
    });
    expect(segments.find(other.segmentId)).toMatchObject({ name: 'B' });
    expect(segments.change('gone', { name: 'C' }, now)).toBeNull();
  });

  test('are two hundred at most', () => {
    const { segments } = knownContacts();
    for (let index = 0; index < 200; index += 1)
      expect(segments.create(`S${index}`, {}, now)).toMatchObject({ ok: true });
    expect(segments.create('one more', {}, now)).toMatchObject({ ok: false, code: 'CONFLICT' });
    const [newest] = segments.page(1, null);
    expect(segments.change(newest?.segmentId ?? '', { name: 'renamed' }, now)).toMatchObject({ ok: true });
    segments.remove(newest?.segmentId ?? '');
    expect(segments.create('one more', {}, now)).toMatchObject({ ok: true });
  });
});

describe('an audience', () => {
  test('tells of each member what a message to them may say, and which numbers they have written to', () => {
    const { put, audience } = knownContacts();
    const { contactId } = put({
      ...{
        phoneNumber: phone(1),
        lid: '100000000000017',
        ownName: 'Own',
        bookName: 'Book',
        pushName: 'Push',
      },
      ...{ attributes: { city: 'Lima' }, timeZone: 'America/Lima', wroteTo: { a: now - 5, b: now - 9 } },
    });
    expect(audience.page({ all: true }, null, 9, now)).toEqual({
      ok: true,
      nextAfter: null,
      members: [
        {
          ...{ contactId, phoneNumber: phone(1), lid: '100000000000017', name: 'Own', pushName: 'Push' },
          ...{ attributes: { city: 'Lima' }, timeZone: 'America/Lima', country: 'ID' },
          ...{ lastInboundAt: now - 5, wroteTo: ['a', 'b'] },
        },
      ],
    });
  });

  test('is of a label, a segment, an import, named contacts or all of them, and never of who has no address', () => {
    const { put, audience, segments, members, rows } = knownContacts();
    const one = put({ phoneNumber: phone(1), labels: ['vip'] });
    const two = put({ lid: '100000000000017', labels: ['vip'] });
    const none = put({ labels: ['vip'] });
    const last = put({ phoneNumber: phone(3) });
    members.add('import', [one.contactId, none.contactId, last.contactId]);
    const segment = segments.create('VIPs', { labels: ['vip'] }, now);
    const segmentId = segment.ok ? segment.segmentId : '';
    const ids = (source: Parameters<typeof audience.page>[0]) => {
      const page = audience.page(source, null, 9, now);
      return page.ok ? page.members.map(({ contactId }) => contactId) : page.code;
    };
    expect(ids({ label: 'vip' })).toEqual([one.contactId, two.contactId]);
    expect(ids({ segmentId })).toEqual([one.contactId, two.contactId]);
    expect(ids({ segmentId: 'gone' })).toBe('NOT_FOUND');
    expect(ids({ all: true })).toEqual([one.contactId, two.contactId, last.contactId]);
    expect(ids({ csv: 'import' })).toEqual([one.contactId, last.contactId]);
    expect(ids({ csv: 'another' })).toEqual([]);
    const contactIds = [last.contactId, none.contactId, one.contactId, 'gone'];
    expect(ids({ contactIds })).toEqual([one.contactId, last.contactId]);
    rows.remove(one);
    expect(ids({ csv: 'import' })).toEqual([last.contactId]);
    expect(ids({ contactIds })).toEqual([last.contactId]);
  });

  test('goes on behind the last of a page, and ends where nobody is left', () => {
    const { put, audience, members } = knownContacts();
    const contactIds = [1, 2, 3, 4].map((last) => put({ phoneNumber: phone(last) }).contactId);
    members.add('import', contactIds);
    for (const source of [{ contactIds }, { csv: 'import' }, { all: true as const }]) {
      const first = audience.page(source, null, 3, now);
      expect(first).toMatchObject({ ok: true, nextAfter: contactIds[2] });
      expect(first.ok && first.members).toHaveLength(3);
      const rest = audience.page(source, contactIds[2] ?? null, 3, now);
      expect(rest).toMatchObject({ nextAfter: null, members: [{ contactId: contactIds[3] }] });
    }
    expect(audience.page({ contactIds }, null, 4, now)).toMatchObject({ nextAfter: null });
    expect(audience.page({ contactIds }, 'zzz', 4, now)).toEqual({ ok: true, members: [], nextAfter: null });
  });

  test('comes a thousand at a time at most', () => {
    const { audience, members, put } = knownContacts();
    members.add(
      'import',
      Array.from({ length: 1_001 }, (_, index) => put({ phoneNumber: `62811${index}` }).contactId),
    );
    const page = audience.page({ csv: 'import' }, null, 5_000, now);
    expect(page.ok && [page.members.length, page.nextAfter !== null]).toEqual([1_000, true]);
  });
});
