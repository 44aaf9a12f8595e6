import { Secret, TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { expectAccessible } from '../stage/accessible.ts';
import { Stage } from '../stage/stage.ts';

const stage = Stage.open();

test('a second factor is turned on with a code of the secret that is shown, and off with a recovery code', async () => {
  const ada = await stage.newPerson();
  const page = await ada.open('/settings');
  const section = page.getByRole('region', { name: 'Two-factor authentication' });
  await section.getByRole('button', { name: 'Turn on' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Your password' }).fill(ada.password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByRole('img', { name: 'QR code' }).waitFor();
  await expectAccessible(page);
  const secret = (await dialog.getByRole('region', { name: 'Secret' }).locator('code').textContent()) ?? '';
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  await dialog.getByRole('textbox', { name: 'Authenticator code' }).fill(code);
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  const codes =
    (await dialog.getByRole('region', { name: 'Recovery codes' }).locator('code').textContent()) ?? '';
  await dialog.getByRole('button', { name: 'I have saved them' }).click();
  await section.getByText('On', { exact: true }).waitFor();
  await section.getByRole('button', { name: 'Turn off' }).click();
  await dialog.getByRole('textbox', { name: 'Your password' }).fill(ada.password);
  await dialog
    .getByRole('textbox', { name: 'Authenticator or recovery code' })
    .fill(codes.split('\n')[0] ?? '');
  await dialog.getByRole('button', { name: 'Turn off' }).click();
  await section.getByText('Off', { exact: true }).waitFor();
});

test('a session elsewhere is ended, and a new password is the one that counts', async () => {
  stage.expectRefusals(401, 403);
  const ada = await stage.newPerson();
  const elsewhere = await ada.open('/numbers');
  const page = await ada.open('/settings/security');
  const sessions = page.getByRole('region', { name: 'Active sessions' });
  await sessions.getByText('This device').waitFor();
  await expectAccessible(page);
  await sessions.getByRole('button', { name: 'End all other sessions' }).click();
  await sessions.getByRole('button', { name: 'End all other sessions' }).waitFor({ state: 'detached' });
  await elsewhere.reload();
  await elsewhere.waitForURL('**/sign-in**');
  const password = page.getByRole('region', { name: 'Password' });
  await password.getByRole('textbox', { name: 'Current password' }).fill('not the password');
  await password.getByRole('textbox', { name: 'New password' }).fill('four other random words');
  await password.getByRole('button', { name: 'Save' }).click();
  await password.getByText('This is not your password.').waitFor();
  await password.getByRole('textbox', { name: 'Current password' }).fill(ada.password);
  await password.getByRole('button', { name: 'Save' }).click();
  await password.getByText('Saved').waitFor();
  const { email } = ada;
  const login = { body: { email, password: 'four other random words' } };
  expect(await stage.request('POST', '/v1/auth/login', login)).toMatchObject({ user: { email } });
});
