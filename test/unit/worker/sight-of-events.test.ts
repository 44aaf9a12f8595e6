import { expect, test } from 'vitest';
import type { ContactTyping } from '../../../src/durable/event-log/conversations/presence.ts';
import { seenPresence } from '../../../src/worker/features/events/live-reader.ts';

const hidden = new Set(['hidden']);
const typing = (numberId: string): ContactTyping => ({
  conversationId: 'one',
  numberId,
  state: 'typing',
  until: 0,
});
const viewed = (numberId: string) => ({ conversationId: 'one', numberId, people: [], lockedBy: null });

test('of a number that is hidden nobody hears who types or looks, and of the others they do', () => {
  expect(
    seenPresence(
      {
        conversations: [viewed('hidden'), viewed('seen')],
        online: ['ana'],
        typing: [typing('hidden'), typing('seen')],
      },
      hidden,
    ),
  ).toEqual({ conversations: [viewed('seen')], online: ['ana'], typing: [typing('seen')] });
});

test('typing in hidden numbers alone is not told at all, and who is online always is', () => {
  expect(seenPresence({ conversations: [], online: ['ana'], typing: [typing('hidden')] }, hidden)).toBeNull();
  expect(seenPresence({ conversations: [viewed('hidden')], online: ['ana'] }, hidden)).toEqual({
    conversations: [],
    online: ['ana'],
  });
});
