import { expect, test } from 'vitest';
import { expectAccessible } from '../stage/accessible.ts';
import { Stage } from '../stage/stage.ts';

const stage = Stage.open();

interface StoredSettings {
  stickyHours: number;
  rerouteAfterMs: number;
  filters: { allowPrefixes: string[] };
  optOut: { stopWords: string[]; confirmation: string | null };
  retention: { messagesMonths: number; eventsDays: number };
}

test('the account gets another name, which stands in the corner too, and the plan says what is used of it', async () => {
  const ada = await stage.newPerson();
  await ada.call('POST', '/v1/numbers', { label: 'Front desk' });
  const page = await ada.open('/settings/account');
  const name = page.getByRole('region', { name: 'Account name' });
  await name.getByRole('textbox', { name: 'Name' }).fill('Sunset');
  await name.getByRole('button', { name: 'Save' }).click();
  await name.getByText('Saved').waitFor();
  await page.getByRole('button', { name: 'Sunset' }).waitFor();
  const plan = page.getByRole('region', { name: 'Plan and usage' });
  await plan.getByText('0 of 1,000').waitFor();
  await plan.getByText('0 MB of 5 GB').waitFor();
  await plan.getByText('1 of 10', { exact: true }).waitFor();
  await expectAccessible(page);
  expect(await ada.call('GET', '/v1/account')).toMatchObject({ name: 'Sunset' });
});

test('a number leaves the pool, and how the pool chooses and whom it may write to is what was saved', async () => {
  const ada = await stage.newPerson();
  const { numberId } = await ada.call<{ numberId: string }>('POST', '/v1/numbers', { label: 'Front desk' });
  const page = await ada.open('/settings/sending');
  await page.getByRole('switch', { name: 'Front desk is in the pool' }).click();
  await page.getByText('No number is in the pool').waitFor();
  const rules = page.getByRole('region', { name: 'How the pool works' });
  await rules.getByLabel('Same number for the same recipient (hours)').fill('0');
  await rules.getByLabel('Wait for an offline number (seconds)').fill('30');
  await rules.getByRole('button', { name: 'Save' }).click();
  await rules.getByText('Saved').waitFor();
  const filters = page.getByRole('region', { name: 'Account filters' });
  await filters.getByLabel('Only these prefixes').first().fill('62');
  await page.keyboard.press('Enter');
  await filters.getByRole('button', { name: 'Save' }).click();
  await filters.getByText('Saved').waitFor();
  await expectAccessible(page);
  expect(await ada.call('GET', `/v1/numbers/${numberId}`)).toMatchObject({ inPool: false });
  const stored = await ada.call<StoredSettings>('GET', '/v1/settings');
  expect(stored).toMatchObject({ stickyHours: 0, rerouteAfterMs: 30_000 });
  expect(stored.filters.allowPrefixes).toEqual(['62']);
});

test('somebody is put on the opt-out list and taken off it, and the words are shown as they were understood', async () => {
  stage.expectRefusals(400);
  const ada = await stage.newPerson();
  const page = await ada.open('/settings/opt-outs');
  await page.getByText('No opt-outs yet.').waitFor();
  await page.getByRole('button', { name: 'Add opt-out' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Phone number' }).fill('12');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await dialog.getByText('Not a phone number with country code.').waitFor();
  await dialog.getByRole('textbox', { name: 'Phone number' }).fill('+62 812-3456-789');
  await dialog.getByRole('button', { name: 'Add' }).click();
  const row = page.getByRole('row', { name: /\+62/ });
  await row.getByText('Added manually').waitFor();
  const words = page.getByRole('region', { name: 'Opt-out words' });
  await words.getByLabel('Stop words').first().fill('no more');
  await page.keyboard.press('Enter');
  await words.getByLabel('Opt-out reply').fill('You will not hear from us again.');
  await words.getByRole('button', { name: 'Save' }).click();
  await words.getByText('Saved').waitFor();
  await words.getByText('NO MORE').waitFor();
  await expectAccessible(page);
  await row.getByRole('button', { name: /^Remove/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('No opt-outs yet.').waitFor();
  const { optOut } = await ada.call<StoredSettings>('GET', '/v1/settings');
  expect(optOut.stopWords).toContain('NO MORE');
  expect(optOut.confirmation).toBe('You will not hear from us again.');
});

test('how long things are kept is changed, with a word about what leaves then', async () => {
  const ada = await stage.newPerson();
  const page = await ada.open('/settings/security');
  const pages = page.getByRole('navigation', { name: 'Settings pages' });
  await pages.getByRole('link', { name: 'Retention' }).click();
  await page.getByLabel('Events and delivery attempts (days)').fill('7');
  await page.getByText('This is shorter than now').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved').waitFor();
  await expectAccessible(page);
  const { retention } = await ada.call<StoredSettings>('GET', '/v1/settings');
  expect(retention).toEqual({ messagesMonths: 12, eventsDays: 7 });
});
