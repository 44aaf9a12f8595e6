import { beforeEach, describe, expect, test } from 'vitest';
import { accountMigrations } from '../../../../src/durable/account/migrations.ts';
import { Aliases } from '../../../../src/durable/account/recipients/aliases.ts';
import { OptOuts } from '../../../../src/durable/account/recipients/opt-outs.ts';
import { RecipientChecks } from '../../../../src/durable/account/recipients/recipient-checks.ts';
import { sqliteStorage } from '../campaign/sqlite-storage.ts';

const now = Date.UTC(2026, 10, 26, 12);
const to = '628777000111';

const alias = '130000000000001@lid';

let checks: RecipientChecks;
let list: OptOuts;
let aliases: Aliases;

beforeEach(() => {
  const storage = sqliteStorage();
  for (const { sql } of accountMigrations) storage.sql.exec(sql);
  aliases = new Aliases(storage.sql);
  checks = new RecipientChecks(storage.sql);
  list = new OptOuts(storage.sql, aliases, now);
});

const stop = (at: number) => list.note(to, 'stop', at, 'number', 'Stop');
const start = (at: number) => list.note(to, 'start', at, 'number', 'Start');

describe('a word of somebody', () => {
  test('counts by when it was written, in whatever order it is told', () => {
    expect(stop(now + 10_000)).toBe(true);
    start(now + 5_000);
    expect(list.has(to)).toBe(true);
    start(now + 15_000);
    expect(list.has(to)).toBe(false);
    stop(now + 12_000);
    expect(list.has(to)).toBe(false);
    expect(list.since(to)).toBeNull();
  });

  test('counts by when it was written, also under other digits that the network has for them', () => {
    const dialled = '6287770001119';
    checks.note(dialled, true, now, to);
    stop(now);
    start(now + 2_000);
    list.note(dialled, 'stop', now + 1_000, 'number', 'Stop');
    expect([to, dialled].map((digits) => list.has(digits))).toEqual([false, false]);
    expect(list.list(10, null)).toEqual([]);
  });

  test('that has opted them in again keeps no hand from putting them on the list', () => {
    stop(now);
    start(now + 1_000);
    expect(list.add(to, now + 2_000)).toMatchObject({ isNew: true, optOut: { word: null, at: now + 2_000 } });
    expect(list.has(to)).toBe(true);
  });

  test('that is repeated opts out once', () => {
    expect(stop(now)).toBe(true);
    expect(stop(now)).toBe(false);
    expect(stop(now + 1_000)).toBe(false);
    expect(list.list(10, null)).toHaveLength(1);
  });

  test('that starts what was never stopped leaves nothing', () => {
    expect(start(now)).toBe(false);
    expect(stop(now - 1_000)).toBe(true);
  });

  test('holds against a hand that took them off in the same second, or before', () => {
    list.add(to, now);
    expect(list.remove(to, now + 10_900)).toBe(true);
    expect(list.remove(to, now + 10_900)).toBe(false);
    stop(now + 10_000);
    expect(list.has(to)).toBe(true);
  });

  test('that starts again holds against a hand that put them on in the same second', () => {
    list.add(to, now + 900);
    start(now);
    expect(list.has(to)).toBe(false);
  });
});

test('who is put on by hand while they are on the list stays there by their own word', () => {
  stop(now);
  expect(list.add(to, now + 1_000)).toMatchObject({ isNew: false, optOut: { numberId: 'number', at: now } });
  expect(list.add('628777000112', now)).toMatchObject({
    isNew: true,
    optOut: { numberId: null, word: null },
  });
});

test('the list is read newest first, page by page', () => {
  const numbers = ['628777000201', '628777000202', '628777000203'];
  for (const [index, phoneNumber] of numbers.entries()) list.add(phoneNumber, now + index);
  const [newest] = list.list(1, null);
  expect(newest?.phoneNumber).toBe(numbers[2]);
  expect(list.list(5, newest?.id ?? '').map(({ phoneNumber }) => phoneNumber)).toEqual([
    numbers[1],
    numbers[0],
  ]);
});

describe('whose phone number becomes known', () => {
  const becomesKnown = () => {
    aliases.note('130000000000001', to);
    list.move(alias, to);
  };

  test('is on the list once, and is taken off by either address', () => {
    list.note(alias, 'stop', now, 'number', 'Stop');
    becomesKnown();
    expect(list.list(10, null)).toMatchObject([{ phoneNumber: to, at: now, word: 'STOP' }]);
    expect(list.remove(alias, now + 1_000)).toBe(true);
    expect(list.has(to)).toBe(false);
    aliases.forget('130000000000001');
    expect(list.has(alias)).toBe(false);
  });

  test('has said what they wrote last, under whichever address', () => {
    stop(now);
    list.note(alias, 'stop', now - 1_000, 'number', 'Stop');
    list.note(alias, 'start', now + 1_000, 'number', 'Start');
    becomesKnown();
    expect(list.has(to)).toBe(false);
  });

  test('is who has the phone number that was told of last', () => {
    stop(now);
    becomesKnown();
    expect(list.has(alias)).toBe(true);
    aliases.note('130000000000001', '628777000222');
    expect(list.has(alias)).toBe(false);
  });

  test('is not in the list under the alias too, where the release before has left it', () => {
    list.add(alias, now);
    aliases.note('130000000000001', to);
    expect(list.list(10, null)).toEqual([]);
  });
});

test('what was accepted before anybody opted out may be to them, and what came later is not', () => {
  expect([now, now + 1].map((at) => list.mayHaveSince(at))).toEqual([true, false]);
  list.add(to, now + 5_000);
  expect([now + 5_000, now + 5_001].map((at) => list.mayHaveSince(at))).toEqual([true, false]);
  const before = Date.now();
  list.note('628777000112', 'stop', now, 'number', 'Stop');
  expect(list.mayHaveSince(before)).toBe(true);
});
