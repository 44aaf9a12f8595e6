import { expect, test } from 'vitest';
import { doorWith, mailVariables, nextMail } from '../configured-door.ts';
import { openAccount } from '../front-door.ts';

test('whoever was invited as often as may be can still get a new password', async () => {
  const [account, { email }] = [await openAccount(), await openAccount()];
  const door = doorWith(mailVariables());
  const invite = () =>
    door('POST', '/v1/auth/invitations', { headers: account.owner, json: { email, role: 'agent' } });
  for (let mails = 0; mails < 5; mails += 1) expect((await invite()).status).toBe(201);
  expect(await invite()).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } });
  await door('POST', '/v1/auth/password/forgot', { json: { email } });
  expect((await nextMail(email, /^Reset/)).token).not.toBe('');
});

test('a slash at the end of PUBLIC_URL stands once in a link', async () => {
  const { email } = await openAccount();
  const door = doorWith({ ...mailVariables(), PUBLIC_URL: 'https://dashboard.example.com/' });
  await door('POST', '/v1/auth/password/forgot', { json: { email } });
  expect((await nextMail(email, /^Reset/)).text).toContain('https://dashboard.example.com/password/reset#');
});
