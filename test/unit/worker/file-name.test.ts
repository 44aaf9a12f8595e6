import { expect, test } from 'vitest';
import { fileNameIn } from '../../../src/worker/media/file-name.ts';

test.each([
  ['https://example.com/invoices/1042.pdf', '1042.pdf'],
  ['https://example.com/a/Rechnung%20M%C3%A4rz.pdf?download=1#page=2', 'Rechnung März.pdf'],
  ['https://example.com/download?id=1042', undefined],
  ['https://example.com/', undefined],
  ['https://example.com/.htaccess', undefined],
  ['https://example.com/a%2Fb.pdf', undefined],
  ['https://example.com/%E0%A4%A.pdf', undefined],
])('a document at %s is called %s where the send gives it no name', (url, name) => {
  expect(fileNameIn(url)).toBe(name);
});
