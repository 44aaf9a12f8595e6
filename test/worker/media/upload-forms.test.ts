import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { ask, openAccount, type TestAccount } from '../front-door.ts';
import { png } from './media-samples.ts';

const mebibyte = 1024 * 1024;

const expectNothingStored = async (account: TestAccount) => {
  expect((await env.MEDIA.list({ prefix: account.accountId })).objects).toEqual([]);
  const usage = await ask('GET', '/v1/usage', { headers: account.owner });
  expect(usage.body.storage.used).toBe(0);
};

type Parts = [name: string, value: string | File][];
const formOf = (parts: Parts): FormData => {
  const form = new FormData();
  for (const [name, value] of parts) form.append(name, value);
  return form;
};
const picture = () => new File([png(1, 1)], 'a.png', { type: 'image/png' });
const large = () => new File([new Uint8Array(6 * mebibyte).fill(7)], 'ledger.bin');

test.each<[string, Parts, string, string]>([
  [
    'two files',
    [
      ['file', picture()],
      ['file', picture()],
    ],
    'file',
    'Sent more than once.',
  ],
  [
    'two large files',
    [
      ['file', large()],
      ['file', large()],
    ],
    'file',
    'Sent more than once.',
  ],
  [
    'three files',
    [
      ['file', picture()],
      ['other', picture()],
      ['file', picture()],
    ],
    'other',
    'Unknown field.',
  ],
  [
    'a field in front of the file',
    [
      ['caption', 'Hi'],
      ['file', picture()],
    ],
    'caption',
    'Unknown field.',
  ],
  [
    'a field behind the file',
    [
      ['file', picture()],
      ['caption', 'Hi'],
    ],
    'caption',
    'Unknown field.',
  ],
  [
    'a field behind a large file',
    [
      ['file', large()],
      ['caption', 'Hi'],
    ],
    'caption',
    'Unknown field.',
  ],
  ['a text instead of the file', [['file', 'the bytes']], 'file', 'Must be a file, with a file name.'],
  ['an empty file', [['file', new File([], 'a.png', { type: 'image/png' })]], 'file', 'The file is empty.'],
  ['no file', [], 'file', 'This field is required.'],
])('a form is refused by the name of what is wrong with it: %s', async (_what, parts, path, message) => {
  const account = await openAccount();
  const { status, body } = await ask('POST', '/v1/media', { headers: account.server, raw: formOf(parts) });
  expect({ status, ...body.error }).toMatchObject({ status: 400, details: [{ path, message }] });
  await expectNothingStored(account);
});

const part = (head: string, text: string) =>
  `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`;

test.each([
  ['an unknown file breaks off', part('name="picture"; filename="a"', 'hello'), 'picture', 'Unknown field.'],
  [
    'a second file breaks off',
    part('name="file"; filename="a"', 'hello').repeat(2),
    'file',
    'Sent more than once.',
  ],
  ['a file without a name', `${part('filename="a"', 'hello')}--x--\r\n`, 'body', 'Unknown field.'],
  [
    'a file, and then no end',
    part('name="file"; filename="a"', 'hello'),
    'body',
    'Not valid multipart/form-data.',
  ],
  [
    'one that breaks off behind the file',
    `${part('name="file"; filename="a"', 'hello')}--x\r\nContent-Disp`,
    'body',
    'Not valid multipart/form-data.',
  ],
])('a form that a program has written wrong is refused: %s', async (_what, raw, path, message) => {
  const account = await openAccount();
  const headers = { ...account.server, 'Content-Type': 'multipart/form-data; boundary=x' };
  const { status, body } = await ask('POST', '/v1/media', { headers, raw });
  expect({ status, ...body.error }).toMatchObject({ status: 400, details: [{ path, message }] });
  await expectNothingStored(account);
});

test.each<[string, Uint8Array, string, number]>([
  ['is empty', new Uint8Array(), 'image/png', 400],
  ['is of another type than it says', png(1, 1), 'application/pdf', 415],
  ['is of no type that it could be', new TextEncoder().encode('hello'), 'image/png', 415],
])(
  'a file that %s is refused by the name of the part that it came in',
  async (_what, bytes, type, status) => {
    const account = await openAccount();
    const headers = { ...account.server, 'Content-Type': type };
    const plain = await ask('POST', '/v1/media', { headers, raw: new Uint8Array(bytes) });
    expect(plain).toMatchObject({ status, body: { error: { details: [{ path: 'body' }] } } });
    const raw = formOf([['file', new File([new Uint8Array(bytes)], 'a', { type })]]);
    const inForm = await ask('POST', '/v1/media', { headers: account.server, raw });
    expect(inForm).toMatchObject({ status, body: { error: { details: [{ path: 'file' }] } } });
    await expectNothingStored(account);
  },
);

test('a form that goes on for long behind its file is read to its end', async () => {
  const account = await openAccount();
  const parts: Parts = [
    ['file', picture()],
    ['file', large()],
    ['file', large()],
  ];
  const { status, body } = await ask('POST', '/v1/media', { headers: account.server, raw: formOf(parts) });
  expect({ status, ...body.error }).toMatchObject({ status: 400, details: [{ path: 'file' }] });
  await expectNothingStored(account);
});
