import { expect, test } from 'vitest';
import { csvOf } from '../../../src/worker/http/answer/csv.ts';

test.each(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])(
  'a text that begins with %j is no formula to a spreadsheet, on one line or on two',
  (sign) => {
    expect(csvOf([[`${sign}1+1`]])).toBe(`"'${sign}1+1"\r\n`);
    expect(csvOf([[`${sign}HYPERLINK("x")\nand more`]])).toBe(`"'${sign}HYPERLINK(""x"")\nand more"\r\n`);
  },
);

test('what is no formula stays as it is, and cells are quoted where they have to be', () => {
  expect(
    csvOf([
      ['name', 'n'],
      ['a=b', -3],
      ['say "hi", all', null],
      [' two\r\nlines', true],
    ]),
  ).toBe('name,n\r\na=b,-3\r\n"say ""hi"", all",\r\n" two\r\nlines",true\r\n');
  expect(csvOf([])).toBe('');
});
