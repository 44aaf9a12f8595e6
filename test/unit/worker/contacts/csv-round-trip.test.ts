import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SliceAsked } from '../../../../src/durable/event-log/contacts/imports/import-rows.ts';
import {
  labelCell,
  shapeOf,
  usualMapping,
} from '../../../../src/worker/features/contacts/imports/files/csv-shape.ts';
import { readRows } from '../../../../src/worker/features/contacts/imports/files/csv-slice.ts';
import { utf8Of, utf16Order } from '../../../../src/worker/features/contacts/imports/files/import-files.ts';
import { csvOf } from '../../../../src/worker/http/answer/csv.ts';

/** The contacts of a file, its bytes each a character. */
function read(bytes: Uint8Array, types: SliceAsked['types'] = {}) {
  const file = Buffer.from(bytes).toString('latin1');
  const shape = shapeOf(file, file.length);
  if (!shape.ok) throw new Error(shape.message);
  const mapping = usualMapping(shape.columns);
  const asked: SliceAsked = {
    ...{ accountId: 'account', importId: 'import', shape, mapping, defaultCountry: null },
    ...{ types, place: shape.start, row: 0 },
  };
  const { contacts, refused } = readRows(file.slice(shape.start), true, asked);
  expect(refused).toEqual([]);
  return contacts;
}

const trimmed = (text: string) => text.trim() === text && !text.includes('\0');
/** Texts as people have them, and those that a spreadsheet would run. */
const text = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
    fc
      .tuple(fc.constantFrom('=', '+', '-', '@', "'", "'@", "''=", '"', ';'), fc.string({ maxLength: 10 }))
      .map((parts) => parts.join('')),
  )
  .filter((it) => trimmed(it) && it.isWellFormed() && it !== '');

test('what is exported is imported as it was, also where a spreadsheet would have run it', () => {
  const contact = fc.record({
    name: text,
    labels: fc.uniqueArray(text, { maxLength: 3 }),
    note: text,
  });
  fc.assert(
    fc.property(fc.array(contact, { minLength: 1, maxLength: 4 }), (contacts) => {
      const rows = contacts.map(({ name, labels, note }) => ['628123456789', name, labelCell(labels), note]);
      const file = `\u{feff}${csvOf([['phoneNumber', 'name', 'labels', 'attributes.note']])}${csvOf(rows)}`;
      const back = read(new TextEncoder().encode(file));
      expect(back.map(({ name, labels, attributes }) => ({ name, labels, note: attributes.note }))).toEqual(
        contacts,
      );
    }),
  );
});

test('a number of any size is imported as it was exported', () => {
  const number = fc.oneof(
    fc.constantFrom(0, -1, 0.1, 1e21, -1e-7, Number.MAX_VALUE, Number.MIN_VALUE, Number.MAX_SAFE_INTEGER),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
  fc.assert(
    fc.property(number, (orders) => {
      const rows = [
        ['phoneNumber', 'attributes.orders'],
        ['628123456789', orders],
      ];
      const [back] = read(new TextEncoder().encode(csvOf(rows)), { orders: 'number' });
      // JSON knows no negative zero.
      expect(back?.attributes).toEqual({ orders: orders + 0 });
    }),
  );
});

test.each(['=1+1', '+62', '-1', '@ana', '\tx', "'@ana"])('%j is exported as no formula', (cell) => {
  expect(csvOf([[cell]])).toMatch(/^"?'/);
});

test('a first line says what stands between the cells', () => {
  for (const first of ['sep=;', '"sep=;"', 'SEP=;']) {
    const file = `\u{feff}${first}\r\nTelefone;Nome\r\n+628123456789;"Budi, Santoso"\r\n`;
    expect(read(new TextEncoder().encode(file))).toMatchObject([{ name: 'Budi, Santoso' }]);
  }
  expect(read(Buffer.from('sep=\t\nPhone\tName\n+628123456789\tA;B\n'))).toMatchObject([{ name: 'A;B' }]);
});

test.each([
  ['Nome,Celular,Etiquetas,Fuso horário'],
  ['Nombre,Teléfono móvil,Etiquetas,Zona horaria'],
  ['Nama lengkap,Nomor HP,Label,Zona waktu'],
  ['First Name,Phone 1 - Value,Group Membership,Time Zone'],
  ['First Name,Mobile Phone,Categories,Time zone'],
])('the columns %s are known', (columns) => {
  const file = `${columns}\nBudi,+628123456789,vip;retail,Asia/Jakarta\n`;
  expect(read(new TextEncoder().encode(file))).toEqual([
    {
      phoneNumber: '628123456789',
      name: 'Budi',
      labels: ['vip', 'retail'],
      timeZone: 'Asia/Jakarta',
      attributes: {},
    },
  ]);
});

test('of several phone numbers that of the mobile phone counts, and the first where a cell has two', () => {
  const outlook =
    'First Name,Business Phone,Home Phone,Mobile Phone\nBudi,+15550000001,+15550000002,+628123456789\n';
  expect(read(Buffer.from(outlook))).toMatchObject([{ phoneNumber: '628123456789' }]);
  const google =
    'Name,Labels,Phone 1 - Value\nBudi,* myContacts ::: Friends,+62 812-3456-789 ::: +1 555 000 0002\n';
  expect(read(Buffer.from(google))).toMatchObject([
    { phoneNumber: '628123456789', labels: ['myContacts', 'Friends'] },
  ]);
});

test.each(['LE', 'BE'] as const)('a file in UTF-16 %s is read, wherever it is cut', async (order) => {
  const text = '\ufeffPhone;Name\r\n+628123456789;José 😀 Zoë\r\n';
  const bytes = Buffer.from(text, 'utf16le');
  if (order === 'BE') bytes.swap16();
  expect(utf16Order(bytes)).toBe(order);
  for (const size of [1, 3, 7, bytes.length]) {
    const parts: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; at += size) parts.push(new Uint8Array(bytes.subarray(at, at + size)));
    const out: Uint8Array[] = [];
    for await (const part of utf8Of(asStream(parts), order)) out.push(part);
    expect(read(Buffer.concat(out))).toMatchObject([{ name: 'José 😀 Zoë' }]);
  }
});

async function* asStream(parts: readonly Uint8Array[]) {
  yield* parts;
}
