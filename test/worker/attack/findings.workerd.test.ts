import { expect, test } from 'vitest';
import { addConnectedNumber, ask, openAccount } from '../front-door.ts';

/* What an attack from outside has found, one by one; the rest is found again by the other files of this folder. */

test('110,000 unknown fields are refused in an answer of a few kilobytes', async () => {
  const account = await openAccount();
  const fields = Array.from({ length: 110_000 }, (_, index) => `"${index.toString(36)}":0`);
  const answer = await ask('POST', '/v1/numbers', {
    headers: { ...account.owner, 'Content-Type': 'application/json' },
    raw: `{"label":"x",${fields.join(',')}}`,
  });
  expect(answer).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } });
  expect(answer.text.length).toBeLessThan(8000);
});

test('a field with an endless name is named by its beginning', async () => {
  const account = await openAccount();
  const answer = await ask('POST', '/v1/numbers', {
    headers: account.owner,
    json: { label: 'x', ['y'.repeat(500_000)]: 1 },
  });
  expect(answer.body.error.details).toEqual([{ path: `${'y'.repeat(200)}…`, message: 'Unknown field.' }]);
});

test('a dry run that is asked for and not asked for is refused, and sends nothing', async () => {
  const account = await openAccount();
  await addConnectedNumber(account);
  for (const query of ['dryRun=false&dryRun=true', 'dryRun=true&dryRun=true']) {
    const answer = await ask('POST', `/v1/messages/send?${query}`, {
      headers: account.server,
      json: { to: '628123456789', text: 'hello' },
    });
    expect(answer).toMatchObject({ status: 400, body: { error: { details: [{ path: 'dryRun' }] } } });
  }
  expect((await ask('GET', '/v1/usage', { headers: account.server })).body).toMatchObject({ used: 0 });
});

test('a time beyond what our own answers can say is refused', async () => {
  const account = await openAccount();
  const create = (expiresAt: string) =>
    ask('POST', '/v1/auth/api-keys', { headers: account.owner, json: { name: 'till', expiresAt } });
  expect(await create('9999-12-31T23:59:59-23:59')).toMatchObject({
    status: 400,
    body: { error: { details: [{ path: 'expiresAt' }] } },
  });
});

test('a URL with half a character is refused, and not changed into another one', async () => {
  const account = await openAccount();
  const answer = await ask('POST', '/v1/webhooks', {
    headers: account.owner,
    json: { url: 'https://example.com/\ud800', numberIds: 'all', events: 'all' },
  });
  expect(answer).toMatchObject({ status: 400, body: { error: { details: [{ path: 'url' }] } } });
});
