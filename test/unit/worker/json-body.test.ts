import { expect, test } from 'vitest';
import { readJson } from '../../../src/worker/http/request/body/json-body.ts';

const read = (headers: Record<string, string>) =>
  readJson(new Request('https://gateway.test/', { method: 'POST', headers, body: '{"text":"hello"}' }));

test.each([
  'application/json',
  'Application/JSON; charset=UTF-8',
  'application/json;charset="utf-8"',
  'application/vnd.example.v1+json',
])('a body of %s is JSON', async (type) => {
  expect(await read({ 'Content-Type': type })).toEqual({ ok: true, value: { text: 'hello' } });
});

test.each<Record<string, string>>([
  // A form or a page of another origin can send these without being asked first.
  { 'Content-Type': 'text/plain' },
  { 'Content-Type': 'text/json' },
  { 'Content-Type': 'text/plain; application/json' },
  { 'Content-Type': 'application/x-www-form-urlencoded' },
  { 'Content-Type': 'application/jsonp' },
  { 'Content-Type': 'application/json; charset=utf-16' },
  { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
])('a body with %o is not', async (headers) => {
  expect(await read(headers)).toMatchObject({ ok: false, code: 'UNSUPPORTED_MEDIA_TYPE' });
});
