import { test } from 'vitest';
import { waitUntil } from '../../wait-until.ts';
import { expectAccessible, Stage } from '../stage/stage.ts';

const stage = Stage.open({ STEP_UP_SECONDS: '1' });

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
