import { expect, test } from 'vitest';
import {
  changedHeaders,
  openHeaders,
  ownHeaderChangesSchema,
  ownHeadersSchema,
  storedHeaders,
} from '../../../src/worker/features/webhooks/delivery/own-headers.ts';

const problemsOf = (headers: unknown) =>
  ownHeadersSchema.safeParse(headers).error?.issues.map(({ path, message }) => [path.join('.'), message]) ??
  [];

test('a receiver may have headers of its own', () => {
  const headers = { Authorization: 'Basic b3JkZXJzOnMzY3JldA==', 'X-Tenant': 'orders, north' };
  expect(ownHeadersSchema.parse(headers)).toEqual(headers);
  expect(ownHeadersSchema.parse({})).toEqual({});
});

test.each([
  'Content-Type',
  'content-length',
  'HOST',
  'User-Agent',
  'X-Service-Signature',
  'x-service-anything',
  'Webhook-Id',
  'Transfer-Encoding',
  'Connection',
  'X-Forwarded-For',
  'CF-Worker',
  'MF-Original-URL',
  'Proxy-Authorization',
])('%s is none of them', (name) => {
  expect(problemsOf({ [name]: 'x' })).toEqual([
    [name, 'The callback uses this header itself, or does not allow it.'],
  ]);
});

test.each([
  ['a line break', 'one\r\nX-Service-Event: message.sent'],
  ['a space at its end', 'secret '],
  ['letters that are not of ASCII', 'señor'],
  ['a NUL', 'a\u0000b'],
])('a value with %s is refused by the name of its header, and not quoted', (_, value) => {
  const [[path, message] = []] = problemsOf({ 'X-Key': value });
  expect(path).toBe('X-Key');
  expect(message).not.toContain(value.trim());
});

test('what is no name is refused without being quoted: it may be a value in the wrong place', () => {
  for (const name of ['', 'Basic b3JkZXJz=', 'X Key', 'X-Key:', `X-${'y'.repeat(99)}`])
    expect(problemsOf({ [name]: 'one' })).toEqual([
      ['', 'A name has 1 to 100 letters, digits and dashes, such as "Authorization".'],
    ]);
});

test('ten are the most, a value is needed and has its bound, and none is there twice', () => {
  const eleven = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`X-${index}`, 'one']));
  expect(problemsOf(eleven)).toEqual([['', 'At most 10 headers.']]);
  expect(problemsOf({ 'X-Key': '' })).toEqual([['X-Key', 'A value is required.']]);
  expect(problemsOf({ 'X-Key': 'a'.repeat(4_097) })).toEqual([['X-Key', 'At most 4096 characters.']]);
  expect(problemsOf({ 'X-Key': 'one', 'x-key': 'two' })).toEqual([['x-key', 'Listed twice.']]);
  expect(problemsOf({ 'x-key': 'one', 'X-Key': 'two' })).toEqual([['X-Key', 'Listed twice.']]);
  expect(problemsOf(['one'])).toHaveLength(1);
});

test('a change sets what it names, takes one away by null, and leaves the others', () => {
  const changes = ownHeaderChangesSchema.parse({ authorization: 'Bearer two', 'X-Old': null });
  expect(changedHeaders({ Authorization: 'Bearer one', 'X-Old': '1', 'X-Kept': '2' }, changes)).toEqual({
    'X-Kept': '2',
    authorization: 'Bearer two',
  });
});

test('they are stored sealed, for their webhook alone', async () => {
  const keys = { WEBHOOK_SEALING_KEY: Buffer.alloc(32, 7).toString('base64') };
  const { headerNames, sealedHeaders } = await storedHeaders(keys, 'one', { Authorization: 'Bearer 1' });
  expect(headerNames).toEqual(['Authorization']);
  expect(Buffer.from(sealedHeaders?.split('.')[1] ?? '', 'base64').toString('latin1')).not.toContain(
    'Bearer',
  );
  expect(await openHeaders(keys, 'one', sealedHeaders ?? '')).toEqual({ Authorization: 'Bearer 1' });
  await expect(openHeaders(keys, 'two', sealedHeaders ?? '')).rejects.toThrow();
  expect(await storedHeaders(keys, 'one', {})).toEqual({ headerNames: null, sealedHeaders: null });
});
