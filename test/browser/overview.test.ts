import { expect, test } from 'vitest';
import { waitUntil } from '../wait-until.ts';
import { expectAccessible } from './stage/accessible.ts';
import { Stage } from './stage/stage.ts';

const stage = Stage.open();

test('the first steps lead from nothing to a message that was read; each is ticked by itself', async () => {
  // The pairing that the page looks up is over the moment that the phone has linked.
  stage.expectRefusals(404);
  const ada = await stage.newPerson();
  const page = await ada.open('/');
  await page.getByText('0 of 6 done').waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Add a number' }).click();
  await page.getByRole('textbox', { name: 'Label' }).fill('Front desk');
  await page.keyboard.press('Enter');
  const code = page.getByRole('img', { name: 'QR code' });
  await code.waitFor();
  await ada.scan((await code.getAttribute('data-text')) ?? '');
  await page.getByText('Sending and receiving since').waitFor();
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByText('2 of 6 done').waitFor();
  await page.getByRole('link', { name: 'Send a test message' }).click();
  await page.getByRole('textbox', { name: 'To' }).fill(await stage.newReader());
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('region', { name: 'Message timeline' }).waitFor();
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByText('4 of 6 done').waitFor();
  await ada.call('POST', '/v1/auth/api-keys', { name: 'Shop' });
  await ada.call('POST', '/v1/webhooks', {
    url: 'https://example.com/hook',
    numberIds: 'all',
    events: 'all',
  });
  await page.reload();
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  await page.getByText('Connected').waitFor();
  expect(await page.getByText('Get started').count()).toBe(0);
  await expectAccessible(page);
});

test('today, the month and the quota move on as messages do', async () => {
  const ada = await stage.newPerson();
  await ada.pairedNumber();
  const page = await ada.open('/');
  await page.getByText('of 1,000').waitFor();
  const { key } = await ada.call<{ key: string }>('POST', '/v1/auth/api-keys', { name: 'Shop' });
  const body = { to: '15550001234', text: 'hello' };
  await stage.request('POST', '/v1/messages/send', { headers: { 'x-api-key': key }, body });
  await page.getByRole('img', { name: /^1 sent, 0 received, 0 failed$/ }).waitFor();
});

test('the status of a number stays in sight beside a long name', async () => {
  const ada = await stage.newPerson();
  await ada.call('POST', '/v1/numbers', { label: 'Sales and customer service, branch office '.repeat(2) });
  const page = await ada.open('/', await stage.newTab({ width: 390, height: 844 }));
  const status = page.getByRole('listitem').filter({ hasText: 'Sales' }).getByText('Not paired');
  await status.waitFor();
  const box = await status.boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThan(390);
});

test('two people of an account see the same number at the same time', async () => {
  const ada = await stage.newPerson();
  const one = await ada.open('/numbers');
  const other = await ada.open('/numbers');
  for (const page of [one, other]) await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
  await ada.pairedNumber();
  for (const page of [one, other]) {
    await waitUntil('The number did not appear', async () =>
      (await page
        .getByRole('row', { name: /Front desk/ })
        .getByText('Connected')
        .count()) > 0
        ? true
        : null,
    );
  }
});

test('on a low screen the links are scrolled, and the search and the account stay as they are', async () => {
  const ada = await stage.newPerson();
  const page = await ada.open('/');
  const [search, account] = [
    page.getByRole('button', { name: 'Search or jump to' }),
    page.getByRole('banner').getByRole('button', { name: 'Account' }),
  ];
  const high = (await search.boundingBox())?.height;
  await page.setViewportSize({ width: 1280, height: 500 });
  expect((await search.boundingBox())?.height).toBe(high);
  const { y = 0, height = 0 } = (await account.boundingBox()) ?? {};
  expect(y + height).toBeLessThanOrEqual(500);
  await page.getByRole('link', { name: 'Request log' }).click();
  await page.getByRole('heading', { name: 'Request log' }).waitFor();
});
