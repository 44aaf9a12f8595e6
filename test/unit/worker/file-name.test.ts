import { expect, test } from 'vitest';
import { fileNameIn, fileNameOfDisposition } from '../../../src/worker/features/media/fetch-file.ts';

test.each([
  ['https://example.com/invoices/1042.pdf', '1042.pdf'],
  ['https://example.com/a/Rechnung%20M%C3%A4rz.pdf?download=1#page=2', 'Rechnung März.pdf'],
  ['https://example.com/download?id=1042', undefined],
  ['https://example.com/download.php?id=7', undefined],
  ['https://example.com/Report.ASPX', undefined],
  ['https://example.com/', undefined],
  ['https://example.com/.htaccess', undefined],
  ['https://example.com/a%2Fb.pdf', undefined],
  ['https://example.com/%E0%A4%A.pdf', undefined],
])('a document at %s is called %s where the send gives it no name', (url, name) => {
  expect(fileNameIn(url)).toBe(name);
});

test.each([
  ['attachment; filename="Fatura n. 7.pdf"', 'Fatura n. 7.pdf'],
  ['attachment; filename="Rechnung.pdf"; filename*=UTF-8\'\'Rechnung%20M%C3%A4rz.pdf', 'Rechnung März.pdf'],
  ["inline; filename*=UTF-8''%E5%8F%91%E7%A5%A8.pdf", '发票.pdf'],
  ['attachment; filename=list.csv', 'list.csv'],
  ['attachment; filename="..\\\\..\\\\etc/passwd.txt"', 'passwd.txt'],
  ['attachment; filename="fatura n\u00c2\u00ba 7.pdf"', 'fatura nº 7.pdf'],
  ["attachment; filename*=UTF-8''a%0Ab%E2%80%AEfdp.exe", 'abfdp.exe'],
  [`attachment; filename="${'x'.repeat(300)}.pdf"`, `${'x'.repeat(251)}.pdf`],
  ['attachment', undefined],
  ['attachment; filename=""', undefined],
  ['attachment; filename=".."', undefined],
  ['=;;"', undefined],
  [null, undefined],
])('a host that says %j calls its file %j', (header, name) => {
  expect(fileNameOfDisposition(header)).toBe(name);
});
