import { expect, test } from 'vitest';
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
