import { expect, test } from 'vitest';
import { expectAccessible } from '../stage/accessible.ts';
import { type Person, Stage } from '../stage/stage.ts';

const stage = Stage.open();

const to = '628123456789';

async function senderOf(ada: Person) {
  await ada.pairedNumber();
  const { key } = await ada.call<{ key: string }>('POST', '/v1/auth/api-keys', { name: 'Till' });
  const headers = { 'x-api-key': key };
  return {
    send: async (text: string): Promise<string> => {
      const body = { to, text };
      const { messageId } = await stage.request<{ messageId: string }>('POST', '/v1/messages/send', {
        headers,
        body,
      });
      return messageId;
    },
    /** Messages that are queued for tomorrow. */
    sendMany: async (count: number): Promise<void> => {
      const sendAt = new Date(Date.now() + 86_400_000).toISOString();
      const messages = Array.from({ length: count }, (_, place) => ({ to, text: `Hello ${place}`, sendAt }));
      await stage.request('POST', '/v1/messages/send-batch', { headers, body: { messages } });
    },
  };
}

test('events appear as they happen; one is opened with its payload under an address of its own, and leads to its message', async () => {
  const ada = await stage.newPerson();
  const page = await ada.open('/developer/events');
  await page.getByRole('heading', { name: 'No events yet' }).waitFor();
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
  await expectAccessible(page);
  const { send } = await senderOf(ada);
  await page.getByRole('link', { name: 'device.connected' }).first().waitFor();
  const messageId = await send('Hello');
  await page.getByRole('link', { name: 'message.queued' }).click();
  const panel = page.getByRole('complementary', { name: 'message.queued' });
  const payload = panel.getByRole('region', { name: 'Payload' });
  await payload.getByText(messageId).waitFor();
  expect(JSON.parse((await payload.textContent()) ?? '')).toMatchObject({
    event: 'message.queued',
    data: { messageId, to },
  });
  await expectAccessible(page);
  await page.reload();
  await payload.getByText(messageId).waitFor();
  await panel.getByRole('link', { name: 'View message' }).click();
  await page.waitForURL((url) => url.pathname === `/messages/${messageId}`);
});

test('the stream is narrowed down in the address, and stands still while somebody reads further down', async () => {
  const ada = await stage.newPerson();
  const { send, sendMany } = await senderOf(ada);
  await sendMany(60);
  const page = await ada.open('/developer/events');
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
  await page.getByRole('combobox', { name: 'Event' }).selectOption('message.queued');
  await page.waitForURL(/event=message\.queued/);
  await page.reload();
  const rows = page.getByRole('row', { name: /message\.queued/ });
  await expect.poll(() => rows.count()).toBe(50);
  expect(await page.getByRole('link', { name: 'device.connected' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect.poll(() => rows.count()).toBe(60);
  await rows.last().scrollIntoViewIfNeeded();
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
  await send('One more');
  const waiting = page.getByRole('button', { name: '1 new event' });
  await waiting.waitFor();
  expect(await rows.count()).toBe(60);
  await waiting.click();
  await expect.poll(() => rows.count()).toBe(61);
});

test('more that was asked for while the list is asked for anew comes all the same', async () => {
  const ada = await stage.newPerson();
  await (await senderOf(ada)).sendMany(55);
  const page = await ada.open('/');
  const liveMayOpen = Promise.withResolvers<void>();
  const moreMayCome = Promise.withResolvers<void>();
  // A page that does not get to know where its events begin does not wait for long, and asks anew when it does.
  await page.route(/\/v1\/events\?.*after=now/, async (route) => {
    await liveMayOpen.promise;
    await route.continue();
  });
  await page.route(/\/v1\/events\?.*before=(?!now)/, async (route) => {
    await moreMayCome.promise;
    // The page may have given it up.
    await route.continue().catch(() => undefined);
  });
  await page.goto(new URL('/developer/events?event=message.queued', page.url()).href);
  const rows = page.getByRole('row', { name: /message\.queued/ });
  await expect.poll(() => rows.count()).toBe(50);
  const more = page.waitForRequest(/\/v1\/events\?.*before=(?!now)/);
  await page.getByRole('button', { name: 'Show more' }).click();
  await more;
  const anew = page.waitForResponse(/\/v1\/events\?.*before=now/);
  liveMayOpen.resolve();
  await anew;
  moreMayCome.resolve();
  await expect.poll(() => rows.count()).toBe(55);
});
