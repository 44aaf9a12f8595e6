import { expect, onTestFinished, test } from 'vitest';
import { requestJson } from '../../src/local/json-client.ts';
import { isSigned, WebhookReceiver } from '../journeys/stage/webhook-receiver.ts';
import { waitUntil } from '../wait-until.ts';
import { expectAccessible } from './stage/accessible.ts';
import { Stage } from './stage/stage.ts';

const stage = Stage.open();

interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** The newest mail to somebody about something. */
async function mailTo(address: string, subject: RegExp): Promise<Mail> {
  const mail = await waitUntil(`There was no mail to ${address}`, async () => {
    const mails = await requestJson<Mail[]>(stage.gateway.local.mail.url, 'GET', '');
    return mails.findLast((it) => it.to === address && subject.test(it.subject)) ?? null;
  });
  return mail;
}

test('a ban stands on the page and in the mail of the owner, is acknowledged, muted for a while, and over when the number is back', async () => {
  const ada = await stage.newPerson();
  const numberId = await ada.pairedNumber('Front desk');
  const page = await ada.open('/alerts');
  await page.getByRole('heading', { name: 'All clear' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();

  await stage.simulate('POST', `/admin/devices/${ada.phoneNumber}/ban`);
  const alert = page.getByRole('listitem').filter({ hasText: 'Front desk was banned by the network.' });
  await alert.waitFor();
  const link = page.getByRole('navigation').getByRole('link', { name: 'Alerts' });
  await expect.poll(() => link.getAttribute('aria-description')).toBe('1 open alert');
  const mail = await mailTo(ada.email, /^Front desk was banned by the network \(Sunrise\)$/);
  expect(mail.text).toContain(`${stage.baseUrl}/numbers/${numberId}`);

  await alert.getByRole('button', { name: 'Acknowledge' }).click();
  await alert.getByText(`Acknowledged by ${ada.email}`).waitFor();
  await expect.poll(() => link.getAttribute('aria-description')).toBeNull();
  await alert.getByRole('button', { name: 'Mute' }).click();
  const dialog = page.getByRole('dialog', { name: 'Mute alerts' });
  await dialog.getByRole('radio', { name: 'All alerts for Front desk' }).check();
  await dialog.getByRole('combobox', { name: 'For how long' }).selectOption('3 days');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Mute' }).click();
  const mutes = page.getByRole('list', { name: 'Muted' });
  await mutes.getByText('Muted: All alerts for Front desk, until').waitFor();
  await expectAccessible(page);
  await mutes.getByRole('button', { name: 'Unmute' }).click();
  await mutes.waitFor({ state: 'detached' });

  await alert.getByRole('link', { name: 'View number' }).click();
  await page.waitForURL((url) => url.pathname === `/numbers/${numberId}`);
  // A page that shows what is deleted would ask for it in vain.
  const asked: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/v1/alerts') asked.push(request.url());
  });
  await page.goto('/alerts');
  await alert.waitFor();
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
  // The list, and the count beside the link.
  expect(asked).toHaveLength(1);
  await ada.call('DELETE', `/v1/numbers/${numberId}`);
  await page.goto('/alerts?show=over');
  await page.getByText('was banned by the network.').waitFor();
  await page.getByText('Lasted 1 minute').waitFor();
  await expectAccessible(page);
});

test('a webhook for alerts is added, tested, told of a trouble under the secret that was shown once, edited, disabled and deleted', async () => {
  const receiver = await WebhookReceiver.start();
  onTestFinished(() => receiver.stop());
  const ada = await stage.newPerson();
  const page = await ada.open('/alerts');
  await page.getByRole('link', { name: 'Channels' }).click();
  await page.getByRole('row', { name: new RegExp(ada.email) }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Add channel' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Channel type' }).selectOption('Webhook');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.getByText('Enter a full URL that starts with https://').waitFor();
  await dialog.getByRole('textbox', { name: 'Webhook URL' }).fill(receiver.url);
  await dialog.getByText('Some alerts').click();
  await dialog.getByRole('checkbox', { name: 'Number banned' }).check();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('On call');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  const secret = (await dialog.getByRole('region', { name: 'Signing secret' }).textContent()) ?? '';
  expect(secret).toMatch(/^whsec_/);
  receiver.answer = () => 500;
  await dialog.getByRole('button', { name: 'Send test' }).click();
  await dialog.getByText('The receiver answered 500').waitFor();
  receiver.answer = () => 204;
  await dialog.getByRole('button', { name: 'Send test' }).click();
  await dialog.getByText('The test arrived').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Done' }).click();

  const panel = page.getByRole('complementary', { name: 'On call' });
  await panel.getByText('Enabled', { exact: true }).waitFor();
  await ada.pairedNumber('Front desk');
  await stage.simulate('POST', `/admin/devices/${ada.phoneNumber}/ban`);
  await waitUntil('The alert did not arrive', async () => receiver.callbacks.length === 3 || null);
  const [, , told] = receiver.callbacks;
  expect(told).toMatchObject({ event: 'alert.raised', data: { alerts: [{ kind: 'device.banned' }] } });
  expect(receiver.callbacks.every((callback) => isSigned(callback, secret))).toBe(true);
  await page.reload();
  await panel.getByRole('listitem').filter({ hasText: 'Alert' }).getByText('Delivered').waitFor();
  await expectAccessible(page);

  await panel.getByRole('button', { name: 'Edit' }).click();
  await dialog.getByRole('combobox', { name: 'When' }).selectOption('Daily summary only');
  await dialog.getByRole('combobox', { name: 'At', exact: true }).selectOption('09:00');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await panel.getByText(/Daily summary only, at 09:00/).waitFor();
  await panel.getByRole('button', { name: 'Disable' }).click();
  await panel.getByText('Disabled', { exact: true }).waitFor();
  await panel.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await panel.waitFor({ state: 'detached' });
  await page.getByRole('row', { name: /On call/ }).waitFor({ state: 'detached' });
});

test('somebody outside the account gets alerts once they have opened the link and said yes', async () => {
  const ada = await stage.newPerson();
  const page = await ada.open('/alerts/channels');
  const address = `ops-${crypto.randomUUID()}@example.com`;
  await page.getByRole('button', { name: 'Add channel' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'E-mail address' }).fill(address);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  const panel = page.getByRole('complementary', { name: 'E-mail' });
  await panel.getByText('Not confirmed').waitFor();
  await expectAccessible(page);
  const letter = await mailTo(address, /^Alerts of Sunrise/);
  const link = /https?:\S+#token=\S+/.exec(letter.text)?.[0] ?? '';

  const theirs = await stage.newTab();
  await theirs.goto(link);
  await theirs.getByRole('heading', { name: 'Alerts by e-mail' }).waitFor();
  await expectAccessible(theirs);
  await theirs.getByRole('button', { name: 'Yes, send me alerts' }).click();
  await theirs.getByText(`They go to ${address}.`, { exact: false }).waitFor();
  await page.reload();
  await panel.getByText('Enabled', { exact: true }).waitFor();
  await panel.getByRole('button', { name: 'Send test' }).click();
  await panel.getByText('The test arrived').waitFor();
  await mailTo(address, /^Test alert for Sunrise$/);
});
