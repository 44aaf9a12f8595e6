import { expect, onTestFinished, test } from 'vitest';
import { ask, eventually, openAccount } from '../front-door.ts';
import { assistantPath, makeAssistant, serverOrigin } from './assistant-fixture.ts';

/** A document that an assistant of a new account is to know, and how it is now. */
async function document(page: string) {
  const account = await openAccount();
  const assistant = await makeAssistant(account, 'echo');
  const headers = account.owner;
  const json = { url: `${serverOrigin}/page/${page}` };
  const { body } = await ask('POST', assistantPath(assistant, '/documents'), { headers, json });
  const path = assistantPath(assistant, `/documents/${body.documentId}`);
  return async () => (await ask('GET', path, { headers })).body;
}

test('a document whose host hangs holds up no document of another account', async () => {
  const slow = await document('held');
  onTestFinished(() => void fetch(`${serverOrigin}/release?model=page`));
  // Its host answers, that there is no such page.
  const quick = await document('gone');
  await eventually(async () => ((await quick()).state === 'failed' ? true : undefined));
  expect(await slow()).toMatchObject({ state: 'pending', error: null });
});
