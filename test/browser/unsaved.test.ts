import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { arrival, composer, conversationWith, write } from './inbox/inbox-stage.ts';
import { Stage } from './stage/stage.ts';

const stage = Stage.open();

/** Whether the browser would ask before it reloads or closes the tab. */
const wouldAsk = (page: Page) =>
  page.evaluate<boolean>("!dispatchEvent(new Event('beforeunload', { cancelable: true }))");

test('a form with changes asks before it is left, and keeps what was typed; once it is saved it asks nothing', async () => {
  const ada = await stage.newPerson();
  await ada.call('POST', '/v1/numbers', { label: 'Slow' });
  const page = await ada.open('/numbers');
  await page.getByRole('link', { name: 'Slow' }).click();
  await page.getByRole('tab', { name: 'Pacing' }).click();
  const pause = page.getByLabel('Shortest pause (seconds)');
  await pause.waitFor();
  expect(await wouldAsk(page)).toBe(false);
  await pause.fill('1');
  expect(await wouldAsk(page)).toBe(true);
  const question = page.getByRole('dialog', { name: 'Discard your changes?' });

  await page.getByRole('tab', { name: 'Filters' }).click();
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await page.goBack();
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await question.waitFor({ state: 'detached' });
  expect(await pause.inputValue()).toBe('1');

  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  expect(await wouldAsk(page)).toBe(false);
  await pause.fill('2');
  await page.getByRole('link', { name: 'Contacts', exact: true }).click();
  await question.getByRole('button', { name: 'Discard changes' }).click();
  await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor();
});

test('a dialog with changes asks before Escape, a press beside it or a step back closes it, and not when it is cancelled', async () => {
  const ada = await stage.newPerson();
  await ada.call('POST', '/v1/numbers', { label: 'Slow' });
  const page = await ada.open('/numbers');
  await page.getByRole('link', { name: 'Slow' }).click();
  const rename = page.getByRole('button', { name: 'Rename' });
  await rename.click();
  const dialog = page.getByRole('dialog', { name: 'Rename' });
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  await rename.click();
  const label = dialog.getByRole('textbox', { name: 'Label' });
  await label.fill('Fast');
  expect(await wouldAsk(page)).toBe(true);
  const question = page.getByRole('dialog', { name: 'Discard your changes?' });
  const keep = question.getByRole('button', { name: 'Keep editing' });
  await page.keyboard.press('Escape');
  await keep.waitFor();
  // Of two dialogs Escape closes the upper one.
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  await page.mouse.click(8, 8);
  await keep.click();
  await question.waitFor({ state: 'detached' });
  await page.goBack();
  await keep.click();
  await question.waitFor({ state: 'detached' });
  expect(await label.inputValue()).toBe('Fast');
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Discard changes' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await wouldAsk(page)).toBe(false);

  await rename.click();
  await label.fill('Fast');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  await rename.click();
  await label.fill('Quick');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Quick' }).waitFor();
});

test('a campaign that is begun is not lost by a press on another page; as a draft it may be left', async () => {
  const ada = await stage.newPerson();
  await ada.pairedNumber('Shop');
  const page = await ada.open('/campaigns/new');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Spring');
  const text = page.getByRole('textbox', { name: 'Text', exact: true });
  await text.fill('The collection is here');
  expect(await wouldAsk(page)).toBe(true);
  await page.getByRole('link', { name: 'Contacts', exact: true }).click();
  const question = page.getByRole('dialog', { name: 'Discard your changes?' });
  await question.getByRole('button', { name: 'Keep editing' }).click();
  expect(await text.inputValue()).toBe('The collection is here');
  for (let step = 0; step < 3; step += 1) await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Save as draft' }).click();
  await page.getByRole('heading', { name: 'Spring', level: 1 }).waitFor();
});

test('while a reply has not left the tab, the browser asks before it is closed', async () => {
  const ada = await stage.newPerson();
  await ada.pairedNumber();
  const customer = await stage.newReader();
  await write(stage, customer, ada.phoneNumber, { text: 'Hello' });
  const page = await ada.open(`/inbox/${await conversationWith(ada, customer)}`);
  const asked = Promise.withResolvers<void>();
  const mayLeave = Promise.withResolvers<void>();
  await page.route(/\/v1\/conversations\/[^/]+\/messages$/, async (route) => {
    if (route.request().method() === 'POST') {
      asked.resolve();
      await mayLeave.promise;
    }
    await route.continue();
  });
  await composer(page).fill('On its way');
  expect(await wouldAsk(page)).toBe(false);
  await page.keyboard.press('Enter');
  await asked.promise;
  expect(await wouldAsk(page)).toBe(true);
  mayLeave.resolve();
  await arrival(stage, customer, 'On its way');
  await expect.poll(() => wouldAsk(page)).toBe(false);
  await page.unrouteAll({ behavior: 'wait' });
});
