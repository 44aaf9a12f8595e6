import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { isSigned, WebhookReceiver } from '../../journeys/stage/webhook-receiver.ts';
import { expectAccessible } from '../stage/accessible.ts';
import { type Person, Stage } from '../stage/stage.ts';

const stage = Stage.open();

interface Webhook {
  id: string;
  enabled: boolean;
  events: string[] | 'all';
}

async function newReceiver(): Promise<WebhookReceiver> {
  const receiver = await WebhookReceiver.start();
  onTestFinished(() => receiver.stop());
  return receiver;
}

const register = (ada: Person, url: string, events: string[] | 'all' = 'all') =>
  ada.call<Webhook>('POST', '/v1/webhooks', { url, numberIds: 'all', events });

const waitForSecret = async (page: Page) =>
  (await page.getByRole('region', { name: 'Signing secret' }).textContent()) ?? '';

test('a webhook is added, tested while it is off, switched on, and gets what happens, signed with the secret that was shown', async () => {
  const receiver = await newReceiver();
  const ada = await stage.newPerson();
  const page = await ada.open('/developer/webhooks');
  await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Add webhook' }).click();
  await page.getByRole('textbox', { name: 'URL' }).fill(receiver.url);
  await page.getByText('Selected events').click();
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Choose at least one.').waitFor();
  for (const name of ['message.queued', 'device.disconnected']) {
    await page.getByRole('checkbox', { name }).check();
  }
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create' }).click();
  const secret = await waitForSecret(page);
  expect(secret).toMatch(/^whsec_/);
  receiver.answer = () => 500;
  await page.getByRole('button', { name: 'Send test event' }).click();
  await page.getByText('Response 500 in').waitFor();
  receiver.answer = () => 204;
  await page.getByRole('button', { name: 'Send test event' }).click();
  await page.getByText('Test event delivered').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Enable', exact: true }).click();
  const panel = page.getByRole('complementary', { name: receiver.url });
  await panel.getByText('Enabled', { exact: true }).waitFor();
  expect(receiver.callbacks.every((callback) => isSigned(callback, secret))).toBe(true);
  const { data } = await ada.call<{ data: Webhook[] }>('GET', '/v1/webhooks');
  expect(data).toMatchObject([{ enabled: true, events: ['message.queued', 'device.disconnected'] }]);

  const numberId = await ada.pairedNumber();
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
  await ada.call('POST', `/v1/numbers/${numberId}/disconnect`);
  const delivery = panel.getByRole('button', { name: /device\.disconnected/ });
  await delivery.getByText('Delivered').waitFor();
  await delivery.click();
  await panel.getByText('204', { exact: true }).waitFor();
  await expectAccessible(page);
});

test('every attempt at a delivery is seen as it is made; it is sent again by one press, and what failed by another', async () => {
  const receiver = await newReceiver();
  receiver.answer = () => 503;
  const ada = await stage.newPerson();
  // More of them would fail often enough to stop it.
  const { id } = await register(ada, receiver.url, ['device.connected']);
  await ada.pairedNumber();
  const page = await ada.open(`/developer/webhooks/${id}?event=device.connected`);
  const delivery = page.getByRole('button', { name: /device\.connected/ });
  await delivery.getByText('Failed').waitFor();
  await delivery.click();
  expect(await page.getByText('503', { exact: true }).count()).toBe(5);
  await page.getByText('Failing', { exact: true }).first().waitFor();
  await expectAccessible(page);
  receiver.answer = () => 204;
  await page.getByRole('button', { name: 'Resend this delivery' }).click();
  await page.getByRole('button', { name: /device\.connected.*Delivered/ }).waitFor();
  await page.getByRole('combobox', { name: 'Delivery status' }).selectOption('Failed');
  await page.waitForURL(/status=failed/);
  await page.getByRole('button', { name: /device\.connected.*Failed/ }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: /device\.connected.*Failed/ }).waitFor();
  const before = receiver.callbacks.length;
  await page.getByRole('button', { name: 'Resend…' }).click();
  await page.getByRole('radio', { name: 'All events' }).check();
  await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).click();
  await page.getByText(/^Resending \d+ events?\.$/).waitFor();
  await expectAccessible(page);
  await expect.poll(() => receiver.callbacks.length).toBeGreaterThan(before);
});

test('a new secret is shown once and both sign for a day; a webhook is edited, switched off, and deleted', async () => {
  const receiver = await newReceiver();
  const ada = await stage.newPerson();
  const { id } = await register(ada, receiver.url);
  const page = await ada.open(`/developer/webhooks/${id}`);
  await page.getByRole('button', { name: 'New secret' }).click();
  await page.getByText('Both secrets sign events for 24 hours').waitFor();
  await page.getByRole('button', { name: 'Create new secret' }).click();
  const secret = await waitForSecret(page);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText('Old secret valid until').waitFor();
  await page.getByRole('button', { name: 'Send test event' }).click();
  await page.getByText('Test event delivered').waitFor();
  const [callback] = receiver.callbacks;
  expect(callback?.headers['x-service-signature-previous']).toBeDefined();
  expect(callback && isSigned(callback, secret)).toBe(true);

  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Note' }).fill('Order system');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row', { name: /Order system/ }).waitFor();
  await page.getByRole('button', { name: 'Disable' }).click();
  await page.getByText('Only test events are sent.').waitFor();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
});

test('a URL that is refused is told with its field, and what was typed stays', async () => {
  stage.expectRefusals(400);
  const ada = await stage.newPerson();
  const page = await ada.open('/developer/webhooks');
  await page.getByRole('button', { name: 'Add webhook' }).click();
  await page.getByRole('textbox', { name: 'URL' }).fill('nonsense');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Enter a full URL that starts with https://').waitFor();
  await page.getByRole('textbox', { name: 'URL' }).fill('http://169.254.169.254/latest');
  await page.getByRole('button', { name: 'Create' }).click();
  await page
    .getByRole('alert')
    .getByText(/^The gateway says:.*url:/)
    .waitFor();
  expect(await page.getByRole('textbox', { name: 'URL' }).inputValue()).toBe('http://169.254.169.254/latest');
});

test('a receiver that fails 25 times in a row is stopped before the eyes of who looks, and gets what was held once it is switched on again', async () => {
  const receiver = await newReceiver();
  receiver.answer = () => 400;
  const ada = await stage.newPerson();
  await ada.pairedNumber();
  const { id } = await register(ada, receiver.url);
  const { key } = await ada.call<{ key: string }>('POST', '/v1/auth/api-keys', { name: 'Till' });
  const page = await ada.open(`/developer/webhooks/${id}`);
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
  const stopped = page.getByText('Stopped after 25 consecutive failures');
  // The failures have to last for a while too, so it goes on until they have.
  await expect
    .poll(
      async () => {
        await stage.request('POST', '/v1/messages/send', {
          headers: { 'x-api-key': key },
          body: { to: '628123456789', text: 'Hello' },
        });
        return stopped.isVisible();
      },
      { interval: 200 },
    )
    .toBe(true);
  await page.getByRole('row', { name: /Stopped/ }).waitFor();
  await expectAccessible(page);
  const before = receiver.callbacks.length;
  receiver.answer = () => 204;
  await page.getByRole('button', { name: 'Enable again' }).click();
  await page.getByRole('row', { name: /Enabled/ }).waitFor();
  await expect.poll(() => receiver.callbacks.length).toBeGreaterThan(before);
});
