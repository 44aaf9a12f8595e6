import { expect, test } from 'vitest';
import { Heliograph } from '../../src/sdk/index.ts';
import { waitUntil } from '../wait-until.ts';
import { expectAccessible } from './stage/accessible.ts';
import { shoot } from './stage/shots.ts';
import { type Person, Stage } from './stage/stage.ts';

const stage = Stage.open();

async function keyOf(ada: Person): Promise<string> {
  const { key } = await ada.call<{ key: string }>('POST', '/v1/auth/api-keys', { name: 'Shop' });
  return key;
}

const send = (apiKey: string, body: object) =>
  stage.request<{ messageId: string }>('POST', '/v1/messages/send', {
    headers: { 'x-api-key': apiKey },
    body,
  });

test('a test message is tried dry, sent, and its four lights go on before the eyes of who sent it', async () => {
  const ada = await stage.newPerson();
  await ada.pairedNumber();
  const page = await ada.open('/messages');
  await page.getByRole('link', { name: 'Send test message' }).click();
  await page.getByRole('textbox', { name: 'To' }).fill(await stage.newReader());
  await page.getByRole('button', { name: 'Dry run' }).click();
  await page.getByText('It would be sent').waitFor();
  await page.getByText('From Front desk.').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const steps = page.getByRole('region', { name: 'Message timeline' });
  await steps
    .getByRole('listitem')
    .filter({ hasText: 'Read' })
    .and(page.locator('[data-lit="true"]'))
    .waitFor();
  const row = page.getByRole('list', { name: 'Messages' }).getByRole('link').first();
  await row.getByText('Read').waitFor();
  await expectAccessible(page);
});

test('filters and words are in the address, and a link to them shows the same', async () => {
  const ada = await stage.newPerson();
  await ada.pairedNumber();
  const apiKey = await keyOf(ada);
  await send(apiKey, { to: '15550001111', text: 'the red umbrella' });
  await send(apiKey, { to: '15550002222', text: 'the blue kettle' });
  const page = await ada.open('/messages');
  const list = page.getByRole('list', { name: 'Messages' });
  await list.getByText('the blue kettle').waitFor();
  await page.getByRole('searchbox', { name: 'Search message text' }).fill('umbrella');
  await page.waitForURL('**/messages?q=umbrella');
  await list.getByText('the red umbrella').waitFor();
  await expect.poll(() => list.getByRole('link').count()).toBe(1);
  await page.getByRole('combobox', { name: 'Status' }).selectOption('failed');
  await page.getByRole('heading', { name: 'No matching messages' }).waitFor();
  const link = page.url();
  await page.getByRole('combobox', { name: 'Status' }).selectOption('');
  await list.getByText('the red umbrella').waitFor();
  await page.goto(link);
  await page.getByRole('heading', { name: 'No matching messages' }).waitFor();
});

test('a message that somebody writes appears by itself, and is open under an address of its own', async () => {
  const ada = await stage.newPerson();
  await ada.pairedNumber();
  const page = await ada.open('/messages');
  await page.getByRole('heading', { name: 'No messages yet' }).waitFor();
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
  await stage.simulate('POST', '/admin/phones/15550003333/messages', {
    to: ada.phoneNumber,
    text: 'Are you open?',
  });
  const row = page.getByRole('list', { name: 'Messages' }).getByRole('link', { name: /Are you open/ });
  await row.click();
  await page.waitForURL('**/messages/msg_*');
  await page
    .getByRole('complementary', { name: 'Message' })
    .getByText('Are you open?', { exact: true })
    .waitFor();
  await page.reload();
  await page
    .getByRole('complementary', { name: 'Message' })
    .getByText('Are you open?', { exact: true })
    .waitFor();
  await page.keyboard.press('Escape');
  await page.waitForURL((url) => url.pathname === '/messages');
});

test('a message that waits says why', async () => {
  const ada = await stage.newPerson();
  await ada.pairedNumber();
  const sendAt = new Date(Date.now() + 3_600_000).toISOString();
  const { messageId } = await send(await keyOf(ada), { to: '15550001111', text: 'later', sendAt });
  const page = await ada.open(`/messages/${messageId}`);
  await page.getByText('Scheduled for later.').waitFor();
});

test('a message whose change the network refused says so, with the reason', async () => {
  const ada = await stage.newPerson();
  await ada.pairedNumber();
  const apiKey = await keyOf(ada);
  const to = await stage.newReader();
  const { messageId } = await send(apiKey, { to, text: 'with a mistaek' });
  const path = `/v1/messages/${messageId}`;
  const record = () => ada.call<{ status: string; failedActions?: object[] }>('GET', path);
  await waitUntil('It was not read', async () => ((await record()).status === 'read' ? true : null));
  await stage.simulate('PATCH', `/admin/phones/${to}`, { rejectWith: '406' });
  await ada.call('PATCH', path, { text: 'without a mistake' });
  await waitUntil('It was not told', async () => ((await record()).failedActions ? true : null));
  const page = await ada.open(`/messages/${messageId}`);
  const notDone = page.getByRole('list', { name: 'Not done' }).getByRole('listitem');
  await notDone.filter({ hasText: 'Edit failed: ' }).waitFor();
  await shoot(page, 'message-not-changed');
  await expectAccessible(page);
});

test('a thousand messages scroll by; new ones wait to be asked for while somebody reads further down', async () => {
  const ada = await stage.newPerson();
  await ada.pairedNumber();
  await ada.getPlan('large');
  const apiKey = await keyOf(ada);
  const sendAt = new Date(Date.now() + 24 * 3_600_000).toISOString();
  // It waits by itself where the key has asked too much.
  const client = new Heliograph({ apiKey, baseUrl: stage.baseUrl, retryForMs: 60_000 });
  for (let batch = 0; batch < 10; batch += 1) {
    const texts = Array.from({ length: 100 }, (_, place) => `number ${batch * 100 + place}`);
    await client.messages.sendBatch(texts.map((text) => ({ to: '15550001111', text, sendAt })));
  }
  const page = await ada.open('/messages');
  const list = page.getByRole('list', { name: 'Messages' });
  await list.getByText('number 999').waitFor();
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
  const scroller = list.locator('xpath=..');
  await waitUntil('The first message was not reached', async () => {
    await scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    return (await list.getByText('number 0', { exact: true }).count()) > 0 ? true : null;
  });
  expect(await list.getByRole('link').count()).toBeLessThan(80);
  await send(apiKey, { to: '15550001111', text: 'the newest', sendAt });
  await page.getByRole('button', { name: '1 new message' }).click();
  await list.getByText('the newest').waitFor();
});
