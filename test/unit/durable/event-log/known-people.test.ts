import { describe, expect, test } from 'vitest';
import { knownContacts, now, ownPhone } from './known-contacts.ts';

const phoneNumber = '628123456789';
const lid = '100000000000017';
const hourMs = 3_600_000;
const group = { chatType: 'group' as const, groupId: '120363041234567890@g.us' };
const at = (ms: number) => new Date(ms).toISOString();
const names = (drafts: readonly { event: string }[]) => drafts.map(({ event }) => event);

describe('whoever writes to a number', () => {
  test('is a contact, by phone number, by alias or by both', () => {
    const { wrote, everybody } = knownContacts();
    wrote({ pushName: 'Budi' });
    wrote({ from: lid, senderLid: lid });
    wrote({ from: '628999000111', senderLid: '100000000000099' });
    expect(everybody()).toHaveLength(3);
    const known = everybody().map(({ phoneNumber: phone, lid: alias, pushName }) => [phone, alias, pushName]);
    expect(known).toEqual(
      expect.arrayContaining([
        [phoneNumber, null, 'Budi'],
        [null, lid, null],
        ['628999000111', '100000000000099', null],
      ]),
    );
  });

  test('is none where neither a phone number nor an alias of theirs is known', () => {
    const { wrote, everybody } = knownContacts();
    expect(wrote({ from: 'status@broadcast' })).toEqual([]);
    expect(everybody()).toEqual([]);
  });

  test('in a group is none for that; somebody who is known is followed there, and has not written to the number', () => {
    const { wrote, everybody, put } = knownContacts();
    wrote({ ...group, pushName: 'Budi' });
    expect(everybody()).toEqual([]);
    put({ phoneNumber });
    put({ lid: '100000000000099' });
    wrote({ ...group, senderLid: lid, pushName: 'Budi' });
    wrote({ ...group, from: '100000000000099', senderLid: '100000000000099', pushName: 'Citra' });
    expect(everybody()).toMatchObject([
      { phoneNumber, lid, pushName: 'Budi', wroteTo: {} },
      { lid: '100000000000099', pushName: 'Citra', wroteTo: {} },
    ]);
  });

  test('has written to each number when they last did, as exact as an hour; what is heard late is not the last', () => {
    const { wrote, everybody } = knownContacts();
    const last = () => everybody()[0]?.wroteTo;
    wrote({ at: at(now) }, 'a');
    wrote({ at: at(now + hourMs - 1) }, 'a');
    expect(last()).toEqual({ a: now });
    wrote({ at: at(now + hourMs) }, 'a');
    wrote({ at: at(now - 5 * hourMs) }, 'a');
    wrote({ at: at(now - 5 * hourMs) }, 'b');
    expect(last()).toEqual({ a: now + hourMs, b: now - 5 * hourMs });
  });

  test('is told of when their name or an address of theirs is another one, and not when only their words are new', () => {
    const { wrote } = knownContacts();
    expect(wrote({ pushName: 'Budi' })).toEqual([]);
    expect(wrote({ pushName: 'Budi', at: at(now + 2 * hourMs) })).toEqual([]);
    expect(wrote({ pushName: '' })).toEqual([]);
    expect(wrote({ pushName: 'Budi S.' })).toMatchObject([{ data: { phoneNumber, pushName: 'Budi S.' } }]);
    const [told] = wrote({ senderLid: lid });
    expect(told?.data).toEqual({
      ...{ contactId: expect.any(String), phoneNumber, lid, pushName: 'Budi S.' },
    });
  });
});

describe('a phone number and an alias', () => {
  test('that are seen together for the first time are one person from then on, and that is heard once', () => {
    const { wrote, joins, everybody } = knownContacts();
    wrote();
    expect(joins).toEqual([]);
    wrote({ senderLid: lid });
    wrote({ senderLid: lid });
    wrote({ from: lid, senderLid: lid });
    expect(joins).toEqual([[phoneNumber, lid]]);
    expect(everybody()).toMatchObject([{ phoneNumber, lid }]);
  });

  test('of a new person are heard of as one, too', () => {
    const { contacts, joins } = knownContacts();
    expect(contacts.listed({ phoneNumber, lid, name: 'Ana' }, now)).toEqual([]);
    expect(joins).toEqual([[phoneNumber, lid]]);
  });

  test('of two contacts make one of them: that of the phone number, with all that both had', () => {
    const { put, wrote, everybody, joins, rows } = knownContacts();
    const byPhone = put({ phoneNumber, ownName: 'Ana', labels: ['a'], wroteTo: { a: now - 2 * hourMs } });
    const byAlias = put({ lid, ownName: 'Anna', labels: ['b'], wroteTo: { b: now - hourMs } });
    const drafts = wrote({ senderLid: lid }, 'c');
    expect(names(drafts)).toEqual(['contact.updated']);
    expect(everybody()).toMatchObject([
      {
        ...{ contactId: byPhone.contactId, phoneNumber, lid, ownName: 'Ana', labels: ['a', 'b'] },
        wroteTo: { a: now - 2 * hourMs, b: now - hourMs, c: now },
      },
    ]);
    expect(rows.find(byAlias.contactId)).toEqual(rows.find(byPhone.contactId));
    expect(joins).toEqual([[phoneNumber, lid]]);
  });

  test('belong together as they were seen last: the alias moves to the phone number that it came with', () => {
    const { put, wrote, everybody } = knownContacts();
    put({ phoneNumber, lid });
    put({ phoneNumber: '628999000111', lid: '100000000000099' });
    wrote({ from: '628999000111', senderLid: lid });
    expect(everybody()).toMatchObject([{ phoneNumber: '628999000111', lid }]);
  });

  describe('of whom the alias comes with another phone number', () => {
    const later = '628999000111';

    test('are the same contact with that one, which is told of, and the number before leads to them', async () => {
      const { put, wrote, everybody, rows, renumberings, aliases, told } = knownContacts();
      const { contactId } = put({ phoneNumber, lid, labels: ['vip'] });
      rows.renumber('62812345678', phoneNumber);
      const drafts = wrote({ from: later, senderLid: lid });
      expect(drafts).toMatchObject([
        { event: 'contact.updated', data: { contactId, phoneNumber: later, lid } },
      ]);
      expect(everybody()).toMatchObject([{ contactId, phoneNumber: later, lid, labels: ['vip'] }]);
      expect(renumberings).toEqual([[phoneNumber, later]]);
      expect(rows.byPhone(phoneNumber)).toMatchObject({ contactId });
      expect(rows.digitsOf({ phoneNumber: later, lid }).toSorted()).toEqual(
        [later, lid, phoneNumber, '62812345678'].toSorted(),
      );
      expect(wrote({ from: later, senderLid: lid })).toEqual([]);
      // Also where the account had nothing of them so far: it may have the number before on its opt-out list.
      await aliases.run();
      expect(told).toEqual([
        [{ lid, phoneNumber: later, otherDigits: expect.arrayContaining([phoneNumber]) }],
      ]);
    });

    test('have the one before again where the network shows it, and an address book that is behind changes nothing', () => {
      const { put, wrote, contacts, everybody, rows, renumberings } = knownContacts();
      put({ phoneNumber, lid });
      wrote({ from: later, senderLid: lid });
      expect(contacts.listed({ phoneNumber, lid, name: '' }, now)).toEqual([]);
      expect(everybody()).toMatchObject([{ phoneNumber: later, lid }]);
      wrote({ from: phoneNumber, senderLid: lid });
      expect(everybody()).toMatchObject([{ phoneNumber, lid }]);
      expect(renumberings).toEqual([
        [phoneNumber, later],
        [later, phoneNumber],
      ]);
      expect(rows.digitsOf({ phoneNumber, lid: null })).toEqual([phoneNumber, later]);
      expect(rows.addressOf(phoneNumber)).toBe(phoneNumber);
    });

    test('are two people where the number before comes with another alias, or writes without one', () => {
      for (const seen of ['wrote', 'listed', 'wrote without'] as const) {
        const { put, wrote, contacts, everybody, rows } = knownContacts();
        const other = '100000000000099';
        put({ phoneNumber, lid });
        wrote({ from: later, senderLid: lid });
        if (seen === 'wrote') wrote({ senderLid: other });
        else if (seen === 'wrote without') wrote();
        else contacts.listed({ phoneNumber, lid: other, name: 'Citra' }, now);
        expect(everybody()).toMatchObject([
          { phoneNumber: later, lid },
          { phoneNumber, lid: seen === 'wrote without' ? null : other },
        ]);
        expect(rows.digitsOf({ phoneNumber: later, lid: null })).toEqual([later]);
      }
    });

    test('are one with the contact that has that number already, and the number before leads to them', () => {
      const { put, wrote, everybody, rows, renumberings } = knownContacts();
      const former = put({ phoneNumber, lid });
      const { contactId } = put({ phoneNumber: later });
      wrote({ from: later, senderLid: lid });
      expect(everybody()).toMatchObject([{ contactId, phoneNumber: later, lid }]);
      expect(renumberings).toEqual([[phoneNumber, later]]);
      expect(rows.byPhone(phoneNumber)).toMatchObject({ contactId });
      expect(rows.find(former.contactId)).toMatchObject({ contactId });
    });
  });

  test('are what the account is told of who has written, or was a contact by the alias alone, and of nobody else', async () => {
    const { contacts, aliases, told, put, wrote } = knownContacts();
    contacts.listed({ phoneNumber: '628000000001', lid: '100000000000001', name: 'Never wrote' }, now);
    expect(aliases.dueAt()).toBeNull();
    put({ lid: '100000000000002' });
    contacts.listed({ phoneNumber: '628000000002', lid: '100000000000002', name: 'Was known' }, now);
    put({ phoneNumber: '628000000003', wroteTo: { a: now } });
    contacts.listed({ phoneNumber: '628000000003', lid: '100000000000003', name: 'Has written' }, now);
    wrote({ from: '100000000000001', senderLid: '100000000000001' });
    expect(aliases.dueAt()).toBe(0);
    await aliases.run();
    expect(told).toEqual([
      [
        { lid: '100000000000002', phoneNumber: '628000000002' },
        { lid: '100000000000003', phoneNumber: '628000000003' },
        { lid: '100000000000001', phoneNumber: '628000000001' },
      ],
    ]);
    expect(aliases.dueAt()).toBeNull();
  });

  test('of a number of the account are told it also where an address book has no name for it', async () => {
    const { contacts, aliases, told, everybody } = knownContacts();
    contacts.listed({ phoneNumber: ownPhone, lid }, now);
    contacts.listed({ phoneNumber: ownPhone }, now);
    contacts.listed({ phoneNumber: '628999000111', lid: '100000000000099' }, now);
    await aliases.run();
    expect(told).toEqual([[{ lid, phoneNumber: ownPhone }]]);
    expect(everybody()).toEqual([]);
  });

  test('are told some at a time, all of them, and once', async () => {
    const { aliases, told } = knownContacts();
    for (let index = 0; index < 45; index += 1) aliases.wrote(`62811${index}`, `1000${index}`);
    await aliases.run();
    await aliases.run();
    expect(told.map((some) => some.length)).toEqual([20, 20, 5]);
    aliases.wrote('628110', '10000');
    expect(aliases.dueAt()).toBeNull();
    aliases.wrote('628999', '10000');
    expect(aliases.dueAt()).toBe(0);
  });

  test('that are parted are told so once, and those that were never told are not', async () => {
    const { aliases, told } = knownContacts();
    aliases.parted(lid);
    expect(aliases.dueAt()).toBeNull();
    aliases.wrote(phoneNumber, lid);
    await aliases.run();
    aliases.parted(lid);
    await aliases.run();
    aliases.parted(lid);
    await aliases.run();
    expect(told).toEqual([[{ lid, phoneNumber }], [{ lid, phoneNumber: null }]]);
    aliases.forget(phoneNumber);
    aliases.forget(lid);
    aliases.wrote(phoneNumber, lid);
    expect(aliases.dueAt()).toBe(0);
  });
});

describe('an address book', () => {
  test('makes a contact of whom it has a name for, and follows those who are known without one', () => {
    const { contacts, put, everybody } = knownContacts();
    expect(contacts.listed({ phoneNumber: '628000000001' }, now)).toEqual([]);
    contacts.listed({ phoneNumber: '628000000002', name: '' }, now);
    expect(everybody()).toEqual([]);
    put({ phoneNumber });
    expect(names(contacts.listed({ phoneNumber, lid }, now))).toEqual(['contact.updated']);
    put({ lid: '100000000000099' });
    contacts.listed({ phoneNumber: '628999000111', lid: '100000000000099' }, now);
    expect(everybody()).toMatchObject([
      { phoneNumber, lid, bookName: null },
      { phoneNumber: '628999000111', lid: '100000000000099' },
    ]);
  });

  test('has nothing to say of a name that it leaves out, and takes one away that it has empty', () => {
    const { contacts, put, everybody } = knownContacts();
    put({ phoneNumber, bookName: 'Budi', pushName: 'B.' });
    contacts.listed({ phoneNumber, pushName: 'B. S.' }, now);
    expect(everybody()).toMatchObject([{ bookName: 'Budi', pushName: 'B. S.' }]);
    contacts.listed({ phoneNumber, name: '', pushName: '' }, now);
    expect(everybody()).toMatchObject([{ bookName: null, pushName: 'B. S.' }]);
  });

  test('keeps for somebody the digits of the network, whichever they are dialled by', () => {
    const { contacts, rows, put, everybody } = knownContacts();
    put({ phoneNumber: '551187654321' });
    rows.renumber('5511987654321', '551187654321');
    contacts.listed({ phoneNumber: '5511987654321', name: 'Ana' }, now);
    expect(everybody()).toMatchObject([{ phoneNumber: '551187654321', bookName: 'Ana' }]);
  });
});

describe('digits that somebody dialled and those of the network', () => {
  const [dialled, network] = ['5511987654321', '551187654321'];

  test('are one contact with those of the network, also where both were there, and it is news once', () => {
    const { rows, put, everybody, members, sql } = knownContacts();
    expect(rows.renumber(dialled, network)).toBe(true);
    expect(rows.renumber(dialled, network)).toBe(false);
    expect(everybody()).toEqual([]);
    sql.exec('DELETE FROM dialled_numbers');
    put({ phoneNumber: dialled, ownName: 'Ana' });
    expect(rows.renumber(dialled, network)).toBe(true);
    expect(everybody()).toMatchObject([{ phoneNumber: network, ownName: 'Ana' }]);
    sql.exec('DELETE FROM dialled_numbers');
    const other = put({ phoneNumber: dialled, ownName: 'Anna', labels: ['x'] });
    members.add('import', [other.contactId]);
    expect(rows.renumber(dialled, network)).toBe(true);
    expect(everybody()).toMatchObject([{ phoneNumber: network, ownName: 'Ana', labels: ['x'] }]);
    expect(rows.byPhone(dialled)).toMatchObject({ phoneNumber: network });
    expect(rows.renumber(dialled, '551187654399')).toBe(true);
    expect(rows.addressOf(dialled)).toBe('551187654399');
    rows.forgetDialled('551187654399');
    expect(rows.addressOf(dialled)).toBe(dialled);
  });

  test('stay as a look-up has told them, also where a message without an alias comes from those that were dialled', () => {
    const { rows, put, wrote, everybody, renumberings } = knownContacts();
    const { contactId } = put({ phoneNumber: network });
    rows.renumber(dialled, network);
    wrote({ from: dialled });
    expect(everybody()).toMatchObject([{ contactId, phoneNumber: network, wroteTo: { number: now } }]);
    expect(renumberings).toEqual([]);
  });

  test('all name one person, whichever of them is asked for', () => {
    const { rows, put, people } = knownContacts();
    put({ phoneNumber: network, lid });
    rows.renumber(dialled, network);
    const all = [network, lid, dialled].toSorted();
    for (const digits of [network, lid, dialled]) {
      expect(people.namesOf({ digits, lid: null }).toSorted()).toEqual(all);
      expect(people.nameOf({ digits, lid: null })).toBe(network);
    }
    expect(people.namesOf({ digits: dialled, lid: null })[0]).toBe(dialled);
    expect(people.namesOf({ digits: lid, lid })).toContain(network);
    expect(people.isSame({ digits: dialled, lid: null }, { digits: lid, lid })).toBe(true);
    expect(people.isSame({ digits: dialled, lid: null }, { digits: '628999', lid: null })).toBe(false);
  });
});

describe('who somebody is', () => {
  test('is told by the phone number wherever that is known, and else by what there is', () => {
    const { put, people } = knownContacts();
    put({ phoneNumber, lid });
    expect(people.nameOf({ digits: lid, lid })).toBe(phoneNumber);
    expect(people.nameOf({ digits: '628777', lid })).toBe('628777');
    expect(people.nameOf({ digits: '100000000000099', lid: '100000000000099' })).toBe('100000000000099');
    expect(people.nameOf({ digits: '628777', lid: null })).toBe('628777');
  });

  test('is told by an alias that came along, and by both contacts where it is not known yet that they are one', () => {
    const { put, people } = knownContacts();
    put({ phoneNumber });
    put({ lid });
    expect(people.namesOf({ digits: phoneNumber, lid }).toSorted()).toEqual([lid, phoneNumber].toSorted());
    expect(people.namesOf({ digits: '628777', lid: null })).toEqual(['628777']);
    expect(people.aliasOf(phoneNumber)).toBeNull();
    expect(people.contactOfAlias('100000000000099')).toBeNull();
    put({ phoneNumber: '628999000111', lid: '100000000000099' });
    expect(people.aliasOf('628999000111')).toBe('100000000000099');
    expect(people.contactOfAlias('100000000000099')).not.toBeNull();
    expect(people.isSame({ digits: phoneNumber, lid: null }, { digits: lid, lid })).toBe(false);
  });
});

describe('two contacts that a person has made one', () => {
  const undoMs = 30 * 86_400_000;

  test('can be parted until the last millisecond of thirty days, and are told of, both ways', () => {
    const { put, merges, partings, rows } = knownContacts();
    const [kept, other] = [put({ phoneNumber, ownName: 'Ana' }), put({ lid, pushName: 'anna' })];
    const done = merges.merge(kept.contactId, other.contactId, now);
    if (done === null || !done.ok) throw new Error('they did not become one');
    expect(names(done.drafts)).toEqual(['contact.updated']);
    expect(done.contact).toMatchObject({ phoneNumber, lid, ownName: 'Ana', pushName: 'anna' });
    expect(merges.newest(null, 9, null, now)).toMatchObject([
      { at: now, until: now + undoMs, canUndo: true },
    ]);
    expect(merges.newest(null, 9, null, now + undoMs + 1)).toEqual([]);
    expect(merges.undo(done.mergeId, now + undoMs + 1)).toBeNull();
    expect(merges.undo('gone', now)).toBeNull();
    const undone = merges.undo(done.mergeId, now + undoMs);
    if (undone === null || !undone.ok) throw new Error('they are one still');
    expect(names(undone.drafts)).toEqual(['contact.updated', 'contact.updated']);
    expect(undone.contacts.map(({ contactId }) => contactId)).toEqual([kept.contactId, other.contactId]);
    expect(partings).toMatchObject([[{ phoneNumber, lid: null }, { lid }]]);
    expect(rows.find(other.contactId)).toEqual(other);
    expect(merges.newest(null, 9, null, now)).toEqual([]);
  });

  test('are not parted any more where the one that was kept is gone', () => {
    const { put, merges, rows } = knownContacts();
    const [kept, other] = [put({ phoneNumber }), put({ lid })];
    const done = merges.merge(kept.contactId, other.contactId, now);
    const current = rows.find(kept.contactId);
    if (done === null || !done.ok || current === null) throw new Error('they did not become one');
    rows.remove(current);
    expect(merges.newest(null, 9, null, now)).toMatchObject([{ canUndo: false }]);
    expect(merges.undo(done.mergeId, now)).toBeNull();
  });

  test('are none where one of them is not there, and keep nothing of merges that are older than thirty days', () => {
    const { put, merges, sql } = knownContacts();
    const [kept, other, more] = [put({ phoneNumber }), put({ lid }), put({ phoneNumber: '628999000111' })];
    expect(merges.merge(kept.contactId, 'gone', now)).toBeNull();
    expect(merges.merge('gone', other.contactId, now)).toBeNull();
    merges.merge(kept.contactId, other.contactId, now);
    const last = put({ lid: '100000000000099' });
    merges.merge(more.contactId, last.contactId, now + undoMs + 1);
    expect(sql.exec('SELECT contact_id FROM contact_merges').toArray()).toEqual([
      { contact_id: more.contactId },
    ]);
  });

  test('are listed one more than a page holds, behind the last of the page before', () => {
    const { put, merges } = knownContacts();
    const mergeIds = [1, 2, 3].map((index) => {
      const done = merges.merge(
        put({ phoneNumber: `62800000000${index}` }).contactId,
        put({ lid: `10000000000000${index}` }).contactId,
        now,
      );
      return done?.ok ? done.mergeId : '';
    });
    const ids = (limit: number, before: string | null) =>
      merges.newest(null, limit, before, now).map(({ mergeId }) => mergeId);
    expect(ids(1, null)).toEqual([mergeIds[2], mergeIds[1]]);
    expect(ids(9, mergeIds[2] ?? '')).toEqual([mergeIds[1], mergeIds[0]]);
  });
});

describe('attributes', () => {
  test('have the type of their first value until somebody declares another; what does not fit is refused by name', () => {
    const { definitions } = knownContacts();
    expect(definitions.note({})).toEqual([]);
    expect(definitions.note({ orders: 3, city: 'Lima', vip: true })).toEqual([]);
    expect(definitions.types()).toEqual({ orders: 'number', city: 'text', vip: 'boolean' });
    expect(definitions.all().every(({ declared }) => !declared)).toBe(true);
    expect(definitions.note({ orders: 'three', added: 'x' }).map(({ name }) => name)).toEqual(['orders']);
    // Nothing of what was refused stays.
    expect(definitions.find('added')).toBeNull();
    definitions.declare('orders', 'text');
    expect(definitions.find('orders')).toEqual({ name: 'orders', type: 'text', declared: true });
    expect(definitions.note({ orders: 'three' })).toEqual([]);
    expect(definitions.remove('orders')).toBe(true);
    expect(definitions.remove('orders')).toBe(false);
  });

  test('are two hundred at most, and those beyond are named', () => {
    const { definitions } = knownContacts();
    for (let index = 0; index < 199; index += 1) definitions.declare(`a${index}`, 'text');
    expect([definitions.hasRoomFor(1), definitions.hasRoomFor(2)]).toEqual([true, false]);
    expect(definitions.note({ one: 'x', two: 'y', a0: 'z' }).map(({ name }) => name)).toEqual(['one', 'two']);
    expect(definitions.note({ one: 'x', a0: 'z' })).toEqual([]);
    expect(definitions.note({ a0: 'z' })).toEqual([]);
    expect(definitions.hasRoomFor(0)).toBe(true);
  });
});
