import { expect, test } from 'vitest';
import { requestJson } from '../../../src/local/json-client.ts';
import { expectAccessible } from '../stage/accessible.ts';
import { Stage } from '../stage/stage.ts';

const stage = Stage.open();

test('a refused request is found by its key, with what it sent, and nothing of it that is private', async () => {
  const ada = await stage.newPerson();
  const { id, key } = await ada.call<{ id: string; key: string }>('POST', '/v1/auth/api-keys', {
    name: 'Till',
  });
  await ada.call('POST', '/v1/auth/api-keys', { name: 'Other' });
  const body = { to: '628123456789', text: 'a very private text', txt: 'typo' };
  const ask = () =>
    requestJson(stage.baseUrl, 'POST', '/v1/messages/send', { headers: { 'x-api-key': key }, body });
  await expect(ask()).rejects.toThrow(/400/);
  await expect(ask()).rejects.toThrow(/400/);

  const page = await ada.open(`/developer/api-keys/${id}`);
  await page.getByRole('link', { name: 'View requests' }).click();
  const errors = page.getByRole('table', { name: 'Most frequent errors' });
  const refresh = page.getByRole('button', { name: 'Refresh' });
  // A row each, and one of the kind of error.
  await expect
    .poll(async () => {
      await refresh.click();
      return page.getByRole('row', { name: /400 VALIDATION_ERROR/ }).count();
    })
    .toBe(3);
  await page.reload();
  await errors.getByRole('row', { name: /400 VALIDATION_ERROR POST \/v1\/messages\/send 2/ }).waitFor();
  await expectAccessible(page);
  await errors.getByRole('link').click();
  await page.getByRole('button', { name: 'VALIDATION_ERROR · /v1/messages/send' }).waitFor();
  const { searchParams } = new URL(page.url());
  expect([searchParams.get('keyId'), searchParams.get('code')]).toEqual([id, 'VALIDATION_ERROR']);
  // Of the list, whose rows say how long a request took.
  await page.getByRole('row', { name: /\d ms/ }).first().getByRole('link').click();
  const panel = page.getByRole('complementary', { name: 'Request' });
  await panel.getByText('[19 characters]').waitFor();
  await panel.getByText('628***789').waitFor();
  expect(await page.content()).not.toContain('a very private text');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.get('code')).toBe('VALIDATION_ERROR');
});

test('a key that asked nothing has an empty log that says so', async () => {
  const ada = await stage.newPerson();
  const page = await ada.open('/developer/requests');
  await page.getByRole('heading', { name: 'No requests yet' }).waitFor();
  await page.getByRole('combobox', { name: 'Outcome' }).selectOption('Refused (4xx)');
  await page.getByRole('heading', { name: 'No matching requests' }).waitFor();
  expect(new URL(page.url()).searchParams.get('status')).toBe('4xx');
  await expectAccessible(page);
});
