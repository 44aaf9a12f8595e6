import { expect, test } from 'vitest';
import { listWith } from '../../../src/dashboard/queries/conversations/told-lists.ts';
import type { Conversation, ConversationFilter } from '../../../src/sdk/index.ts';

const ownId = 'me';
const conversation = (conversationId: string, position: number, more: Partial<Conversation> = {}) =>
  ({
    conversationId,
    position,
    status: 'open',
    assigneeId: null,
    teamId: null,
    labels: [],
    waitingSince: null,
    campaign: null,
    lastMessage: null,
    ...more,
  }) as unknown as Conversation;

/** A list that was asked for, page by page; `isMore`: there is more than that. What is told changes it, and is its answer. */
function listed(filter: ConversationFilter, data: Conversation[][], isMore = false) {
  const pages = data.map((page, place) => ({
    data: page,
    nextCursor: place < data.length - 1 || isMore ? `${place}` : null,
  }));
  let shown = { pages, pageParams: pages.map(({ nextCursor }) => nextCursor) };
  return (told: Conversation[]) => {
    shown = listWith(shown, filter, told, ownId);
    return shown.pages.map((page) => page.data.map((one) => one.conversationId));
  };
}

const [a, b, c, d] = [
  conversation('a', 40),
  conversation('b', 30),
  conversation('c', 20),
  conversation('d', 10),
];

test('a conversation goes where it stands now, also out of a page further down', () => {
  const list = listed({ status: 'open' }, [
    [a, b],
    [c, d],
  ]);
  expect(list([{ ...d, position: 50 }])).toEqual([['d', 'a', 'b'], ['c']]);
  expect(list([conversation('late', 15), conversation('between', 35)])).toEqual([
    ['d', 'a', 'between', 'b'],
    ['c', 'late'],
  ]);
});

test('of two that were written in at once the later id stands first, as the gateway has it', () => {
  expect(listed({}, [[a]])([conversation('e', 40), conversation('A', 40)])).toEqual([['e', 'a', 'A']]);
});

test('what stands below all that was asked for comes with the next page', () => {
  expect(listed({}, [[a, b]], true)([c, { ...b, position: 5 }])).toEqual([['a']]);
});

test('a conversation leaves the lists that it belongs to no more, and comes into those that it belongs to', () => {
  const campaign = { campaignId: 'sale', name: 'Sale' };
  const told = [{ ...b, status: 'resolved' as const, assigneeId: ownId, labels: ['refund'], campaign }];
  expect(listed({ status: 'open' }, [[a, b]])(told)).toEqual([['a']]);
  expect(listed({ status: 'pending,resolved' }, [[c]])(told)).toEqual([['b', 'c']]);
  expect(listed({ assignee: 'none' }, [[a, b]])(told)).toEqual([['a']]);
  for (const filter of [{ assignee: 'me' }, { campaignId: 'sale' }, { label: 'refund' }]) {
    expect(listed(filter, [[]])(told)).toEqual([['b']]);
  }
});

test('in the list of who waits the longest waiting is first, and nobody who was answered is', () => {
  const waiting = (hour: number) => ({ waitingSince: `2026-01-01T0${hour}:00:00.000Z` });
  const list = listed({ sort: 'waiting' }, [
    [
      { ...a, ...waiting(1) },
      { ...b, ...waiting(3) },
    ],
  ]);
  expect(list([{ ...c, ...waiting(2) }, a])).toEqual([['c', 'b']]);
});

test('in what was searched for a conversation is shown as it is now, and neither comes nor goes', () => {
  const searched = listWith(
    { pages: [{ data: [a], nextCursor: null }], pageParams: [null] },
    { q: 'ada' },
    [{ ...a, status: 'resolved' }, b],
    ownId,
  );
  expect(searched.pages[0]?.data).toEqual([{ ...a, status: 'resolved' }]);
});
