import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { runTurn } from '../../../src/worker/features/assistants/turns/run-turn.ts';
import { doorWith } from '../configured-door.ts';
import { openAccount } from '../front-door.ts';
import { assistantPath, makeAssistant } from './assistant-fixture.ts';

const hurried = doorWith({ ASSISTANT_ANSWER_SECONDS: '1' });

test.each([
  ['never answers', 'silent'],
  ['begins to answer, and stops', 'dribble'],
  ['takes longer than it may', 'late=30000'],
])('a model that %s is given up after its time, and the owner is told', async (_what, behaviour) => {
  const account = await openAccount();
  const assistant = await makeAssistant(account, behaviour);
  const json = { messages: [{ text: 'hello' }] };
  const { status, body } = await hurried('POST', assistantPath(assistant, '/try'), {
    headers: account.owner,
    json,
  });
  expect(status).toBe(200);
  expect(body).toMatchObject({ outcome: 'failed', text: null, error: 'The model took too long.' });
});

test('a model that is slow, and within its time, is waited for', async () => {
  const account = await openAccount();
  const assistant = await makeAssistant(account, 'late=300');
  const json = { messages: [{ text: 'hello' }] };
  const patient = doorWith({ ASSISTANT_ANSWER_SECONDS: '60' });
  const { body } = await patient('POST', assistantPath(assistant, '/try'), { headers: account.owner, json });
  expect(body).toMatchObject({ outcome: 'answer', text: 'You said: hello' });
});

test('a turn whose model never answers is given up after the same time', async () => {
  const account = await openAccount();
  const { assistantId } = await makeAssistant(account, 'silent');
  const messages = [{ id: 1, from: 'contact', text: 'hello', at: 0 }];
  const context = { conversationId: 'c', messages, unsummarised: [], labels: [], attributes: {} };
  const decided: object[] = [];
  const log = {
    claimTurn: async () => ({ todo: 'answer', lease: 'lease', assistantId, context }),
    decideTurn: async (_turn: string, _lease: string, thought: object) => {
      decided.push(thought);
      return { order: null };
    },
  };
  const hasty = { ...env, ASSISTANT_ANSWER_SECONDS: '1', EVENT_LOG: { getByName: () => log } };
  await runTurn(hasty as unknown as Env, account.accountId, 'turn');
  expect(decided).toMatchObject([{ outcome: 'failed', detail: { error: 'The model took too long.' } }]);
});
