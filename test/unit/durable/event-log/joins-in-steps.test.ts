import { describe, expect, test } from 'vitest';
import type { PersonAddress } from '../../../../src/durable/event-log/conversations/conversation.ts';
import type { ConversationMerging } from '../../../../src/durable/event-log/conversations/merging/conversation-merging.ts';
import { PersonJoins } from '../../../../src/durable/event-log/conversations/merging/person-joins.ts';
import { eventLogMigrations } from '../../../../src/durable/event-log/migrations.ts';
import { sqliteStorage } from '../campaign/sqlite-storage.ts';

const [phoneNumber, lid] = ['628123456789', '100000000000017'];
const phone = (address: string): PersonAddress => ({ kind: 'phone', address });
const alias = (address: string): PersonAddress => ({ kind: 'lid', address });
const [one, other] = [
  { phoneNumber, lid: null },
  { phoneNumber: null, lid },
];

/** `left`: how many more steps a join or a parting takes. */
function newJoins() {
  const { sql } = sqliteStorage();
  for (const step of eventLogMigrations) sql.exec(step.sql);
  const done: string[] = [];
  const left = { join: 0, part: 0 };
  const merging = {
    join: (first: PersonAddress, second: PersonAddress) => {
      done.push(`join ${first.address} ${second.address}`);
      left.join -= 1;
      return { drafts: [], isWhole: left.join < 0 };
    },
    part: (_one: unknown, _other: unknown, _at: number, { after }: { after: string }) => {
      done.push(`part after ${after}`);
      left.part -= 1;
      return { drafts: [], upTo: left.part < 0 ? null : `${after}n` };
    },
  } as unknown as ConversationMerging;
  return { joins: new PersonJoins(sql, merging), done, left };
}

describe('two addresses of one person', () => {
  test('are joined at once where that is one step, and else step by step until nothing is left', () => {
    const { joins, done, left } = newJoins();
    joins.join(phone(phoneNumber), alias(lid), 1);
    expect(joins.dueAt()).toBeNull();
    left.join = 2;
    joins.join(phone(phoneNumber), alias(lid), 1);
    expect(joins.dueAt()).toBe(1);
    joins.run(2);
    expect(joins.dueAt()).toBe(1);
    joins.run(3);
    expect(joins.dueAt()).toBeNull();
    expect(done).toEqual(Array(4).fill(`join ${phoneNumber} ${lid}`));
    expect(joins.run(4)).toEqual([]);
  });

  test('of which both are phone numbers go on as the same two', () => {
    const { joins, done, left } = newJoins();
    left.join = 1;
    joins.join(phone('5511987654321'), phone('551187654321'), 1);
    joins.run(2);
    expect(done).toEqual(Array(2).fill('join 5511987654321 551187654321'));
    expect(joins.dueAt()).toBeNull();
  });

  test('that were being parted are one after all: no more of it is parted, and they are joined at once', () => {
    const { joins, done, left } = newJoins();
    left.part = 3;
    joins.part(one, other, 1);
    expect(joins.dueAt()).toBe(1);
    joins.join(phone(phoneNumber), alias(lid), 2);
    expect(done).toEqual(['part after ', `join ${phoneNumber} ${lid}`]);
    expect(joins.dueAt()).toBeNull();
  });

  test('wait until one of them is parted from somebody else', () => {
    const { joins, done, left } = newJoins();
    left.part = 2;
    joins.part(one, other, 1);
    joins.join(phone(phoneNumber), alias('100000000000099'), 2);
    joins.join(phone('628999000111'), alias('100000000000042'), 2);
    expect(done).toEqual(['part after ', 'join 628999000111 100000000000042']);
    for (let step = 0; step < 3; step += 1) joins.run(3);
    expect(done.slice(2)).toEqual(['part after n', 'part after nn', `join ${phoneNumber} 100000000000099`]);
    expect(joins.dueAt()).toBeNull();
  });
});

test('two people who turn out to be two are not joined any further', () => {
  const { joins, done, left } = newJoins();
  left.join = 5;
  joins.join(phone(phoneNumber), alias(lid), 1);
  joins.part(one, other, 2);
  expect(joins.dueAt()).toBeNull();
  expect(done).toEqual([`join ${phoneNumber} ${lid}`, 'part after ']);
});
