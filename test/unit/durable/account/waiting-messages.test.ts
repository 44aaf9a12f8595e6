import { describe, expect, test } from 'vitest';
import { sendLanes } from '../../../../src/contract/messages/message.ts';
import { accountMigrations } from '../../../../src/durable/account/migrations.ts';
import { Backlog } from '../../../../src/durable/account/outbox/backlog.ts';
import { messageKinds, newSender } from '../../../../src/durable/account/senders/sender.ts';
import type { AcceptedMessage } from '../../../../src/durable/hand-over/message-batch.ts';
import { sqliteStorage } from '../campaign/sqlite-storage.ts';

const now = Date.UTC(2026, 10, 26, 12);
const dayMs = 86_400_000;
const [to, other] = ['628111222333', '628999000111'];
const campaign = { kind: 'campaign' as const, campaignId: '01934567-89ab-7def-8123-456789abcdef' };
const person = { kind: 'person' as const, userId: '01934567-89ab-7def-8123-456789abcdef' };
const reaction = {
  ...{ type: 'reaction' as const, targetId: 'msg_x', emoji: '👍' },
  target: { providerMessageId: '3EB0AA', isOwn: true },
};

const message = (messageId: string, more: Partial<AcceptedMessage> = {}): AcceptedMessage => ({
  ...{ messageId, to, chatType: 'personal', senderSource: 'pool', content: { type: 'text', text: 'hello' } },
  ...{ isNewChat: false, mayMove: true, queuedAt: now, expiresAt: now + dayMs },
  ...more,
});

function newBacklog() {
  const { sql } = sqliteStorage();
  for (const step of accountMigrations) sql.exec(step.sql);
  const backlog = new Backlog(sql);
  const sender = newSender('number');
  const add = (messageId: string, more: Partial<AcceptedMessage> = {}, wroteAt: number | null = null) =>
    backlog.add(sender, message(messageId, more), wroteAt, now);
  /** What waits, by its kind. */
  const kinds = (numberId = 'number') =>
    Object.fromEntries(
      messageKinds.flatMap((kind) =>
        sendLanes.flatMap((lane) =>
          backlog.first(numberId, kind, lane, 99).map((one) => [one.messageId, `${kind} ${one.isNewChat}`]),
        ),
      ),
    );
  return { sql, backlog, sender, add, kinds };
}

describe('a message that is to leave later', () => {
  test('is no part of what its number has to send, until its time comes: then the first comes first', () => {
    const { backlog, sender, kinds } = newBacklog();
    backlog.addLater('number', message('c', { sendAt: now + 2_000 }));
    backlog.addLater('number', message('b', { sendAt: now + 1_000 }));
    backlog.addLater('another', message('a', { sendAt: now + 1_000 }));
    expect([sender.backlog, kinds()]).toEqual([0, {}]);
    expect(backlog.nextSendAt()).toBe(now + 1_000);
    const taken = (at: number, limit = 9) =>
      backlog.takeLater(at, limit).map(({ numberId, message: { messageId } }) => `${numberId} ${messageId}`);
    expect(taken(now + 999)).toEqual([]);
    expect(taken(now + 2_000, 1)).toEqual(['another a']);
    expect(backlog.find('number', 'b')).toMatchObject({ messageId: 'b', sendAt: now + 1_000 });
    expect(taken(now + 2_000)).toEqual(['number b', 'number c']);
    expect(backlog.nextSendAt()).toBeNull();
    expect(backlog.find('number', 'b')).toBeNull();
  });

  test('and waits for its file leaves at no time before that is there', () => {
    const { backlog } = newBacklog();
    backlog.addLater('number', message('f', { fileUrl: 'https://example.com/f', sendAt: now }));
    backlog.addLater('number', message('g', { sendAt: now + 5 }));
    expect(backlog.nextSendAt()).toBe(now + 5);
    expect(backlog.takeLater(now + 10 * dayMs, 9)).toHaveLength(1);
    expect(backlog.waitingForFile('f')).toMatchObject({ numberId: 'number', message: { messageId: 'f' } });
    expect(backlog.waitingForFile('g')).toBeNull();
    backlog.removeLater('another', 'f');
    expect(backlog.waitingForFile('f')).not.toBeNull();
    backlog.removeLater('number', 'f');
    expect(backlog.waitingForFile('f')).toBeNull();
  });
});

describe('a chat that a waiting message is to begin', () => {
  test('is as new to what follows to the same recipient from there, and to nothing else', () => {
    const { backlog, add, kinds } = newBacklog();
    add('1', { isNewChat: true, origin: campaign });
    add('2');
    add('3', { to: other });
    add('4', {}, now - 1_000);
    expect(kinds()).toEqual({ 1: 'new true', 2: 'new true', 3: 'ongoing false', 4: 'answer false' });
    const another = newSender('another');
    another.backlog = 1;
    backlog.add(another, message('5'), null, now);
    expect(kinds('another')).toEqual({ 5: 'ongoing false' });
  });

  test('has begun when they write: all that waits for them answers, in every lane', () => {
    const { backlog, add, kinds } = newBacklog();
    add('1', { isNewChat: true, origin: campaign });
    add('2', { isNewChat: true });
    add('3', { isNewChat: true, to: other });
    add('4', { origin: person, to: other });
    backlog.noteWritten('number', to, now - 1_000, now);
    expect(kinds()).toEqual({ 1: 'answer false', 2: 'answer false', 3: 'new true', 4: 'new true' });
    backlog.noteWritten('another', other, now, now);
    expect(kinds()).toMatchObject({ 3: 'new true' });
    backlog.noteWritten('number', other, now - dayMs, now);
    expect(kinds()).toMatchObject({ 3: 'ongoing false', 4: 'ongoing false' });
  });

  test('has not begun when that message comes back: what waits behind it begins it', () => {
    const { backlog, add, kinds, sender } = newBacklog();
    add('1');
    add('2', { origin: campaign });
    add('3', { to: other });
    add('4', {}, now - 1_000);
    backlog.noteNotBegun(sender, to);
    expect(kinds()).toEqual({ 1: 'new true', 2: 'new true', 3: 'ongoing false', 4: 'answer false' });
  });
});

describe('what waits for a number', () => {
  test('is counted until it is gone, and is over no earlier than the first of it', () => {
    const { backlog, add, sender } = newBacklog();
    expect(sender.expiresAt).toBeNull();
    add('1', { expiresAt: now + 5 });
    add('2', { expiresAt: now + 3 });
    expect(sender).toMatchObject({ backlog: 2, expiresAt: now + 3 });
    backlog.remove(sender, ['1', 'gone', '1']);
    expect(sender).toMatchObject({ backlog: 1, expiresAt: now + 3 });
    backlog.remove(sender, ['2']);
    expect(sender).toMatchObject({ backlog: 0, expiresAt: null });
  });

  test('is found by its number alone, and says whether it is an answer', () => {
    const { backlog, add } = newBacklog();
    add('1');
    add('2', {}, now - 1_000);
    add('3', { content: reaction });
    expect(['1', '2', '3'].map((id) => backlog.find('number', id)?.isAnswer)).toEqual([false, true, true]);
    expect(backlog.find('another', '1')).toBeNull();
  });

  test('comes the oldest first, behind a place, of what may move, or of what ends in its order', () => {
    const { backlog, add } = newBacklog();
    add('3');
    add('1', { mayMove: false });
    add('2', { sendAt: now - 1 });
    const ids = (...[limit = 9, options]: [number?, Parameters<typeof backlog.first>[4]?]) =>
      backlog.first('number', 'ongoing', 'server', limit, options).map(({ messageId }) => messageId);
    expect(ids()).toEqual(['1', '2', '3']);
    expect(ids(2)).toEqual(['1', '2']);
    expect(ids(9, { after: '1' })).toEqual(['2', '3']);
    expect(ids(9, { movable: true })).toEqual(['2', '3']);
    expect(ids(9, { inOrder: true })).toEqual(['1', '3']);
  });

  test('and ends in another order than it came is told by when it ends: what had a time, and what is done to messages', () => {
    const { backlog, add } = newBacklog();
    add('1', { expiresAt: now + 1 });
    add('2', { expiresAt: now + 9, sendAt: now - 1 });
    add('3', { expiresAt: now + 5, content: reaction });
    const ids = (limit: number) => backlog.firstOver('number', limit).map(({ messageId }) => messageId);
    expect(ids(9)).toEqual(['3', '2']);
    expect(ids(1)).toEqual(['3']);
    expect(backlog.firstOver('another', 9)).toEqual([]);
  });

  test('of a campaign says for which number; other messages do not', () => {
    const { backlog, add } = newBacklog();
    add('1', { origin: campaign });
    add('2');
    add('3', { origin: campaign, isNewChat: true });
    expect(['1', '2', '3', '4'].map((id) => backlog.numberOfCampaign(id))).toEqual([
      'number',
      null,
      'number',
      null,
    ]);
  });

  test('in a lane is known to be nothing until something comes, or is rolled back', () => {
    const { sql, backlog, add } = newBacklog();
    expect(backlog.isEmpty('number', 'person')).toBe(true);
    add('1', { origin: campaign });
    expect(backlog.isEmpty('number', 'person')).toBe(true);
    expect(backlog.isEmpty('number', 'campaign')).toBe(false);
    add('2', { origin: person });
    expect(backlog.isEmpty('number', 'person')).toBe(false);
    sql.exec("DELETE FROM accepted WHERE message_id = '2'");
    expect(backlog.isEmpty('number', 'person')).toBe(true);
    new Backlog(sql).add(newSender('number'), message('3', { origin: person }), null, now);
    expect(backlog.isEmpty('number', 'person')).toBe(true);
    backlog.reload();
    expect(backlog.isEmpty('number', 'person')).toBe(false);
  });
});
