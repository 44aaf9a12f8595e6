import { afterEach, describe, expect, test, vi } from 'vitest';
import { ContactImports } from '../../../../src/durable/event-log/contacts/imports/contact-imports.ts';
import type {
  FileSlice,
  ImportAbout,
  ImportedContact,
  SliceAsked,
} from '../../../../src/durable/event-log/contacts/imports/import-rows.ts';
import { LeftImportFiles } from '../../../../src/durable/event-log/contacts/imports/left-files.ts';
import { knownContacts, now } from './known-contacts.ts';

const phoneNumber = '628123456789';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const about = (more: Partial<ImportAbout> = {}): ImportAbout => ({
  ...{ consentSource: 'fair', labels: ['2026'], fileName: null, defaultCountry: null, mapping: {} },
  shape: null,
  ...more,
});
const aFile = (more: Partial<ImportAbout> = {}) =>
  about({
    mapping: { phone: 'phoneNumber' },
    shape: { bytes: 300, columns: ['phone'], delimiter: ',', newline: '\n', start: 10 },
    ...more,
  });
const person = (more: Partial<ImportedContact> = {}): ImportedContact => ({
  ...{ phoneNumber, labels: [], attributes: {} },
  ...more,
});

function newImports() {
  const known = knownContacts();
  const { storage, sql, imports: rows, members, rows: contacts, definitions } = known;
  const asked: SliceAsked[] = [];
  const forgotten: string[] = [];
  const state = { slice: {} as Partial<FileSlice>, isStorageAway: false };
  const calls = {
    slice: async (one: SliceAsked): Promise<FileSlice> => {
      asked.push(one);
      return { contacts: [], refused: [], place: 300, row: 1, isLast: true, ...state.slice };
    },
    forget: async (_: string, importId: string) => {
      if (state.isStorageAway) throw new Error('the storage is away');
      forgotten.push(importId);
    },
  };
  const files = new LeftImportFiles(sql, 'account', calls);
  const parts = { storage: storage as unknown as DurableObjectStorage, accountId: 'account', rows, members };
  const imports = new ContactImports({ ...parts, contacts, definitions, calls, files });
  return { ...known, importRows: rows, imports, files, asked, forgotten, state };
}

describe('contacts that are imported', () => {
  test('are added to what is known: what the import says counts, what it does not say stays, and labels add up', () => {
    const { imports, put, everybody } = newImports();
    put({
      ...{ phoneNumber, ownName: 'Ana', timeZone: 'Asia/Jakarta', labels: ['old'], pushName: 'ana' },
      ...{ attributes: { city: 'Lima', orders: 1 }, consent: { source: 'form', at: now - 5 } },
    });
    const said = person({ labels: ['vip', 'old'], attributes: { orders: 2 } });
    const row = { row: 1, contact: said };
    expect(imports.takeAll('one', about(), [row], [], now)).toMatchObject({ created: 0, updated: 1 });
    expect(everybody()).toMatchObject([
      {
        ...{
          ownName: 'Ana',
          timeZone: 'Asia/Jakarta',
          pushName: 'ana',
          consent: { source: 'fair', at: now },
        },
        ...{ labels: ['old', '2026', 'vip'], attributes: { city: 'Lima', orders: 2 } },
      },
    ]);
    imports.takeAll(
      'two',
      about({ labels: [] }),
      [{ row: 1, contact: person({ name: 'Anna', timeZone: 'Asia/Makassar' }) }],
      [],
      now + 1,
    );
    expect(everybody()).toMatchObject([{ ownName: 'Anna', timeZone: 'Asia/Makassar' }]);
  });

  test('are who they are by whatever digits they are dialled, and one that stands there twice is added once', () => {
    const { imports, put, rows, everybody, members } = newImports();
    const known = put({ phoneNumber: '551187654321' });
    rows.renumber('5511987654321', '551187654321');
    const numbered = ['5511987654321', '551187654321', phoneNumber, phoneNumber].map((phone, index) => ({
      row: index + 1,
      contact: person({ phoneNumber: phone }),
    }));
    expect(imports.takeAll('one', about(), numbered, [], now)).toMatchObject({
      ...{ status: 'finished', created: 1, updated: 3, row: 4, refusedCount: 0, finishedAt: now },
    });
    expect(everybody()).toHaveLength(2);
    expect(members.page('one', null, 9)).toHaveLength(2);
    expect(members.page('one', null, 9)).toContain(known.contactId);
  });

  test('are refused in the order of their rows, also where an attribute is of another type', () => {
    const { imports, definitions, everybody } = newImports();
    definitions.declare('orders', 'number');
    const refused = { row: 3, code: 'RECIPIENT_INVALID' as const, path: 'phoneNumber', message: 'No.' };
    const rows = [
      { row: 1, contact: person({ attributes: { orders: 'three' } }) },
      { row: 2, contact: person({ attributes: { orders: 3 } }) },
    ];
    const done = imports.takeAll('one', about(), rows, [refused], now);
    expect(done).toMatchObject({ created: 1, refusedCount: 2, row: 3 });
    expect(done.refused.map(({ row, path }) => [row, path])).toEqual([
      [1, 'attributes.orders'],
      [3, 'phoneNumber'],
    ]);
    expect(everybody()).toMatchObject([{ attributes: { orders: 3 } }]);
  });

  test('are taken once under the id of their import', () => {
    const { imports } = newImports();
    const first = imports.takeAll('one', about(), [{ row: 1, contact: person() }], [], now);
    const rows = [{ row: 1, contact: person({ phoneNumber: '628999000111' }) }];
    expect(imports.takeAll('one', about({ consentSource: 'other' }), rows, [], now + 5)).toEqual(first);
  });
});

describe('a file of contacts', () => {
  test('is read from behind its head on, with what is known of its columns, until its last slice', async () => {
    const { imports, asked, state, everybody, forgotten, definitions } = newImports();
    definitions.declare('orders', 'number');
    expect(imports.dueAt()).toBeNull();
    imports.begin('one', aFile({ defaultCountry: 'ID' }), now);
    expect(imports.dueAt()).toBe(1);
    state.slice = { contacts: [person()], place: 100, row: 1, isLast: false };
    expect(await imports.step()).toBe(true);
    state.slice = { contacts: [person()], place: 300, row: 2, isLast: true };
    expect(await imports.follow('one', 0)).toMatchObject({ status: 'running', place: 100, row: 1 });
    expect(await imports.follow('one', 1_000)).toMatchObject({
      ...{ status: 'finished', place: 300, row: 2, created: 1, updated: 1, problem: null },
    });
    expect(asked).toMatchObject([
      {
        importId: 'one',
        accountId: 'account',
        place: 10,
        row: 0,
        defaultCountry: 'ID',
        types: { orders: 'number' },
      },
      { place: 100, row: 1 },
    ]);
    expect(everybody()).toHaveLength(1);
    expect(forgotten).toEqual(['one']);
    expect(await imports.step()).toBe(false);
    expect(imports.dueAt()).toBeNull();
    await expect(imports.follow('gone', 0)).rejects.toThrow();
  });

  test('counts a slice once that two have read', async () => {
    const { imports, state, importRows } = newImports();
    imports.begin('one', aFile(), now);
    state.slice = { contacts: [person()], place: 100, row: 1, isLast: false };
    await Promise.all([imports.step(), imports.step()]);
    expect(importRows.find('one')).toMatchObject({ place: 100, row: 1, created: 1, updated: 0 });
  });

  test('that cannot be read further is over, says why, and keeps what came in before', async () => {
    const { imports, state, importRows, forgotten } = newImports();
    imports.begin('one', aFile(), now);
    const refused = [{ row: 1, code: 'VALIDATION_ERROR' as const, path: 'row', message: 'No.' }];
    state.slice = {
      contacts: [person()],
      refused,
      place: 100,
      row: 2,
      isLast: false,
      problem: 'It has no end.',
    };
    await imports.step();
    expect(importRows.find('one')).toMatchObject({
      ...{ status: 'failed', problem: 'It has no end.', created: 1, refusedCount: 1, refused },
      finishedAt: expect.any(Number),
    });
    expect(forgotten).toEqual(['one']);
  });

  test('begins once under its id, and declares the attributes that it brings', () => {
    const { imports, definitions } = newImports();
    const mapping = {
      phone: 'phoneNumber',
      shoes: 'attributes.shoes:number',
      city: 'attributes.city',
    } as const;
    const begun = imports.begin('one', aFile({ mapping }), now);
    expect(begun).toMatchObject({ status: 'running', createdAt: now, place: 10, row: 0 });
    expect(definitions.all()).toEqual([
      { name: 'city', type: 'text', declared: true },
      { name: 'shoes', type: 'number', declared: true },
    ]);
    expect(imports.begin('one', aFile(), now + 5)).toEqual(begun);
    const other = { phone: 'phoneNumber', shoes: 'attributes.shoes:date' } as const;
    expect(imports.begin('two', aFile({ mapping: other }), now)).toMatchObject({
      ...{ ok: false, code: 'VALIDATION_ERROR', details: [{ path: 'mapping.shoes' }] },
    });
    const same = { phone: 'phoneNumber', shoes: 'attributes.shoes:number', more: 'attributes.city' } as const;
    expect(imports.begin('two', aFile({ mapping: same }), now)).toMatchObject({ status: 'running' });
  });
});

describe('the file of an import that is over', () => {
  test('is deleted later where it cannot be now, after longer and longer waits, an hour at most; the next begins anew', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now });
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { files, forgotten, state } = newImports();
    expect(files.dueAt()).toBeNull();
    files.add('one');
    expect(files.dueAt()).toBe(1);
    state.isStorageAway = true;
    const waits: number[] = [];
    for (let time = 0; time < 11; time += 1) {
      await files.run(Date.now());
      waits.push((files.dueAt() ?? 0) - Date.now());
    }
    expect(waits.map((ms) => ms / 1_000)).toEqual([
      15, 30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600, 3_600,
    ]);
    state.isStorageAway = false;
    await files.run(Date.now());
    expect(forgotten).toEqual(['one']);
    expect(files.dueAt()).toBeNull();
    files.add('two');
    state.isStorageAway = true;
    await files.run(Date.now());
    expect((files.dueAt() ?? 0) - Date.now()).toBe(15_000);
  });
});

describe('imports', () => {
  test('are listed the newest first, page by page, with the first hundred of their refused rows', () => {
    const { imports, importRows } = newImports();
    const refused = Array.from({ length: 130 }, (_, index) => ({
      ...{ row: index + 1, code: 'VALIDATION_ERROR' as const, path: 'row', message: 'No.' },
    }));
    imports.takeAll('a', about(), [], refused, now);
    imports.takeAll('b', about(), [], [], now + 1);
    imports.takeAll('c', about(), [], [], now + 1);
    const ids = (limit: number, before: string | null) =>
      importRows.page(limit, before).map(({ importId }) => importId);
    expect(ids(2, null)).toEqual(['c', 'b', 'a']);
    expect(ids(1, null)).toEqual(['c', 'b']);
    expect(ids(2, 'c')).toEqual(['b', 'a']);
    expect(ids(2, 'a')).toEqual([]);
    expect(importRows.page(9, 'b')[0]?.refused).toHaveLength(100);
    // Of JSON they stand nowhere else.
    expect(importRows.find('a')).toMatchObject({ refusedCount: 130 });
    expect(importRows.find('a')?.refused).toHaveLength(130);
  });

  test('of a file keep the first hundred of its refused rows, and count all', async () => {
    const { imports, importRows, state } = newImports();
    imports.begin('one', aFile(), now);
    const refused = Array.from({ length: 80 }, (_, index) => ({
      ...{ row: index + 1, code: 'VALIDATION_ERROR' as const, path: 'row', message: 'No.' },
    }));
    state.slice = { refused, place: 100, row: 80, isLast: false };
    await imports.step();
    state.slice = { refused, place: 300, row: 160 };
    await imports.step();
    expect(importRows.find('one')).toMatchObject({ refusedCount: 160, row: 160 });
    expect(importRows.find('one')?.refused).toHaveLength(100);
  });

  test('go on the oldest first', async () => {
    const { imports, importRows, asked } = newImports();
    imports.begin('young', aFile(), now + 5);
    imports.begin('old', aFile(), now);
    expect(importRows.running().map(({ importId }) => importId)).toEqual(['old', 'young']);
    await imports.step();
    await imports.step();
    expect(asked.map(({ importId }) => importId)).toEqual(['old', 'young']);
  });

  test('are for whoever a contact is a part of, for itself when it is parted again, and not for who is gone', () => {
    const { imports, audience, everybody, put, rows, merges } = newImports();
    imports.takeAll('one', about(), [{ row: 1, contact: person() }], [], now);
    const [first] = everybody();
    const other = put({ lid: '100000000000017' });
    if (!first) throw new Error('nobody is there');
    const ids = () => {
      const page = audience.page({ csv: 'one' }, null, 9, now);
      return page.ok && page.members.map(({ contactId }) => contactId);
    };
    const merged = merges.merge(other.contactId, first.contactId, now);
    expect(ids()).toEqual([other.contactId]);
    merges.undo(merged?.ok ? merged.mergeId : '', now);
    expect(ids()).toEqual([first.contactId]);
    merges.merge(other.contactId, first.contactId, now);
    const joined = rows.find(other.contactId);
    if (joined === null) throw new Error('nobody is there');
    rows.remove(joined);
    expect(ids()).toEqual([]);
  });
});
