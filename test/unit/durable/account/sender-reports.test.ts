import { describe, expect, test } from 'vitest';
import { accountMigrations } from '../../../../src/durable/account/migrations.ts';
import { healthNow, kindOf, leftToday, newSender } from '../../../../src/durable/account/senders/sender.ts';
import { Senders, takeReport } from '../../../../src/durable/account/senders/senders.ts';
import type { SenderReport } from '../../../../src/durable/hand-over/number-news.ts';
import { sqliteStorage } from '../campaign/sqlite-storage.ts';

const now = Date.UTC(2026, 10, 26, 12);

const report = (more: Partial<SenderReport> = {}): SenderReport => ({
  revision: 10,
  state: 'connected',
  phoneNumber: '628123456789',
  reason: null,
  connectedAt: null,
  lastSeenAt: null,
  health: { status: 'healthy', reason: null, until: null },
  perMinute: 60,
  dailyRemaining: 50,
  room: 8,
  takenUpTo: 0,
  ...more,
});

/** None is deleted. */
const anyNumber = { has: () => true };

function newSql() {
  const { sql } = sqliteStorage();
  for (const step of accountMigrations) sql.exec(step.sql);
  return sql;
}

const away: Partial<SenderReport> = { state: 'disconnected', room: 0 };

test('an older report of a number changes nothing, in whatever order they come', () => {
  const sender = newSender('number');
  takeReport(sender, report({ revision: 11, dailyRemaining: 40 }), now);
  const known = structuredClone(sender);
  takeReport(sender, report({ revision: 10, ...away, dailyRemaining: 0, takenUpTo: 5 }), now + 1_000);
  expect(sender).toEqual(known);
});

test('a report that is repeated is taken again', () => {
  const sender = newSender('number');
  takeReport(sender, report({ room: 0 }), now);
  takeReport(sender, report({ room: 3 }), now);
  expect(sender).toMatchObject({ room: 3, dailyRemaining: 50 });
});

test('room and day of a report count only where it knows of every batch that was answered', () => {
  const sender = newSender('number');
  Object.assign(sender, { takenUpTo: 3, room: 2, dailyRemaining: 7 });
  takeReport(sender, report({ takenUpTo: 2 }), now);
  expect(sender).toMatchObject({ takenUpTo: 3, room: 2, dailyRemaining: 7, report: { state: 'connected' } });
  takeReport(sender, report({ revision: 11, takenUpTo: 3 }), now);
  expect(sender).toMatchObject({ takenUpTo: 3, room: 8, dailyRemaining: 50 });
});

test('a number is away since it was first heard to be, and no more once it can send', () => {
  const sender = newSender('number');
  takeReport(sender, report(away), now);
  takeReport(sender, report({ revision: 11, ...away }), now + 5_000);
  expect(sender.awaySince).toBe(now);
  takeReport(sender, report({ revision: 12 }), now + 6_000);
  expect(sender.awaySince).toBeNull();
  const health = { status: 'resting', reason: 'It rests.', until: now + 60_000 } as const;
  takeReport(sender, report({ revision: 13, health }), now + 7_000);
  expect(sender.awaySince).toBe(now + 7_000);
});

test('a number that rests has been tried once its rest is over, and is not tried again until it says more', () => {
  const sender = newSender('number');
  const health = { status: 'resting', reason: 'It rests.', until: now + 60_000 } as const;
  takeReport(sender, report({ revision: 12, health }), now);
  expect(healthNow(sender, now + 59_999).status).toBe('resting');
  expect(healthNow(sender, now + 60_000).status).toBe('healthy');
  sender.triedRevision = 12;
  expect(healthNow(sender, now + 60_000)).toEqual(health);
  takeReport(sender, report({ revision: 13, health }), now + 61_000);
  expect(healthNow(sender, now + 61_000).status).toBe('healthy');
});

test('what waits for a number is off what it has left of its day', () => {
  const sender = newSender('number');
  takeReport(sender, report({ dailyRemaining: 50 }), now);
  sender.backlog = 20;
  expect(leftToday(sender)).toBe(30);
  takeReport(sender, report({ revision: 11, dailyRemaining: null }), now);
  expect(leftToday(sender)).toBeNull();
});

test('which number a phone is linked to, and that nothing is left of a day that is more than used up, is known after a restart', () => {
  const sql = newSql();
  const senders = new Senders(sql);
  const sender = senders.of('number');
  takeReport(sender, report({ dailyRemaining: 2 }), now);
  sender.backlog = 5;
  senders.save(sender);
  for (const some of [senders, new Senders(sql)]) {
    expect(some.linkedTo('628123456789', new Set(['number']))).toBe('number');
    expect(some.linkedTo('628999000111', new Set(['number']))).toBeNull();
    expect(some.loads()).toEqual({ number: { waiting: 5, dailyRemaining: 0 } });
  }
});

test('a phone is linked to the number that has it, whatever a deleted one has said last, also after a restart', () => {
  const sql = newSql();
  const senders = new Senders(sql);
  for (const numberId of ['2-deleted', '1-there']) {
    const sender = senders.of(numberId);
    takeReport(sender, report(), now);
    senders.save(sender);
  }
  for (const some of [senders, new Senders(sql)]) {
    expect(some.linkedTo('628123456789', new Set(['1-there']))).toBe('1-there');
    expect(some.linkedTo('628123456789', new Set())).toBeNull();
  }
});

describe('what numbers have to send', () => {
  test('is told with what they may still be given today, and without a limit where there is none', () => {
    const senders = new Senders(newSql());
    takeReport(senders.of('free'), report({ dailyRemaining: null }), now);
    takeReport(senders.of('limited'), report({ dailyRemaining: 5 }), now);
    Object.assign(senders.of('limited'), { backlog: 2 });
    senders.of('silent');
    expect(senders.loads()).toEqual({
      free: { waiting: 0, dailyRemaining: null },
      limited: { waiting: 2, dailyRemaining: 3 },
      silent: { waiting: 0, dailyRemaining: null },
    });
  });
});

describe('what numbers have said last', () => {
  test('is known of those that have said something; of a rest or a restriction that is over, nothing', () => {
    const senders = new Senders(newSql());
    senders.of('silent');
    const until = now + 1_000;
    takeReport(senders.of('a'), report({ health: { status: 'resting', reason: 'It rests.', until } }), now);
    const restricted = { status: 'restricted', reason: 'No new chats.', until } as const;
    takeReport(senders.of('b'), report({ health: restricted }), now);
    const statuses = (at: number) =>
      Object.entries(senders.reports(at)).map(([numberId, { health }]) => [numberId, health.status]);
    expect(statuses(until - 1)).toEqual([
      ['a', 'resting'],
      ['b', 'restricted'],
    ]);
    expect(statuses(until)).toEqual([
      ['a', 'healthy'],
      ['b', 'healthy'],
    ]);
  });

  test('is as it was stored after a change was rolled back, and whoever watches looks at all of them again', () => {
    const senders = new Senders(newSql());
    const sender = senders.of('a');
    takeReport(sender, report(), now);
    senders.save(sender);
    const changed = senders.watch();
    changed.clear();
    takeReport(senders.of('a'), report({ revision: 11, phoneNumber: '628999000111' }), now);
    takeReport(senders.of('new'), report({ phoneNumber: '628777000111' }), now);
    senders.reload();
    expect([...changed]).toEqual(['a']);
    expect(Object.keys(senders.reports(now))).toEqual(['a']);
    expect(senders.linkedTo('628123456789', anyNumber)).toBe('a');
    expect(senders.linkedTo('628777000111', anyNumber)).toBeNull();
  });
});

describe('which number a phone is linked to', () => {
  test('is known while that is connected or offline, and not any more once it is logged out or has another phone', () => {
    const senders = new Senders(newSql());
    const hear = (revision: number, more: Partial<SenderReport>) => {
      const sender = senders.of('a');
      takeReport(sender, report({ revision, ...more }), now);
      senders.save(sender);
      return senders.linkedTo('628123456789', anyNumber);
    };
    expect(hear(10, { state: 'disconnected' })).toBe('a');
    expect(hear(11, { state: 'connected' })).toBe('a');
    expect(hear(12, { state: 'logged_out' })).toBeNull();
    expect(hear(13, { state: 'connected', phoneNumber: '628999000111' })).toBeNull();
    expect(senders.linkedTo('628999000111', anyNumber)).toBe('a');
    expect(hear(14, { state: 'pairing', phoneNumber: null })).toBeNull();
  });
});

test('a message answers whoever wrote within a day; else it goes on with a chat, or begins one', () => {
  const dayMs = 86_400_000;
  expect(kindOf(false, now - dayMs + 1, now)).toBe('answer');
  expect(kindOf(false, now - dayMs, now)).toBe('ongoing');
  expect(kindOf(true, now, now)).toBe('answer');
  expect(kindOf(false, null, now)).toBe('ongoing');
  expect(kindOf(true, null, now)).toBe('new');
});
