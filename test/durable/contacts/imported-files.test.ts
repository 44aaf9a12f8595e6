import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { AttributeDefinitions } from '../../../src/durable/event-log/contacts/attribute-definitions.ts';
import { ContactRows } from '../../../src/durable/event-log/contacts/contact-rows.ts';
import { ContactImports } from '../../../src/durable/event-log/contacts/imports/contact-imports.ts';
import type { FileSlice } from '../../../src/durable/event-log/contacts/imports/import-rows.ts';
import { ImportedContacts, ImportRows } from '../../../src/durable/event-log/contacts/imports/import-rows.ts';
import { LeftImportFiles } from '../../../src/durable/event-log/contacts/imports/left-files.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';

const about = {
  consentSource: 'fair',
  labels: ['2026'],
  fileName: null,
  defaultCountry: null,
  mapping: { phone: 'phoneNumber', shoes: 'attributes.shoes:number' },
  shape: { bytes: 300, columns: ['phone', 'shoes'], delimiter: ',', newline: '\n', start: 10 },
};
const person = (n: number) => ({ phoneNumber: `6281234567${n}`, labels: ['vip'], attributes: {} });
const refused = (row: number) => ({
  row,
  code: 'VALIDATION_ERROR' as const,
  path: 'phoneNumber',
  message: 'No.',
});

/** Imports of a log, whose files are read by the test. */
function inLog(check: (log: ReturnType<typeof logOver>) => Promise<void>) {
  return runInDurableObject(env.EVENT_LOG.getByName(newUuid()), (_, { storage }) => check(logOver(storage)));
}

function logOver(storage: DurableObjectStorage) {
  const { sql } = storage;
  const contacts = new ContactRows(sql);
  const [rows, members] = [new ImportRows(sql), new ImportedContacts(sql)];
  const slices = new Map<string, (place: number) => FileSlice | Promise<FileSlice>>();
  const asked: number[] = [];
  const forgotten: string[] = [];
  /** One for each time that a file cannot be deleted. */
  const refusals: true[] = [];
  const calls = {
    slice: async ({ importId, place }: { importId: string; place: number }) => {
      asked.push(place);
      const read = slices.get(importId);
      if (read === undefined) throw new Error('the file cannot be read');
      return read(place);
    },
    forget: async (_: string, importId: string) => {
      if (refusals.pop() !== undefined) throw new Error('the file cannot be deleted');
      forgotten.push(importId);
    },
  };
  const definitions = new AttributeDefinitions(sql);
  const filesOf = () => new LeftImportFiles(sql, 'account', calls);
  const parts = { storage, accountId: 'account', rows, members, contacts, definitions, calls };
  return {
    rows,
    members,
    contacts,
    slices,
    asked,
    forgotten,
    refusals,
    filesOf,
    imports: (files = filesOf()) => new ContactImports({ ...parts, files }),
    definitions,
  };
}

const slice = (place: number, more: Partial<FileSlice> = {}): FileSlice => ({
  contacts: [],
  refused: [],
  place,
  row: place / 10,
  isLast: place >= 300,
  ...more,
});

test('a file goes on in another life of the log where it was, and a slice that two have read counts once', () =>
  inLog(async ({ imports, rows, contacts, members, slices, asked, forgotten }) => {
    const importId = newUuid();
    imports().begin(importId, about, 1_000);
    const [one, other] = [imports(), imports()];
    slices.set(importId, (place) =>
      place === 10
        ? slice(150, { contacts: [person(1), person(2)], refused: [refused(3)] })
        : slice(300, { contacts: [person(2), person(3)], refused: [refused(20), refused(21)] }),
    );
    await Promise.all([one.step(), other.step()]);
    expect(rows.find(importId)).toMatchObject({
      place: 150,
      row: 15,
      created: 2,
      updated: 0,
      refusedCount: 1,
    });
    expect(forgotten).toEqual([]);
    expect(imports().begin(importId, about, 9_000)).toMatchObject({ place: 150, createdAt: 1_000 });
    await imports().step();
    expect(asked).toEqual([10, 10, 150]);
    expect(rows.find(importId)).toMatchObject({
      ...{ status: 'finished', created: 3, updated: 1, refusedCount: 3, row: 30, problem: null },
      refused: [refused(3), refused(20), refused(21)],
      finishedAt: expect.any(Number),
    });
    expect(forgotten).toEqual([importId]);
    expect(await imports().step()).toBe(false);
    expect(members.page(importId, null, 10)).toHaveLength(3);
    expect(contacts.byPhone(person(2).phoneNumber)).toMatchObject({
      labels: ['2026', 'vip'],
      consent: { source: 'fair', at: 1_000 },
    });
  }));

test('what an import says of somebody is added to what is known of them, and what it does not say stays', () =>
  inLog(async ({ imports, contacts, members }) => {
    const take = (contact: object, at: number) =>
      imports().takeAll(
        newUuid(),
        about,
        [{ row: 1, contact: { ...person(1), ...contact } }],
        [refused(2)],
        at,
      );
    take({ name: 'Budi', timeZone: 'Asia/Jakarta', attributes: { city: 'Solo', shop: 'A' } }, 1_000);
    const second = take({ labels: ['blue'], attributes: { shop: 'B' } }, 2_000);
    expect(second).toMatchObject({ created: 0, updated: 1, row: 2, refusedCount: 1 });
    expect(members.page(second.importId, null, 10)).toHaveLength(1);
    expect(contacts.byPhone(person(1).phoneNumber)).toMatchObject({
      ownName: 'Budi',
      timeZone: 'Asia/Jakarta',
      labels: ['2026', 'vip', 'blue'],
      attributes: { city: 'Solo', shop: 'B' },
      consent: { at: 2_000 },
    });
  }));

test('imports are read the oldest first, and one that cannot be read to its end says so and lets the next one begin', () =>
  inLog(async ({ imports, rows, slices, forgotten }) => {
    const [first, second] = [newUuid(), newUuid()];
    const running = imports();
    running.begin(second, about, 2_000);
    running.begin(first, about, 1_000);
    slices.set(first, () => slice(150, { contacts: [person(1)], problem: 'Row 8 has no end.' }));
    slices.set(second, () => slice(300, { contacts: [person(2)] }));
    await running.step();
    expect(rows.find(first)).toMatchObject({ status: 'failed', created: 1, problem: 'Row 8 has no end.' });
    expect([rows.find(second)?.status, running.isRunning()]).toEqual(['running', true]);
    await running.step();
    expect(rows.find(second)).toMatchObject({ status: 'finished' });
    expect(forgotten).toEqual([first, second]);
  }));

test('a file that cannot be had is given up after twenty tries, and waits between them', () =>
  inLog(async ({ imports, rows }) => {
    const importId = newUuid();
    const running = imports();
    running.begin(importId, about, 1_000);
    for (let tried = 1; tried < 20; tried += 1) {
      await running.run(Date.now());
      expect((running.dueAt() ?? 0) - Date.now()).toBeGreaterThan(10_000);
    }
    expect(rows.find(importId)?.status).toBe('running');
    await running.run(Date.now());
    expect(rows.find(importId)).toMatchObject({
      status: 'failed',
      problem: expect.stringContaining('once more'),
    });
    expect(running.dueAt()).toBeNull();
  }));

test('the file of an import that is given up is deleted', () =>
  inLog(async ({ imports, rows, forgotten }) => {
    const importId = newUuid();
    const running = imports();
    running.begin(importId, about, 1_000);
    for (let tried = 1; tried < 20; tried += 1) await running.run(Date.now());
    expect(forgotten).toEqual([]);
    await running.run(Date.now());
    expect(rows.find(importId)?.status).toBe('failed');
    expect(forgotten).toEqual([importId]);
  }));

test('a file that cannot be deleted at the end of its import is deleted later, also in another life', () =>
  inLog(async ({ imports, rows, slices, forgotten, refusals, filesOf }) => {
    const importId = newUuid();
    const files = filesOf();
    const running = imports(files);
    running.begin(importId, about, 1_000);
    slices.set(importId, () => slice(300, { contacts: [person(1)] }));
    refusals.push(true, true);
    expect(await running.step()).toBe(true);
    expect(rows.find(importId)).toMatchObject({ status: 'finished', created: 1 });
    expect((files.dueAt() ?? 0) - Date.now()).toBeGreaterThan(10_000);
    await files.run(Date.now());
    expect((files.dueAt() ?? 0) - Date.now()).toBeGreaterThan(20_000);
    expect(forgotten).toEqual([]);
    const later = filesOf();
    expect(later.dueAt()).toBe(1);
    await later.run(Date.now());
    expect(forgotten).toEqual([importId]);
    expect(later.dueAt()).toBeNull();
    expect(filesOf().dueAt()).toBeNull();
  }));

test('a file that is given up leaves the next one all of its tries too', () =>
  inLog(async ({ imports, rows }) => {
    const [first, second] = [newUuid(), newUuid()];
    const running = imports();
    running.begin(first, about, 1_000);
    running.begin(second, about, 2_000);
    for (let tried = 1; tried < 40; tried += 1) await running.run(Date.now());
    expect([first, second].map((id) => rows.find(id)?.status)).toEqual(['failed', 'running']);
    await running.run(Date.now());
    expect(rows.find(second)?.status).toBe('failed');
  }));

test('a file that could be had in the end leaves the next one all of its tries', () =>
  inLog(async ({ imports, rows, slices }) => {
    const [first, second] = [newUuid(), newUuid()];
    const running = imports();
    running.begin(first, about, 1_000);
    for (let tried = 1; tried < 20; tried += 1) await running.run(Date.now());
    slices.set(first, () => slice(300));
    await running.run(Date.now());
    expect(rows.find(first)?.status).toBe('finished');
    running.begin(second, about, 2_000);
    await running.run(Date.now());
    expect(rows.find(second)?.status).toBe('running');
  }));

test('a file whose column does not fit the type of an attribute is refused whole, and declares nothing', () =>
  inLog(async ({ imports, rows, definitions }) => {
    definitions.declare('shoes', 'text');
    const importId = newUuid();
    const mapping = { ...about.mapping, size: 'attributes.size:number' };
    const refusal = imports().begin(importId, { ...about, mapping }, 1_000);
    expect(refusal).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: 'mapping.shoes' }] });
    expect([rows.find(importId), definitions.types()]).toEqual([null, { shoes: 'text' }]);
  }));

test('a file with a new attribute is refused where the account has as many as it may have, and one without is not', () =>
  inLog(async ({ imports, rows, definitions }) => {
    for (let index = 0; index < 199; index += 1) definitions.declare(`a${index}`, 'text');
    const importId = newUuid();
    const mapping = { ...about.mapping, size: 'attributes.size:number' };
    const refusal = imports().begin(importId, { ...about, mapping }, 1_000);
    expect(refusal).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: 'mapping' }] });
    expect(rows.find(importId)).toBeNull();
    expect(imports().begin(importId, about, 1_000)).toMatchObject({ status: 'running' });
  }));

test('a row whose attribute is of another type is refused in its place, and nobody is made of it', () =>
  inLog(async ({ imports, contacts, definitions }) => {
    definitions.declare('shoes', 'number');
    const rowOf = (row: number, shoes: number | string) => ({
      row,
      contact: { ...person(row), attributes: { shoes } },
    });
    const taken = imports().takeAll(
      newUuid(),
      about,
      [rowOf(1, 'x'), rowOf(2, 42), rowOf(4, 'y')],
      [refused(3)],
      1_000,
    );
    expect(taken).toMatchObject({
      created: 1,
      row: 4,
      refusedCount: 3,
      refused: [{ row: 1 }, { row: 3 }, { row: 4 }],
    });
    expect([1, 2, 4].map((n) => contacts.byPhone(person(n).phoneNumber) !== null)).toEqual([
      false,
      true,
      false,
    ]);
  }));

test('all rows that are refused are counted, and the first hundred of them are shown', () =>
  inLog(async ({ imports, rows, slices }) => {
    const importId = newUuid();
    imports().begin(importId, about, 1_000);
    const refusedFrom = (first: number) => Array.from({ length: 70 }, (_, index) => refused(first + index));
    slices.set(importId, (place) =>
      place === 10 ? slice(150, { refused: refusedFrom(1) }) : slice(300, { refused: refusedFrom(71) }),
    );
    while (await imports().step());
    const found = rows.find(importId);
    expect(found).toMatchObject({ status: 'finished', refusedCount: 140 });
    expect(found?.refused.map(({ row }) => row)).toEqual(
      Array.from({ length: 100 }, (_, index) => index + 1),
    );
  }));

test('imports are listed a page at a time, the newest first, also those that began in the same moment', () =>
  inLog(async ({ imports, rows }) => {
    const ids = Array.from({ length: 4 }, () => newUuid()).toSorted();
    for (const importId of ids) imports().begin(importId, { ...about, mapping: {} }, 1_000);
    const later = newUuid();
    imports().begin(later, { ...about, mapping: {} }, 2_000);
    const found: string[] = [];
    for (let before: string | null = null; ; before = found.at(-1) ?? null) {
      const page = rows.page(2, before);
      found.push(...page.slice(0, 2).map(({ importId }) => importId));
      if (page.length <= 2) break;
    }
    expect(found).toEqual([later, ...ids.toReversed()]);
  }));
