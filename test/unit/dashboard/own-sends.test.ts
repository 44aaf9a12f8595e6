import { expect, test } from 'vitest';
import { type ChatItem, idOf } from '../../../src/dashboard/queries/conversations/chat-items.ts';
import { OwnSends } from '../../../src/dashboard/queries/conversations/own-sends.ts';

const note = (noteId: string, userId: string | null) =>
  ({
    kind: 'note',
    note: { noteId, author: userId === null ? null : { userId, name: 'Ada' } },
  }) as unknown as ChatItem;

/** The chats of a page; `send` has an answer when one of its functions is called. */
function openChats() {
  const shown: string[] = [];
  const sends = new OwnSends((conversationId, item) => shown.push(`${conversationId} ${idOf(item)}`));
  const send = (conversationId: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    return { resolve, reject, ended: sends.send(conversationId, () => promise).catch(() => undefined) };
  };
  return { shown, sends, send };
}

test('what somebody sends does not stand in their chat twice while it has no answer', async () => {
  const { shown, sends, send } = openChats();
  const { resolve, ended } = send('chat');
  sends.told('chat', note('1', 'me'), 'me');
  expect(shown).toEqual([]);
  resolve();
  await ended;
  expect(shown).toEqual(['chat 1']);
  sends.told('chat', note('2', 'me'), 'me');
  expect(shown).toEqual(['chat 1', 'chat 2']);
});

test('what they sent is there where the answer was lost', async () => {
  const { shown, sends, send } = openChats();
  const { reject, ended } = send('chat');
  sends.told('chat', note('1', 'me'), 'me');
  reject(new Error('The gateway was away.'));
  await ended;
  expect(shown).toEqual(['chat 1']);
});

test('what others write meanwhile is shown at once, and so is what they write to another chat', () => {
  const { shown, sends, send } = openChats();
  send('chat');
  sends.told('chat', note('1', 'somebody else'), 'me');
  sends.told('chat', note('2', null), 'me');
  sends.told('another', note('3', 'me'), 'me');
  expect(shown).toEqual(['chat 1', 'chat 2', 'another 3']);
});
