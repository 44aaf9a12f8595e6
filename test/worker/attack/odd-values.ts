import fc from 'fast-check';
import { example } from '../../../src/worker/openapi/examples/example-values.ts';

/** Values that programs stumble over. None holds a word that an answer must not hold. */
const oddStrings = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  'a\udfffb',
  '\u202e\u200b\ufeff',
  'e\u0301'.repeat(50),
  '😀'.repeat(3000),
  'x'.repeat(300),
  'x'.repeat(70_000),
  '0',
  '-1',
  '1e3',
  '1.5',
  '99999999999999999999',
  'NaN',
  'null',
  'true',
  '__proto__',
  'constructor',
  "' OR '1'='1",
  '%00',
  '%ED%A0%80',
  '../../etc',
  'a\r\nb: c',
  '2026-01-31T09:30:00Z',
  '9999-12-31T23:59:59-23:59',
  '+012026-01-01T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '0000-01-01T00:00:00+00:01',
  '2026-02-30T00:00:00Z',
  '628123456789',
  '+62 (812) 3456-789',
  '123456789012345@lid',
  '120363041234567890@g.us',
  '999',
  'https://[::1]/',
  'https://example.com:99999/',
  'https://user:pass@example.com/\ud800',
  'HTTPS://EXAMPLE.com/%zz?\u0000#',
  'javascript:alert(1)',
  'nobody@example.com',
  '"@"@example.com',
  'Asia/Nowhere',
  '25:61',
  example.numberId,
  example.numberId.toUpperCase(),
  '00000000-0000-0000-0000-000000000000',
  'msg_00000000-0000-0000-0000-000000000000',
];

export const oddString = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...oddStrings) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
);

const nested = (depth: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { text: value };
  return value;
};

/** Any JSON value, odd ones above all. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: oddString },
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(
      null,
      true,
      false,
      0,
      -1,
      1.5,
      1e21,
      -1e308,
      Number.MAX_SAFE_INTEGER,
      2 ** 53,
      2 ** 31,
      [],
      {},
      [[]],
      [null],
      { $ref: 'x' },
      { length: 9 },
      nested(20),
      nested(200),
      Array.from({ length: 300 }, (_, index) => index),
      Array.from({ length: 300 }, () => '628123456789'),
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

export const oddName = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'toString', '', 'x'.repeat(40_000), '\ud800', 'a.b', '0', 'id'),
  fc.string({ unit: 'binary', maxLength: 12 }),
);

/** Odd values of the kind of a value that fits: a time for a time, an address for an address. */
const kinds: [RegExp, string[]][] = [
  [
    /^\d{4}-\d\d-\d\dT/,
    [
      '9999-12-31T23:59:59-23:59',
      '9999-12-31T23:59:59Z',
      '+012026-01-01T00:00:00Z',
      '-000001-01-01T00:00:00Z',
      '0000-01-01T00:00:00+00:01',
      '2026-02-30T00:00:00Z',
      '2026-01-01T24:00:00Z',
      '2026-01-01T00:00:60Z',
      '2026-01-01T00:00:00.123456789Z',
      '2026-01-01T00:00:00',
      '2026-01-01',
      '1970-01-01T00:00:00Z',
    ],
  ],
  [
    /^https?:/,
    [
      'https://example.com/\ud800',
      'https://example.com/\udfff?a=\ud800#b',
      'https://ex\u0430mple.com/',
      'HTTPS://EXAMPLE.COM:443/%zz?\u0000',
      'https://example.com./',
      'https://[::ffff:7f00:1]/',
      'https://0x7f.1/',
      'https://user:pass@example.com/',
      `https://example.com/${'x'.repeat(5000)}`,
      'https://',
    ],
  ],
  [
    /^\+?\d{8,15}$/,
    [
      '+62 (812) 3456-789',
      '628123456789@s.whatsapp.net',
      '123456789012345@lid',
      '120363041234567890@g.us',
      '0',
      '1'.repeat(40),
      '\u0666\u0662\u0668',
      '+',
    ],
  ],
  [
    /@/,
    [
      'nobody@example.com',
      'NOBODY@EXAMPLE.COM',
      '"@"@example.com',
      'a@b',
      `${'x'.repeat(250)}@example.com`,
      'a@ex\u00e4mple.com',
      'a@example.com\n',
    ],
  ],
  [/^\d\d:\d\d$/, ['24:00', '25:61', '7:5', '00:00', '\u0660\u0660:00']],
];

/** One for the value that it takes the place of, or the odd value that was drawn. */
export function oddInsteadOf(held: unknown, at: number, drawn: unknown): unknown {
  if (typeof held === 'number') {
    const numbers = [-1, 0, 0.5, held + 1, -held, 2 ** 31, 2 ** 53, 1e21, String(held), null];
    return at % 3 === 0 ? drawn : numbers[at % numbers.length];
  }
  if (typeof held !== 'string') return drawn;
  const kin = kinds.find(([pattern]) => pattern.test(held))?.[1];
  return kin === undefined || at % 3 === 0 ? drawn : kin[at % kin.length];
}
