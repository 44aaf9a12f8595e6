import { expect, onTestFinished, test } from 'vitest';
import { WebhookReceiver } from '../journeys/stage/webhook-receiver.ts';
import { waitUntil } from '../wait-until.ts';
import { arrival, conversationWith, write } from './inbox/inbox-stage.ts';
import { expectAccessible } from './stage/accessible.ts';
import { type Person, Stage } from './stage/stage.ts';

const stage = Stage.open();

const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;

/** It is closed now: the account is open for an hour in three days. */
async function closeFor(ada: Person): Promise<void> {
  const day = days[(new Date().getUTCDay() + 3) % 7];
  const spans = [{ day, from: '10:00', to: '11:00' }];
  await ada.call('POST', '/v1/business-hours', { name: 'Rarely', timeZone: 'UTC', spans });
}

async function newCustomer(name: string): Promise<string> {
  const phone = await stage.newReader();
  await stage.simulate('PATCH', `/admin/phones/${phone}`, { name });
  return phone;
}

test('a rule is made of a template, tried on what has happened, switched on, and answers', async () => {
  const ada = await stage.newPerson();
  await ada.pairedNumber();
  const customer = await newCustomer('Maria');
  await write(stage, customer, ada.phoneNumber, { text: 'What is the price of a lamp?' });
  await conversationWith(ada, customer);
  const page = await ada.open('/automations');
  await page.getByRole('heading', { name: 'Answer common questions automatically' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Keyword reply' }).click();
  await page.getByRole('heading', { name: 'New automation' }).waitFor();
  const answer = 'Hi Maria, you can find our prices at https://example.com/prices';
  await page.getByRole('button', { name: 'Run test' }).click();
  await page.getByText('Would have run for 1 of 1 events.').waitFor();
  await page.getByRole('status').getByText(answer).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'This automation is disabled' }).waitFor();
  await write(stage, customer, ada.phoneNumber, { text: 'The price, please' });
  await page.getByRole('button', { name: 'Enable' }).click();
  await page.getByRole('heading', { name: 'This automation is disabled' }).waitFor({ state: 'detached' });
  expect(await page.getByRole('switch', { name: 'Enabled' }).isChecked()).toBe(true);
  await write(stage, customer, ada.phoneNumber, { text: 'So what is the PRICE?' });
  expect(await arrival(stage, customer, answer)).toMatchObject({ count: 1 });
  await page.reload();
  await page.getByRole('link', { name: 'View message' }).waitFor();
  expect(await page.getByRole('link', { name: 'View message' }).count()).toBe(1);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Automations' }).first().click();
  await page.getByRole('row', { name: /Price/ }).getByRole('cell', { name: '1', exact: true }).waitFor();
  await expectAccessible(page);
});

test('a trial says which reply would be left out, and why', async () => {
  const ada = await stage.newPerson();
  await ada.pairedNumber();
  const customer = await newCustomer('Maria');
  await write(stage, customer, ada.phoneNumber, { text: 'stop' });
  await conversationWith(ada, customer);
  const page = await ada.open('/automations/new?start=welcome');
  await page.getByRole('button', { name: 'Run test' }).click();
  const outcome = page.getByRole('status').filter({ hasText: 'Would have run for 1 of 1 events.' });
  await outcome.getByText('Skipped').waitFor();
  await outcome.getByText('the message is an opt-out keyword').waitFor();
  await expectAccessible(page);
});

test('away message, welcome, menu and its answers, and forwarding work as they come', async () => {
  const ada = await stage.newPerson();
  await ada.pairedNumber();
  await closeFor(ada);
  const receiver = await WebhookReceiver.start();
  onTestFinished(() => receiver.stop());
  const page = await ada.open('/automations');
  for (const start of ['away', 'welcome', 'menu', 'choice', 'forward']) {
    await page.goto(`/automations/new?start=${start}`);
    await page.getByRole('heading', { name: 'New automation' }).waitFor();
    if (start === 'forward') {
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByText('Enter a full URL that starts with https://').waitFor();
      await expectAccessible(page);
      await page.getByRole('textbox', { name: 'Server URL' }).fill(receiver.url);
    }
    await page.getByRole('button', { name: 'Create' }).click();
    if (start === 'forward') {
      await page.getByRole('dialog', { name: 'Signing secret for this automation' }).waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Done' }).click();
    }
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByRole('heading', { name: 'This automation is disabled' }).waitFor({ state: 'detached' });
  }
  const customer = await newCustomer('Budi');
  await write(stage, customer, ada.phoneNumber, { text: 'menu' });
  await arrival(
    stage,
    customer,
    'Hi Budi, thank you for your message. We are closed right now and will reply as soon as we are back.',
  );
  await arrival(stage, customer, 'Hi Budi, nice to meet you. How can we help?');
  await arrival(
    stage,
    customer,
    'What can we do for you?\n\n1 Prices\n2 Opening hours\n3 Talk to a person\n\nReply with the number.',
  );
  await write(stage, customer, ada.phoneNumber, { text: '1' });
  await arrival(stage, customer, 'Here are our prices: https://example.com/prices');
  const other = await newCustomer('Siti');
  await write(stage, other, ada.phoneNumber, { text: 'hello there' });
  await waitUntil(
    'The message was not forwarded',
    async () =>
      receiver.callbacks.some(
        ({ event, rawBody }) => event === 'automation.run' && rawBody.includes('hello there'),
      ) || null,
  );
});

test('who does not program builds a rule of their own: conditions, a team and labels', async () => {
  const ada = await stage.newPerson();
  await ada.pairedNumber();
  await ada.call('POST', '/v1/teams', { name: 'Sales' });
  const page = await ada.open('/automations/new?start=blank');
  await page.getByRole('textbox', { name: 'Name' }).fill('Orders');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Enter a text.').waitFor();
  await page.getByRole('textbox', { name: 'Reply text' }).fill('We look after your order.');
  await page.getByRole('button', { name: 'Add condition' }).click();
  await page.getByRole('combobox', { name: 'Values' }).fill('order');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Add action' }).click();
  await page.getByRole('menuitem', { name: 'Assign' }).click();
  await page.getByRole('combobox', { name: 'Assign' }).selectOption({ label: 'Sales' });
  await page.getByRole('button', { name: 'Add action' }).click();
  await page.getByRole('menuitem', { name: 'Set labels' }).click();
  await page.getByRole('combobox', { name: 'Labels to add' }).fill('order');
  await page.keyboard.press('Enter');
  await expectAccessible(page);
  await page.getByRole('switch', { name: 'Enabled' }).press('Space');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'Orders', exact: true }).waitFor();
  const customer = await newCustomer('Maria');
  await write(stage, customer, ada.phoneNumber, { text: 'Where is my order?' });
  await arrival(stage, customer, 'We look after your order.');
  const conversationId = await conversationWith(ada, customer);
  const shown = await ada.call<{ labels: string[]; teamId: string | null }>(
    'GET',
    `/v1/conversations/${conversationId}`,
  );
  expect(shown.labels).toEqual(['order']);
  expect(shown.teamId).not.toBeNull();
});
