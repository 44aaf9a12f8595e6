import { expect, test } from 'vitest';
import { type ChatItem, idOf, withItem } from '../../../src/dashboard/queries/conversations/chat-items.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
const item = (messageId: string, second: number, text = '') =>
  ({
    kind: 'message',
    cursor: messageId,
    message: { messageId, text, status: 'received', receivedAt: at(second) },
  }) as unknown as ChatItem;

/** What a chat shows after it was told of items; `nextCursor`: where older ones begin. */
const chatWith = (data: ChatItem[], nextCursor: string | null, ...told: ChatItem[]) =>
  told
    .reduce(withItem, { pages: [{ data, nextCursor }], pageParams: [null] })
    .pages.flatMap((page) => page.data);

test('a message that came late stands between those that were written before and after it', () => {
  const chat = chatWith([item('third', 3), item('first', 1)], null, item('second', 2));
  expect(chat.map(idOf)).toEqual(['third', 'second', 'first']);
});

test('a message that is told of twice stands there once, as it is now', () => {
  const told = item('second', 2, 'with its place');
  expect(chatWith([item('first', 1)], null, item('second', 2), told)).toEqual([told, item('first', 1)]);
});

test('of one second the newest stands first, and none is lost where a page ends with that second', () => {
  const shown = [item('second', 1), item('first', 1)];
  const chat = chatWith(shown, 'more', item('third', 1), item('before all of them', 0));
  expect(chat.map(idOf)).toEqual(['third', 'second', 'first']);
});
