import { describe, expect, test } from 'vitest';
import { accountMigrations } from '../../../../src/durable/account/migrations.ts';
import { Aliases } from '../../../../src/durable/account/recipients/aliases.ts';
import { Conversations } from '../../../../src/durable/account/recipients/conversations.ts';
import { sqliteStorage } from '../campaign/sqlite-storage.ts';

const now = Date.UTC(2026, 4, 10, 12);
const hourMs = 3_600_000;
const to = '628111222333';

function newConversations() {
  const { sql } = sqliteStorage();
  for (const migration of accountMigrations) sql.exec(migration.sql);
  const aliases = new Aliases(sql);
  const conversations = new Conversations(sql, aliases);
  const send = (numberId: string, at: number, stickyHours: number) =>
    conversations.noteOutbound(to, numberId, at, stickyHours, conversations.of(to));
  return {
    conversations,
    aliases,
    send,
    lastAt: (numberId: string) => conversations.of(to).get(numberId)?.lastAt,
  };
}

describe('a conversation', () => {
  test('is written down anew after a 24th of the time that it binds, and of a day where it binds nobody', () => {
    for (const { stickyHours, grainMs } of [
      { stickyHours: 48, grainMs: 2 * hourMs },
      { stickyHours: 0, grainMs: hourMs },
    ]) {
      const { send, lastAt } = newConversations();
      send('number', now, stickyHours);
      send('number', now + grainMs - 1, stickyHours);
      expect(lastAt('number')).toBe(now);
      send('number', now + grainMs, stickyHours);
      expect(lastAt('number')).toBe(now + grainMs);
    }
  });

  test('is written down at once where another number has written since', () => {
    const { send, lastAt } = newConversations();
    send('first', now, 24);
    send('second', now + 1_000, 24);
    send('first', now + 2_000, 24);
    expect(lastAt('first')).toBe(now + 2_000);
    send('first', now + 3_000, 24);
    expect(lastAt('first')).toBe(now + 2_000);
  });

  test('in which nobody has written is none of those that somebody has written in, the last of which comes first', () => {
    const { conversations, send } = newConversations();
    send('sent to', now, 24);
    conversations.noteInbound(to, 'first', now - 5_000);
    conversations.noteInbound(to, 'last', now - 1_000);
    expect(conversations.lastWritten(to, 5)).toEqual([
      { numberId: 'last', at: now - 1_000 },
      { numberId: 'first', at: now - 5_000 },
    ]);
    expect(conversations.lastWritten(to, 1)).toMatchObject([{ numberId: 'last' }]);
  });

  test('is the same under an alias and under the phone number that belongs to it', () => {
    const { conversations, aliases } = newConversations();
    aliases.note('100000000000018', to);
    conversations.noteInbound('100000000000018@lid', 'number', now);
    for (const address of [to, '100000000000018@lid'])
      expect(conversations.of(address).get('number')).toEqual({ lastAt: now, wroteAt: now });
  });

  test('in which somebody wrote is known as one, also where that is told after a later message to them', () => {
    const { conversations, send } = newConversations();
    send('number', now, 24);
    for (const ago of [5_000, 9_000]) conversations.noteInbound(to, 'number', now - ago);
    expect(conversations.of(to).get('number')).toEqual({ lastAt: now, wroteAt: now - 5_000 });
  });

  test('counts as none ninety days after its last message', () => {
    const { conversations, send, lastAt } = newConversations();
    send('number', now, 24);
    const endsAt = now + 90 * 24 * hourMs;
    conversations.sweep(endsAt);
    expect(lastAt('number')).toBe(now);
    conversations.sweep(endsAt + 1);
    expect(lastAt('number')).toBeUndefined();
  });

  test('that moves to another address is one in which nobody wrote who has not', () => {
    const { conversations, send } = newConversations();
    send('number', now, 24);
    conversations.noteInbound('628444555666', 'other', now - 5_000);
    send('other', now, 24);
    conversations.move('628444555666', to);
    expect(conversations.of('628444555666').size).toBe(0);
    expect([...conversations.of(to)]).toEqual([
      ['number', { lastAt: now, wroteAt: null }],
      ['other', { lastAt: now, wroteAt: now - 5_000 }],
    ]);
    // They were written to under that address before.
    conversations.noteOutbound('628777888999', 'number', now - 9_000, 24, new Map());
    conversations.copy(to, '628777888999');
    conversations.copy(to, '628777888999');
    expect(conversations.of('628777888999')).toEqual(conversations.of(to));
  });
});
