import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { addConnectedNumber, eventually, openAccount } from '../front-door.ts';
import { makeAssistant } from './assistant-fixture.ts';
import { runsOver, sentTo, write } from './talking.ts';

test('a person and the assistant answer thirty conversations in the same second: after a person nothing automatic comes', async () => {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  const assistant = await makeAssistant(account, 'late=400');
  const people = Array.from({ length: 30 }, (_, index) => `6285550${String(index).padStart(5, '0')}`);
  const ada = { kind: 'person' as const, userId: newUuid() };
  await Promise.all(
    people.map(async (to, index) => {
      await write(account, numberId, to, `question ${index}`);
      // Before, while and after the model answers.
      await scheduler.wait(index * 40);
      const answer = await env.ACCOUNT.getByName(account.accountId).sendAs({
        origin: ada,
        numberId,
        to,
        chatType: 'personal',
        content: { type: 'text', text: 'Ada here.' },
        idempotencyKey: null,
      });
      expect(answer).toMatchObject({ ok: true });
    }),
  );
  const runs = await runsOver(account, assistant, people.length);
  const answered = runs.filter(({ outcome }) => outcome === 'answered').length;
  // Whose answer came first is told truly.
  const said = await eventually(async () => {
    const lists = await Promise.all(people.map(async (person) => sentTo(account, person)));
    return lists.flat().length >= people.length + answered ? lists : undefined;
  });
  for (const [index, messages] of said.entries()) {
    const kinds = messages.map(({ origin }) => origin.kind);
    // The machine before the person, or not at all.
    expect([['person'], ['assistant', 'person']], people[index]).toContainEqual(kinds);
  }
  expect(said.filter((messages) => messages.length === 2)).toHaveLength(answered);
  // The first person is always quicker than the model.
  expect(said[0]).toHaveLength(1);
  expect(runs.some(({ reason }) => reason === 'person_replied')).toBe(true);
});
