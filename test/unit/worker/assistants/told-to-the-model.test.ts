import { expect, test } from 'vitest';
import { noTools } from '../../../../src/contract/assistants/assistant.ts';
import { earlierLine, instructionsOf } from '../../../../src/worker/features/assistants/thinking/prompt.ts';
import { noUse, toolsFor } from '../../../../src/worker/features/assistants/thinking/tools.ts';

const context = { name: null, labels: [], attributes: {}, conversationLabels: [], summary: null };

test('of what was said before and is in no summary yet, a model is told the newest twenty messages', () => {
  const unsummarised = Array.from({ length: 21 }, (_, id) => ({
    ...{ id, from: 'contact' as const, text: `message ${id}.`, at: 0 },
  }));
  const told = instructionsOf(
    { name: 'Front desk', instructions: '' },
    { ...context, unsummarised },
    { now: 0, toolNames: [] },
  );
  const numbers = [...told.matchAll(/message (\d+)\./g)].map(([, number]) => Number(number));
  expect(numbers).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
});

test('of what was said before a model is told who said it', () => {
  const line = (from: 'contact' | 'assistant' | 'business') =>
    earlierLine({ id: 1, from, text: 'Hi.', at: 0 });
  expect([line('contact'), line('assistant'), line('business')]).toEqual([
    ...['Customer: Hi.', 'Business: Hi.', 'Business: Hi.'],
  ]);
});

test('a label counts once, and a note to a person is short', async () => {
  const use = noUse();
  const { add_label, hand_off } = toolsFor(
    { tools: { ...noTools, labels: ['urgent'] } },
    context as never,
    { env: {} as Env, headers: {}, hasKnowledge: false, isTrial: false, search: async () => [] },
    use,
  );
  for (const _call of [1, 2]) await add_label?.execute?.({ label: 'urgent' }, {} as never);
  await hand_off?.execute?.({ reason: 'a'.repeat(501) }, {} as never);
  expect(use).toMatchObject({ labels: ['urgent'], handOff: { note: 'a'.repeat(500) } });
});

test('each page of a document that was found is a source of the answer, once', async () => {
  const passage = { documentId: 'sitemap', name: 'Shop', heading: '', text: 'We open at nine.', score: 1 };
  const urls = ['https://shop.example.com/hours', 'https://shop.example.com/contact'];
  const use = noUse();
  const { search_knowledge } = toolsFor(
    { tools: noTools },
    context as never,
    {
      ...{ env: {} as Env, headers: {}, hasKnowledge: true, isTrial: false },
      search: async () => [...urls, ...urls].map((url) => ({ ...passage, url })),
    },
    use,
  );
  await search_knowledge?.execute?.({ query: 'hours' }, {} as never);
  expect(use.sources.map(({ url }) => url)).toEqual(urls);
});
