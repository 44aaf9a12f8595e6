import { expect, test } from 'vitest';
import { ask, openAccount } from './front-door.ts';

/** An account with the draft of a campaign. */
async function withDraft(name = 'Spring') {
  const { owner: headers } = await openAccount();
  const call = (method: string, path: string, json?: unknown) =>
    ask(method, `/v1/campaigns${path}`, { headers, ...(json !== undefined && { json }) });
  const made = await call('POST', '', { name, message: { text: 'Hello' }, audience: { all: true } });
  expect(made.status).toBe(201);
  return { call, path: `/${made.body.campaignId}` };
}

test('what two people change of a campaign at the same moment is all kept', async () => {
  const { call, path } = await withDraft();
  const changes = [
    { name: 'Summer' },
    { ratePerHour: 100 },
    { message: { text: 'Dear you' } },
    { variants: [{ text: 'Hey' }] },
    { timeZone: 'Asia/Jakarta' },
  ];
  const answers = await Promise.all(changes.map((change) => call('PATCH', path, change)));
  expect(answers.map(({ status }) => status)).toEqual(changes.map(() => 200));
  const { body } = await call('GET', path);
  expect(body).toMatchObject(Object.assign({}, ...changes));
});

test('the copy of a campaign has a name that is none too long, and no half of a character', async () => {
  const { call, path } = await withDraft(`${'a'.repeat(95)}👍🏽!`.slice(0, 99));
  const { status, body } = await call('POST', `${path}/duplicate`);
  expect(status).toBe(201);
  expect(body.name).toBe(`${'a'.repeat(95)} (2)`);
  expect(body.name.isWellFormed()).toBe(true);
});
