import { test } from 'vitest';
import { waitUntil } from '../../wait-until.ts';
import { expectAccessible } from '../stage/accessible.ts';
import { Stage } from '../stage/stage.ts';

/** Nobody new is let in, and a sign-in counts for a second. */
const stage = Stage.openOwn({ SIGNUP: 'closed', STEP_UP_SECONDS: '1' });

test('who has signed in a while ago is asked for the password before a number is deleted, and then it is', async () => {
  stage.expectRefusals(403);
  const ada = await stage.newPerson();
  const { numberId } = await ada.call<{ numberId: string }>('POST', '/v1/numbers', { label: 'Old one' });
  const page = await ada.open(`/numbers/${numberId}`);
  await page.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('Old one');
  // The second that a sign-in counts is over.
  const { data } = await ada.call<{ data: { createdAt: string }[] }>('GET', '/v1/auth/sessions');
  const signedInAt = Math.max(...data.map(({ createdAt }) => Date.parse(createdAt)));
  await waitUntil('The clock stands still', async () => (Date.now() > signedInAt + 1_000 ? true : null));
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByText('Confirm that it is you').waitFor();
  await expectAccessible(page);
  const password = dialog.getByRole('textbox', { name: 'Your password' });
  await password.fill('not the password');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await dialog.getByText('This is not your password.').waitFor();
  await password.fill(ada.password);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('heading', { name: 'No number yet' }).waitFor();
});

test('somebody is invited, and whoever invites learns that nobody new can come in; the audit log has it, and holds', async () => {
  const ada = await stage.newPerson();
  const page = await ada.open('/settings/members');
  await page.getByRole('button', { name: 'Invite member' }).click();
  const email = `bob-${crypto.randomUUID()}@example.com`;
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'E-mail' }).fill(email);
  const usersOnly = /only people who already have a user can accept/;
  await dialog.getByText(usersOnly).waitFor();
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await dialog.getByRole('region', { name: 'Invitation link' }).waitFor();
  await dialog.getByText(usersOnly).waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('row', { name: new RegExp(email) }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Withdraw' }).click();
  await page.getByRole('row', { name: new RegExp(email) }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Audit log' }).click();
  await page.getByRole('row', { name: /invitation\.withdrawn/ }).waitFor();
  await page.getByRole('button', { name: 'Verify chain' }).click();
  await page.getByText(/entries verified/).waitFor();
  await expectAccessible(page);
});

test('who has signed in a while ago is asked for the password before an API key is made, and loses nothing that was filled in', async () => {
  stage.expectRefusals(403);
  const ada = await stage.newPerson();
  const page = await ada.open('/developer/api-keys');
  await page.getByRole('button', { name: 'Create API key' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('The till');
  const { data } = await ada.call<{ data: { createdAt: string }[] }>('GET', '/v1/auth/sessions');
  const signedInAt = Math.max(...data.map(({ createdAt }) => Date.parse(createdAt)));
  await waitUntil('The clock stands still', async () => (Date.now() > signedInAt + 1_000 ? true : null));
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await dialog.getByText('Confirm that it is you').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('textbox', { name: 'Your password' }).fill(ada.password);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await dialog
    .getByText(/sk_live_/)
    .first()
    .waitFor();
});
