import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Contact, mergedContact, without } from '../../../../src/durable/event-log/contacts/contact.ts';

const words = fc.constantFrom('a', 'b', 'c');
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });

const contact = (contactId: string, address: Pick<Contact, 'phoneNumber' | 'lid'>): fc.Arbitrary<Contact> =>
  fc.record({
    contactId: fc.constant(contactId),
    phoneNumber: fc.constant(address.phoneNumber),
    lid: fc.constant(address.lid),
    ownName: maybe(words),
    bookName: maybe(words),
    pushName: maybe(words),
    labels: fc.uniqueArray(words),
    attributes: fc.dictionary(words, fc.oneof(words, fc.integer({ min: 0, max: 3 }), fc.boolean())),
    timeZone: maybe(fc.constantFrom('Asia/Jakarta', 'Europe/Berlin')),
    country: maybe(fc.constantFrom('ID', 'DE')),
    consent: maybe(fc.record({ source: words, at: fc.integer({ min: 1, max: 9 }) })),
    wroteTo: fc.dictionary(words, fc.integer({ min: 1, max: 9 })),
    firstSeenAt: fc.integer({ min: 1, max: 9 }),
  });
const pair = fc.tuple(
  contact('one', { phoneNumber: '628123456789', lid: null }),
  contact('other', { phoneNumber: null, lid: '100000000000017' }),
);
/** Names in no particular order: a dictionary is one whatever order it was filled in. */
const sorted = (it: Contact) => ({ ...it, labels: [...it.labels].sort() });

test('who became one was first seen when the first of the two was, and wrote last when the last of them did', () => {
  fc.assert(
    fc.property(pair, ([kept, other]) => {
      const { firstSeenAt, wroteTo } = mergedContact(kept, other);
      expect(firstSeenAt).toBe(Math.min(kept.firstSeenAt, other.firstSeenAt));
      const numbers = new Set([...Object.keys(kept.wroteTo), ...Object.keys(other.wroteTo)]);
      expect(new Set(Object.keys(wroteTo))).toEqual(numbers);
      for (const number of numbers) {
        expect(wroteTo[number]).toBe(Math.max(kept.wroteTo[number] ?? 0, other.wroteTo[number] ?? 0));
      }
    }),
  );
});

test('a merge that is undone at once leaves the contact as it was', () => {
  fc.assert(
    fc.property(pair, ([kept, other]) => {
      expect(sorted(without(mergedContact(kept, other), kept, other))).toEqual(sorted(kept));
    }),
  );
});

test('a merge loses nothing that either of them had, and what is changed afterwards survives its undoing', () => {
  fc.assert(
    fc.property(pair, fc.string({ minLength: 4 }), ([kept, other], name) => {
      const merged = mergedContact(kept, other);
      expect(merged).toMatchObject({ phoneNumber: '628123456789', lid: '100000000000017' });
      for (const field of ['ownName', 'bookName', 'pushName', 'timeZone', 'country', 'consent'] as const) {
        expect(merged[field]).toEqual(kept[field] ?? other[field]);
      }
      expect(new Set(merged.labels)).toEqual(new Set([...kept.labels, ...other.labels]));
      expect(Object.keys(merged.attributes).sort()).toEqual(
        [...new Set([...Object.keys(kept.attributes), ...Object.keys(other.attributes)])].sort(),
      );
      const renamed = { ...merged, ownName: name, labels: [...merged.labels, 'new'] };
      const parted = without(renamed, kept, other);
      expect(parted.ownName).toBe(name);
      expect(parted.labels).toContain('new');
      expect(parted.lid).toBeNull();
    }),
  );
});
