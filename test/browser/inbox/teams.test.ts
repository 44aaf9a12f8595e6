import { expect, test } from 'vitest';
import { expectAccessible } from '../stage/accessible.ts';
import { shoot } from '../stage/shots.ts';
import { Stage } from '../stage/stage.ts';
import { composer, conversationWith, write } from './inbox-stage.ts';

const stage = Stage.open();

test('a team gives out the conversations of its number to whoever is there, and stays while a number is limited to it', async () => {
  stage.expectRefusals(409);
  const ada = await stage.newPerson();
  await ada.pairedNumber('Returns line');
  const page = await ada.open('/settings/teams');
  await page.getByText('No teams yet').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Add team' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Returns');
  await dialog.getByRole('textbox', { name: 'Description' }).fill('Parcels that come back');
  await dialog.getByRole('combobox', { name: 'Members' }).click();
  await page.getByRole('option', { name: /^Ada/ }).click();
  await page.keyboard.press('Tab');
  await dialog.getByRole('textbox', { name: 'Open conversations per person' }).fill('7');
  await dialog.getByRole('combobox', { name: 'Numbers for this team' }).press('ArrowDown');
  await page.getByRole('option', { name: 'Returns line' }).click();
  await page.keyboard.press('Tab');
  await shoot(page, 'team-dialog');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  const row = page.getByRole('row', { name: /Returns/ });
  await row.getByText('In turn, up to 7 each').waitFor();
  await row.getByText('Parcels that come back · Returns line').waitFor();
  await expectAccessible(page);
  await shoot(page, 'teams');
  await page.getByRole('button', { name: 'Delete Returns' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByText('Numbers are limited to this team: change them first.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  // Whoever has the inbox open is given what comes.
  await page.goto('/inbox');
  await page.getByText('Live', { exact: true }).waitFor();
  const customer = await stage.newReader();
  await write(stage, customer, ada.phoneNumber, { text: 'It does not fit' });
  await page.goto(`/inbox/${await conversationWith(ada, customer)}`);
  await page.getByText('Assigned to Ada', { exact: true }).waitFor();
  await page.goto('/settings/teams');
  await page.getByRole('button', { name: 'Edit Returns' }).click();
  await dialog.getByRole('combobox', { name: 'Numbers for this team' }).press('Backspace');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await row.getByText('Parcels that come back', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Delete Returns' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No teams yet').waitFor();
});

test('labels and canned replies are defined, and at hand in the inbox', async () => {
  const ada = await stage.newPerson();
  await ada.pairedNumber();
  const customer = await stage.newReader();
  await stage.simulate('PATCH', `/admin/phones/${customer}`, { name: 'Siti' });
  const page = await ada.open('/settings/inbox', await stage.newTab({ width: 390, height: 844 }));
  await page.getByText('No labels yet').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Add label' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Complaint');
  await dialog.getByRole('button', { name: 'Red' }).click();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row', { name: /Complaint/ }).waitFor();
  await page.getByRole('button', { name: 'Add canned reply' }).click();
  await dialog.getByRole('textbox', { name: 'Shortcut' }).fill('hello');
  await dialog.getByRole('textbox', { name: 'Text' }).fill('Hello ');
  await dialog.getByRole('button', { name: 'Contact name' }).click();
  await dialog.getByRole('textbox', { name: 'Text' }).press('End');
  await page.keyboard.type(', this is ');
  await dialog.getByRole('button', { name: 'Your name' }).click();
  await dialog.getByText('Hello Siti Rahmawati, this is Ada').waitFor();
  await expectAccessible(page);
  await shoot(page, 'reply-dialog-390');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row', { name: /\/hello/ }).waitFor();
  await expectAccessible(page);
  await shoot(page, 'inbox-settings-390');
  const isWide = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
  expect(isWide).toBe(false);
  await write(stage, customer, ada.phoneNumber, { text: 'Anybody there?' });
  await page.goto(`/inbox/${await conversationWith(ada, customer)}`);
  await composer(page).pressSequentially('/hel');
  await page.getByRole('option', { name: /hello/ }).click();
  await expect.poll(() => composer(page).inputValue()).toBe('Hello Siti, this is Ada');
});

test('canned replies are all at hand, however many pages of them there are', async () => {
  const ada = await stage.newPerson();
  const count = 5;
  const replies = Array.from({ length: count }, (_, index) => ({
    shortcut: `reply-${index + 1}`,
    text: `Reply ${index + 1}`,
  }));
  await Promise.all(replies.map((reply) => ada.call('POST', '/v1/canned-replies', reply)));
  const page = await stage.newTab();
  // The gateway's pages are shorter than those that the dashboard asks for.
  await page.route('**/v1/canned-replies?*', (route) => {
    const url = new URL(route.request().url());
    url.searchParams.set('limit', '2');
    return route.continue({ url: url.href });
  });
  await ada.open('/settings/inbox', page);
  await page.getByRole('row', { name: /\/reply-1 / }).waitFor();
  expect(await page.getByRole('row', { name: /\/reply-\d+ / }).count()).toBe(count);
});
