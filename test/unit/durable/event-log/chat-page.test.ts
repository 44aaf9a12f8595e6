import { expect, test } from 'vitest';
import { ChatPages } from '../../../../src/durable/event-log/conversations/reading/chat-page.ts';

/** Pages over messages and notes that the test says. */
const pagesOver = (messages: object, notes: readonly { id: number }[]) =>
  new ChatPages(
    { page: () => messages } as never,
    { before: () => notes } as never,
    { complete: async (page: object) => page } as never,
    { complete: async (_: string, __: string, kept: object) => kept } as never,
    { digitsOf: () => [] } as never,
  );

test('a page that is short, and goes on below a place, leaves the notes below it to the next one', async () => {
  const pages = pagesOver({ messages: [], nextBefore: 5_000 }, [{ id: 6_000 }, { id: 4_000 }]);
  const chat = { conversationId: 'c', numberId: 'n', phoneNumber: '628', lid: null, groupId: null };
  const page = await pages.page(chat, { limit: 10, before: null, after: null });
  expect(page.items.map(({ id }) => id)).toEqual([6_000]);
  expect(page.nextBefore).toBe(5_000);
});
