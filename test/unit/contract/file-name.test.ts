import { expect, test } from 'vitest';
import { fileNameOf, isFileName } from '../../../src/contract/messages/media.ts';

test.each([
  ['Fatura n. 7.pdf', 'Fatura n. 7.pdf'],
  ['Invoice 12/2026.pdf', 'Invoice 12_2026.pdf'],
  ['C:\\Users\\me\\bill.pdf', 'C:_Users_me_bill.pdf'],
  ['in\r\nvoice\u2028.pdf', 'invoice.pdf'],
  ['bill\u202Efdp.exe', 'billfdp.exe'],
  ['a\0b.txt', 'ab.txt'],
  ['فاتورة.pdf', 'فاتورة.pdf'],
  ['  spaced .pdf ', 'spaced .pdf'],
  ['..', undefined],
  ['../..', undefined],
  ['\u200f\n', undefined],
  ['', undefined],
  [undefined, undefined],
])('a file that somebody calls %j is called %j', (said, name) => {
  expect(fileNameOf(said)).toBe(name);
  // What was cleaned once stays as it is.
  if (name !== undefined) expect(isFileName(name)).toBe(true);
});

test('a name that is too long keeps its extension, and no half of a character', () => {
  expect(fileNameOf(`${'x'.repeat(300)}.pdf`)).toBe(`${'x'.repeat(251)}.pdf`);
  expect(fileNameOf(`${'x'.repeat(250)}😀😀.pdf`)?.isWellFormed()).toBe(true);
});
