import { test } from 'vitest';
import { expectAccessible, Stage } from './stage.ts';

const stage = Stage.open();

test('everything is found by name and by keys, and the keys are shown', async () => {
  const ada = await stage.newPerson();
  const page = await ada.open('/');
  await page.getByRole('button', { name: 'Find or do' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Find or do' }).fill('messag');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/messages');
  await page.keyboard.press('g');
  await page.keyboard.press('n');
  await page.waitForURL('**/numbers');
  await page.keyboard.press('?');
  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await shortcuts.getByText('Add a number').waitFor();
  await page.keyboard.press('Escape');
  await shortcuts.waitFor({ state: 'detached' });
});

test('a number is added and its code shown by the keyboard alone', async () => {
  const ada = await stage.newPerson();
  const page = await (await stage.newBrowser()).newPage();
  await page.goto('/sign-in');
  await page.getByRole('textbox', { name: 'E-mail' }).focus();
  await page.keyboard.type(ada.email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(ada.password);
  await page.keyboard.press('Enter');
  await page.getByText('0 of 6 done').waitFor();
  await page.keyboard.press('a');
  await page.keyboard.press('n');
  await page.getByRole('textbox', { name: 'Label' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.type('By keys');
  await page.keyboard.press('Enter');
  await page.getByRole('img', { name: 'QR code' }).waitFor();
  await page.keyboard.press('Escape');
  await page.waitForURL((url) => url.pathname === '/numbers');
});
