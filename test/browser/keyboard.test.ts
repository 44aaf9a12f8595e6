import type { Locator } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { WebhookReceiver } from '../journeys/stage/webhook-receiver.ts';
import { expectAccessible } from './stage/accessible.ts';
import { Stage } from './stage/stage.ts';

const stage = Stage.open();
/** More than there is to reach on a page. */
const tabsMax = 80;

test('everything is found by name and by keys, and the keys are shown', async () => {
  const ada = await stage.newPerson();
  await ada.call('POST', '/v1/contacts', { phoneNumber: '628123456789', name: 'Siti Rahmawati' });
  const page = await ada.open('/');
  await page.getByText('Live', { exact: true }).waitFor();
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/v1/')) asked.push(`${request.method()} ${request.url()}`);
  });
  await page.reload();
  await page.getByRole('button', { name: 'Search or jump to…' }).waitFor();
  const pages = [
    'Overview',
    'Inbox',
    'Contacts',
    'Campaigns',
    'Assistants',
    'Automations',
    'Numbers',
    'Messages',
  ];
  const forPrograms = ['API keys', 'Webhooks', 'Events', 'Request log'];
  const named = await page.getByRole('navigation').getByRole('link').allInnerTexts();
  expect(named).toEqual([...pages, 'Alerts', 'Settings', ...forPrograms, 'API reference']);
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Search or jump to…' });
  await field.waitFor();
  const commands = await page.getByRole('option').allInnerTexts();
  expect(commands.slice(0, 3).map((text) => text.split('\n')[0])).toEqual(pages.slice(0, 3));
  await field.fill('messag');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/messages');
  await page.getByText('Live', { exact: true }).waitFor();
  // Nothing was asked for twice, neither when the page came nor when its events did.
  expect(asked.filter((one, place) => asked.indexOf(one) !== place)).toEqual([]);
  for (const words of ['rahma', '+62 812-3456-789']) {
    await page.keyboard.press('Control+k');
    await field.fill(words);
    await page.getByRole('option', { name: 'Siti Rahmawati Contact' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/contacts/*');
    await page.getByRole('heading', { name: 'Siti Rahmawati' }).waitFor();
  }
  await page.keyboard.press('g');
  await page.keyboard.press('n');
  await page.waitForURL('**/numbers');
  await page.keyboard.press('?');
  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await shortcuts.getByText('Add a number').waitFor();
  await page.keyboard.press('Escape');
  await shortcuts.waitFor({ state: 'detached' });
});

test('the first steps are done by the keyboard alone', async () => {
  // The pairing that the page looks up is over the moment that the phone has linked.
  stage.expectRefusals(404);
  const ada = await stage.newPerson();
  const reader = await stage.newReader();
  const page = await stage.newTab();
  const { keyboard } = page;
  const focused = page.locator(':focus');
  /** Tabs on until something is reached, as who has no mouse does. */
  const tabTo = async (wanted: Locator) => {
    await wanted.first().waitFor();
    for (let presses = 0; presses < tabsMax; presses += 1) {
      if ((await wanted.and(focused).count()) > 0) return;
      await keyboard.press('Tab');
    }
    throw new Error('It is not reached by the keyboard');
  };
  await page.goto('/sign-in');
  await tabTo(page.getByRole('textbox', { name: 'E-mail' }));
  await keyboard.type(ada.email);
  await keyboard.press('Tab');
  await keyboard.type(ada.password);
  await keyboard.press('Enter');

  await page.getByText('0 of 6 done').waitFor();
  await tabTo(page.getByRole('link', { name: 'Add a number' }));
  await keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Label' }).and(focused).waitFor();
  await keyboard.type('By keys');
  await keyboard.press('Enter');
  const code = page.getByRole('img', { name: 'QR code' });
  await code.waitFor();
  await ada.scan((await code.getAttribute('data-text')) ?? '');
  await page.getByText('Sending and receiving since').waitFor();

  await keyboard.press('g');
  await keyboard.press('o');
  await page.getByText('2 of 6 done').waitFor();
  await tabTo(page.getByRole('link', { name: 'Send a test message' }));
  await keyboard.press('Enter');
  await tabTo(page.getByRole('textbox', { name: 'To' }));
  await keyboard.type(reader);
  await tabTo(page.getByRole('button', { name: 'Send', exact: true }));
  await keyboard.press('Enter');
  await page.getByRole('region', { name: 'Message timeline' }).waitFor();

  await keyboard.press('g');
  await keyboard.press('o');
  await page.getByText('4 of 6 done').waitFor();
  await tabTo(page.getByRole('link', { name: 'Create an API key' }));
  await keyboard.press('Enter');
  await tabTo(page.getByRole('button', { name: 'Create API key' }));
  await keyboard.press('Enter');
  await tabTo(page.getByRole('textbox', { name: 'Name', exact: true }));
  await keyboard.type('Shop');
  await tabTo(page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }));
  await keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('curl').first().waitFor();
  await tabTo(dialog.getByRole('button', { name: 'Done' }));
  await keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });

  const receiver = await WebhookReceiver.start();
  onTestFinished(() => receiver.stop());
  await keyboard.press('g');
  await keyboard.press('o');
  await page.getByText('5 of 6 done').waitFor();
  await tabTo(page.getByRole('link', { name: 'Add a webhook' }));
  await keyboard.press('Enter');
  await tabTo(page.getByRole('button', { name: 'Add webhook' }));
  await keyboard.press('Enter');
  await tabTo(page.getByRole('textbox', { name: 'URL' }));
  await keyboard.type(receiver.url);
  await tabTo(dialog.getByRole('button', { name: 'Create', exact: true }));
  await keyboard.press('Enter');
  await tabTo(dialog.getByRole('button', { name: 'Send test event' }));
  await keyboard.press('Enter');
  await dialog.getByText('Test event delivered').waitFor();
  await tabTo(dialog.getByRole('button', { name: 'Enable', exact: true }));
  await keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  // The last step is ticked, and the steps are gone.
  await keyboard.press('g');
  await keyboard.press('o');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.getByText('of 6 done').waitFor({ state: 'detached' });
});
