import { expect, test } from 'vitest';
import { Backlog } from '../../../../src/durable/account/outbox/backlog.ts';
import type { HandOver } from '../../../../src/durable/account/outbox/hand-over.ts';
import { Placement } from '../../../../src/durable/account/outbox/placement.ts';
import type { CurrentPool } from '../../../../src/durable/account/senders/current-pool.ts';
import { Senders } from '../../../../src/durable/account/senders/senders.ts';
import type { AcceptedMessage } from '../../../../src/durable/hand-over/message-batch.ts';
import { knownAccount, now } from './known-account.ts';

const to = '628111222333';

function newPlacement() {
  const { sql, senders, counts, choosing } = knownAccount({ a: {} });
  const [backlog, conversations] = [new Backlog(sql), choosing.conversations];
  /** Which numbers have taken a turn, and whether they were next. */
  const turns: [numberId: string, rotated: boolean][] = [];
  const formed: string[] = [];
  const placement = new Placement({
    ...{ senders, backlog, conversations, counts },
    currentPool: {
      give: ({ numberId }: { numberId: string }, rotated: boolean) => turns.push([numberId, rotated]),
    } as unknown as CurrentPool,
    handOver: { form: ({ numberId }: { numberId: string }) => formed.push(numberId) } as unknown as HandOver,
  });
  const put = (more: Partial<AcceptedMessage> = {}, rotated = true) => {
    const message: AcceptedMessage = {
      ...{ messageId: 'msg_1', to, chatType: 'personal', senderSource: 'pool', isNewChat: true },
      ...{
        content: { type: 'text', text: 'hello' },
        mayMove: true,
        queuedAt: now,
        expiresAt: now + 86_400_000,
      },
      ...more,
    };
    const place = { numberId: 'a', rotated, conversations: conversations.of(to), stickyHours: 24 };
    placement.put(message, place, now);
    placement.finish(now);
  };
  return { sql, senders, counts, conversations, backlog, placement, turns, formed, put };
}

test('a message takes the turn of its number, is counted, is talk with its recipient, and may be handed over', () => {
  const { sql, counts, conversations, turns, formed, put } = newPlacement();
  put();
  put({ messageId: 'msg_2' }, false);
  expect(turns).toEqual([
    ['a', true],
    ['a', false],
  ]);
  expect(counts.used('2026-11')).toBe(2);
  expect(conversations.of(to).get('a')).toEqual({ lastAt: now, wroteAt: null });
  expect(formed).toEqual(['a', 'a']);
  expect(new Senders(sql).of('a').backlog).toBe(2);
});

test('a message for later is counted at once, and does all else when its time comes: then its number was not next', () => {
  const { backlog, counts, conversations, placement, turns, formed, put } = newPlacement();
  put({ sendAt: now + 5_000 });
  expect([turns, formed, conversations.of(to).size]).toEqual([[], [], 0]);
  expect(counts.used('2026-11')).toBe(1);
  expect(placement.release(now + 4_999, 9, 24)).toBe(0);
  expect(placement.release(now + 5_000, 9, 24)).toBe(1);
  placement.finish(now + 5_000);
  expect(turns).toEqual([['a', false]]);
  expect(formed).toEqual(['a']);
  expect(counts.used('2026-11')).toBe(1);
  expect(conversations.of(to).get('a')?.lastAt).toBe(now + 5_000);
  expect(backlog.find('a', 'msg_1')).toMatchObject({ isNewChat: true });
});

test('a message for later begins no chat where they talk by then, and answers whoever has written within a day', () => {
  const { backlog, conversations, placement, put } = newPlacement();
  put({ messageId: 'msg_1', sendAt: now + 5_000 });
  put({ messageId: 'msg_2', sendAt: now + 5_000, to: '120363041234567890@g.us', chatType: 'group' });
  put({ messageId: 'msg_3', sendAt: now + 5_000, to: '628999000111' });
  conversations.noteInbound(to, 'a', now);
  expect(placement.release(now + 5_000, 9, 24)).toBe(3);
  const found = ['msg_1', 'msg_2', 'msg_3'].map((messageId) => backlog.find('a', messageId));
  expect(found.map((one) => [one?.isNewChat, one?.isAnswer])).toEqual([
    [false, true],
    [false, false],
    [true, false],
  ]);
});

test('a message that waits for its file is given to no number yet', () => {
  const { turns, backlog, put, senders } = newPlacement();
  put({ fileUrl: 'https://example.com/file' });
  expect(turns).toEqual([]);
  expect(backlog.waitingForFile('msg_1')).not.toBeNull();
  expect(senders.of('a').backlog).toBe(0);
});

test('what was given in a change that was rolled back is saved by no later one', () => {
  const { placement, formed, put } = newPlacement();
  put();
  placement.putAction({ ...message(), messageId: 'msg_2' }, 'a', now);
  placement.reload();
  placement.finish(now);
  expect(formed).toEqual(['a']);
});

const message = (): AcceptedMessage => ({
  ...{
    messageId: 'msg_2',
    to,
    chatType: 'personal',
    senderSource: 'pinned',
    isNewChat: false,
    mayMove: false,
  },
  ...{ queuedAt: now, expiresAt: now + 86_400_000, isQuiet: true },
  content: {
    ...{ type: 'reaction', targetId: 'msg_x', emoji: '👍' },
    target: { providerMessageId: '3EB0AA', isOwn: true },
  },
});
