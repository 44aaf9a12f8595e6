import { describe, expect, test } from 'vitest';
import type { SliceAsked } from '../../../../src/durable/event-log/contacts/imports/import-rows.ts';
import {
  mappingRefusal,
  shapeOf,
  usualMapping,
} from '../../../../src/worker/features/contacts/imports/files/csv-shape.ts';
import { readRows } from '../../../../src/worker/features/contacts/imports/files/csv-slice.ts';

const bytesOf = (text: string, encoding: BufferEncoding = 'utf8') =>
  Buffer.from(text, encoding).toString('latin1');

function asked(file: string, more: Partial<SliceAsked> = {}): SliceAsked {
  const shape = shapeOf(file, file.length);
  if (!shape.ok) throw new Error(shape.message);
  return {
    accountId: 'account',
    importId: 'import',
    shape,
    mapping: usualMapping(shape.columns),
    defaultCountry: null,
    types: {},
    place: shape.start,
    row: 0,
    ...more,
  };
}

/** All rows of a file, read through a window of so many bytes. */
function readAll(file: string, more: Partial<SliceAsked> = {}, windowBytes = file.length) {
  let ask = asked(file, more);
  const contacts = [];
  const refused = [];
  while (ask.place < file.length) {
    let read = { contacts: [], refused: [], doubtful: [], bytes: 0, rows: 0 } as ReturnType<typeof readRows>;
    for (let length = windowBytes; read.bytes === 0; length *= 2) {
      const text = file.slice(ask.place, ask.place + length);
      read = readRows(text, ask.place + text.length >= file.length, ask);
    }
    contacts.push(...read.contacts);
    refused.push(...read.refused);
    ask = { ...ask, place: ask.place + read.bytes, row: ask.row + read.rows };
  }
  return { contacts, refused, rows: ask.row };
}

describe('a CSV file of contacts', () => {
  test('is read with its mark, quotes, and newlines in quotes', () => {
    const file = bytesOf(
      '\u{feff}Phone,Name,Tags\r\n+62 812-3456-789,"Santoso, ""Budi""",vip;retail\r\n+49 1512 3456789,"Anna\nBolika",\r\n',
    );
    expect(readAll(file)).toEqual({
      rows: 2,
      refused: [],
      contacts: [
        { phoneNumber: '628123456789', name: 'Santoso, "Budi"', labels: ['vip', 'retail'], attributes: {} },
        { phoneNumber: '4915123456789', name: 'Anna\nBolika', labels: [], attributes: {} },
      ],
    });
  });

  test.each([
    [',', 'commas'],
    [';', 'semicolons'],
    ['\t', 'tabs'],
    ['|', 'bars'],
  ])('is read with %j between its cells', (mark) => {
    const file = bytesOf(`Name${mark}Phone\nBudi${mark}+628123456789\n`);
    expect(readAll(file).contacts).toMatchObject([{ phoneNumber: '628123456789', name: 'Budi' }]);
  });

  test('is read as spreadsheets on Windows write it, and with lines that end in a carriage return alone', () => {
    expect(readAll(bytesOf('Phone;Name\r\n+628123456789;José\r\n', 'latin1')).contacts[0]?.name).toBe('José');
    expect(readAll(bytesOf('Phone;Name\r+628123456789;José\r+628123456780;Zoë')).contacts).toMatchObject([
      { name: 'José' },
      { name: 'Zoë' },
    ]);
  });

  test('comes out the same through whichever window it is read', () => {
    const lines = Array.from({ length: 60 }, (_, index) => {
      const number = `+62812345${String(index).padStart(4, '0')}`;
      if (index % 20 === 7) return `${number},Zoë,one cell too many`;
      return index % 3 === 0 ? `${number},"Ä ""quoted""\n line ${index}"` : `${number},Zoë ${index}`;
    });
    const file = bytesOf(`Phone,Name\n${lines.join('\r\n')}`);
    const whole = readAll(file);
    expect(whole.contacts).toHaveLength(57);
    expect(whole.refused.map(({ row }) => row)).toEqual([8, 28, 48]);
    for (const windowBytes of [16, 17, 33, 64, 100, 501])
      expect(readAll(file, {}, windowBytes)).toEqual(whole);
  });

  test('has its empty lines left out, and rows with too many cells refused by their number', () => {
    const file = bytesOf('Phone,Name\n\n+628123456789,Budi\n , \n+628123456780,Dewi,Jakarta\n');
    expect(readAll(file)).toMatchObject({
      rows: 2,
      contacts: [{ name: 'Budi' }],
      refused: [{ row: 2, path: 'row', cells: ['+628123456780', 'Dewi', 'Jakarta'] }],
    });
  });

  test('with a cell of a megabyte has that row refused, and the rest read', () => {
    const file = bytesOf(
      `Phone,attributes.note\n+628123456789,${'x'.repeat(1_048_576)}\n+628123456780,short\n`,
    );
    expect(readAll(file, {}, 65_536)).toMatchObject({
      contacts: [{ phoneNumber: '628123456780', attributes: { note: 'short' } }],
      refused: [{ row: 1, code: 'VALIDATION_ERROR', path: 'attributes.note' }],
    });
  });

  test('has a row with a quote that is never closed refused', () => {
    const file = bytesOf('Phone,Name\n+628123456789,Budi\n+628123456780,"Dewi\n+628123456781,Ani\n');
    expect(readAll(file)).toMatchObject({ contacts: [{ name: 'Budi' }], refused: [{ row: 2, path: 'row' }] });
  });

  test.each([
    ['', 'The phone number is missing.'],
    ['call me', 'Not a phone number.'],
    ['12', 'Not a phone number with country code.'],
    ['6.28123E+11', 'A spreadsheet has rounded it'],
    ['6.28E+12', 'A spreadsheet has rounded it'],
    ['628123450077.0', 'It has a decimal point'],
    ['"628123450077,0"', 'It has a decimal point'],
    ['0812 3456 789', 'Not a phone number with country code.'],
  ])('has a row refused whose phone number is %j', (cell, message) => {
    const [refused] = readAll(bytesOf(`Phone;Name\n${cell};Budi\n`)).refused;
    expect(refused).toMatchObject({ row: 1, code: 'RECIPIENT_INVALID', path: 'phoneNumber' });
    expect(refused?.message).toContain(message);
  });

  test.each([
    ['name', `${'n'.repeat(101)},,`],
    ['labels', `,${Array.from({ length: 51 }, (_, index) => `l${index}`).join(';')},`],
    ['labels', `,${'l'.repeat(51)},`],
    ['timeZone', ',,Mars/Olympus'],
  ])('has a row refused for its %s', (path, cells) => {
    const file = bytesOf(`phoneNumber,name,labels,timeZone\n628123456789,${cells}\n`);
    expect(readAll(file)).toMatchObject({ contacts: [], refused: [{ row: 1, path }] });
  });

  test('has digits taken that no numbering plan knows, where the account knows somebody by them', () => {
    const file = bytesOf('phoneNumber\n9990000000000\n9990000000001\n5215512345678\n');
    const ask = asked(file);
    const first = readRows(file.slice(ask.place), true, ask);
    expect(first.doubtful).toEqual(['9990000000000', '9990000000001']);
    expect(first.contacts.map(({ phoneNumber }) => phoneNumber)).toEqual(['5215512345678']);
    const read = readRows(file.slice(ask.place), true, ask, new Set(['9990000000000']));
    expect(read.contacts.map(({ phoneNumber }) => phoneNumber)).toEqual(['9990000000000', '5215512345678']);
    expect(read.refused).toMatchObject([{ row: 2, code: 'RECIPIENT_INVALID', path: 'phoneNumber' }]);
  });

  test('has phone numbers without a country read as of the default country, and the others as they say', () => {
    const numbers = ['0812-3456-789', '812 3456 789', '628123456789', '+4915123456789', '004915123456789'];
    const file = bytesOf(`Phone\n${numbers.join('\n')}\n"'+62 (812) 3456.789"\n`);
    expect(readAll(file, { defaultCountry: 'ID' }).contacts.map(({ phoneNumber }) => phoneNumber)).toEqual([
      '628123456789',
      '628123456789',
      '628123456789',
      '4915123456789',
      '4915123456789',
      '628123456789',
    ]);
  });

  test('has its attributes read by their types, and those refused that do not fit', () => {
    const mapping = {
      Phone: 'phoneNumber',
      Orders: 'attributes.orders',
      Vip: 'attributes.vip:boolean',
      Since: 'attributes.since:date',
    };
    const types = { orders: 'number' } as const;
    const rows = ['+628123456781,3.5,yes,2026-01-31', '+628123456782,many,no,', '+628123456783,1,maybe,'];
    const file = bytesOf(
      `Phone,Orders,Vip,Since\n${rows.join('\n')}\n+628123456784,,,31.01.2026\n+628123456785,,,`,
    );
    const { contacts, refused } = readAll(file, { mapping, types });
    expect(contacts.map(({ attributes }) => attributes)).toEqual([
      { orders: 3.5, vip: true, since: '2026-01-31' },
      {},
    ]);
    expect(refused.map(({ row, path }) => [row, path])).toEqual([
      [2, 'attributes.orders'],
      [3, 'attributes.vip'],
      [4, 'attributes.since'],
    ]);
  });

  test('is read behind the line in which a spreadsheet names its separator', () => {
    const { contacts, refused } = readAll(bytesOf('sep=;\r\nPhone;Name\r\n+628123456781;Budi\r\n'));
    expect(refused).toEqual([]);
    expect(contacts).toMatchObject([{ phoneNumber: '628123456781', name: 'Budi' }]);
  });

  test('has a row refused that holds a byte of no text', () => {
    const head = bytesOf('Phone,attributes.note\n');
    const { contacts, refused } = readRows('+628123456781,a\0b\n+628123456782,ab\n', true, asked(head));
    expect(contacts).toMatchObject([{ phoneNumber: '628123456782', attributes: { note: 'ab' } }]);
    expect(refused).toMatchObject([{ row: 1, path: 'attributes.note', message: 'Not valid text.' }]);
  });

  test('may have an attribute that is called as what every object has', () => {
    const { contacts, refused } = readAll(bytesOf('Phone,attributes.constructor\n+628123456781,Acme\n'));
    expect(refused).toEqual([]);
    expect(contacts).toMatchObject([{ attributes: { constructor: 'Acme' } }]);
  });
});

describe('the columns of a file', () => {
  test('are known by usual names, and can be named', () => {
    expect(usualMapping(['Full name', 'WhatsApp number', 'attributes.city', 'Notes', 'Phone'])).toEqual({
      'Full name': 'name',
      'WhatsApp number': 'phoneNumber',
      'attributes.city': 'attributes.city',
    });
    expect(mappingRefusal({ Phone: 'phoneNumber' }, ['Phone', 'Name'])).toBeNull();
  });

  test.each([
    [{ Mobile: 'phoneNumber' }, ['Phone'], 'mapping.Mobile'],
    [{ Phone: 'phoneNumber' }, ['Phone', 'Phone'], 'mapping.Phone'],
    [{ Name: 'name' }, ['Phone', 'Name'], 'mapping'],
  ])('that %j names, of %j, are refused', (mapping, columns, path) => {
    expect(mappingRefusal(mapping, columns)).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path }] });
  });

  test('must stand in a first line, of a file that is text', () => {
    expect(shapeOf('\n\n', 2)).toMatchObject({ ok: false, code: 'VALIDATION_ERROR' });
    expect(shapeOf('\u00ff\u00feP\0h\0', 6)).toMatchObject({ ok: false, code: 'UNSUPPORTED_MEDIA_TYPE' });
  });
});
