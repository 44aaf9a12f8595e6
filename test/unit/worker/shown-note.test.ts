import { expect, test } from 'vitest';
import { shownNote } from '../../../src/worker/features/conversations/shown-conversation.ts';

const note = { id: 1, noteId: 'n', text: 'They call back.', mentions: [], at: 0 };

test('a note says who wrote it, and no name of somebody who has left the account', () => {
  const byPerson = { ...note, author: { kind: 'person', userId: 'ada' } } as const;
  expect(shownNote(byPerson, new Map([['ada', 'Ada']]))).toMatchObject({
    author: { userId: 'ada', name: 'Ada' },
  });
  expect(shownNote(byPerson, new Map())).toMatchObject({ author: { userId: 'ada', name: null } });
});

test('a note that no person has written says which rule or assistant has', () => {
  const byRule = { ...note, author: { kind: 'automation', automationId: 'r' } } as const;
  expect(shownNote(byRule, new Map())).toMatchObject({ author: null, automationId: 'r' });
  const byAssistant = { ...note, author: { kind: 'assistant', assistantId: 'a' } } as const;
  expect(shownNote(byAssistant, new Map())).toMatchObject({ author: null, assistantId: 'a' });
});
