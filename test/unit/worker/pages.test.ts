import { expect, test } from 'vitest';
import { z } from 'zod';
import { newUuid } from '../../../src/durable/new-ids.ts';
import {
  cursorBehind,
  listQuery,
  numberedListQuery,
  page,
  readQuery,
  signedListQuery,
} from '../../../src/worker/http/request/query.ts';

const schema = z.strictObject(listQuery);
const itself = (id: string) => id;
const list = { req: { path: '/v1/webhooks' } };

test('a page has what it may hold, and a cursor only where there is more', () => {
  const ids = [newUuid(), newUuid(), newUuid()];
  expect(page(list, [], 2, itself, itself)).toEqual({ data: [], nextCursor: null });
  expect(page(list, ids.slice(0, 1), 2, itself, itself)).toEqual({ data: ids.slice(0, 1), nextCursor: null });
  // A full page may be the last one.
  expect(page(list, ids.slice(0, 2), 2, itself, itself)).toEqual({ data: ids.slice(0, 2), nextCursor: null });
  const { data, nextCursor } = page(list, ids, 2, itself, itself);
  expect(data).toEqual(ids.slice(0, 2));
  // The next page begins behind the last one that was shown.
  expect(readQuery({ cursor: [nextCursor ?? ''] }, schema)).toMatchObject({ value: { cursor: ids[1] } });
});

test.each(['0', '201', '-1', '1.5', 'all', ''])('a page has no limit of %j', (limit) => {
  expect(readQuery({ limit: [limit] }, schema)).toMatchObject({ ok: false, details: [{ path: 'limit' }] });
});

test('a page has 1 to 200, and 50 where nothing is said', () => {
  const limitOf = (query: Record<string, string[]>) => readQuery(query, schema);
  expect(limitOf({})).toMatchObject({ value: { limit: 50 } });
  expect(limitOf({ limit: ['1'] })).toMatchObject({ value: { limit: 1 } });
  expect(limitOf({ limit: ['200'] })).toMatchObject({ value: { limit: 200 } });
});

test('a cursor of anything but an id is none', () => {
  for (const cursor of ['', 'nonsense', btoa('1'), btoa(`${newUuid()} or 1=1`), '%%%']) {
    expect(readQuery({ cursor: [cursor] }, schema)).toMatchObject({
      ok: false,
      details: [{ path: 'cursor' }],
    });
  }
});

test('a list goes on behind a number below 0 where its rows may have one, and nowhere else', () => {
  const behind = (id: number, of: typeof numberedListQuery) =>
    readQuery({ cursor: [cursorBehind(list, String(id))] }, z.strictObject(of));
  expect(behind(-628123456789, signedListQuery)).toMatchObject({ value: { cursor: -628123456789 } });
  expect(behind(628123456789, signedListQuery)).toMatchObject({ value: { cursor: 628123456789 } });
  expect(behind(-1, numberedListQuery)).toMatchObject({ ok: false, details: [{ path: 'cursor' }] });
});
