import { expect, test } from 'vitest';
import type { HttpError } from '../../../src/local/json-client.ts';
import { expectAccessible } from '../stage/accessible.ts';
import { type Person, Stage } from '../stage/stage.ts';

const stage = Stage.open();

interface ApiKey {
  id: string;
  name: string;
  key: string;
}

const newKey = (ada: Person, fields: object = {}) =>
  ada.call<ApiKey>('POST', '/v1/auth/api-keys', { name: 'Web shop', ...fields });

const usage = (key: string) =>
  stage.request('GET', '/v1/usage', { headers: { 'x-api-key': key } }).then(
    () => 200,
    (error: HttpError) => error.status,
  );

test('a key is created on a page that teaches what it is, is shown once, works, and is refused once it is revoked', async () => {
  const ada = await stage.newPerson();
  const page = await ada.open('/developer/api-keys');
  await page.getByRole('heading', { name: 'No API keys yet' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create API key' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Till');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'API key for Till' });
  const key = (await dialog.getByRole('region', { name: 'Your API key' }).textContent()) ?? '';
  expect(key).toMatch(/^sk_live_/);
  await dialog.getByRole('heading', { name: 'Send your first message' }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Done' }).click();
  expect(await usage(key)).toBe(200);
  await page.reload();
  const row = page.getByRole('row', { name: /Till/ });
  await row.getByText('Active').waitFor();
  expect(await page.content()).not.toContain(key);
  await row.getByRole('link', { name: 'Till' }).click();
  const panel = page.getByRole('complementary', { name: 'Till' });
  await panel.getByText('messages:send').waitFor();
  await expectAccessible(page);
  await panel.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('heading', { name: 'No API keys yet' }).waitFor();
  expect(await usage(key)).toBe(401);
});

test('a key that may not send shows no example that would be refused', async () => {
  const ada = await stage.newPerson();
  const page = await ada.open('/developer/api-keys');
  await page.getByRole('button', { name: 'Create API key' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Reports');
  await page.getByRole('checkbox', { name: 'messages:send' }).uncheck();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'API key for Reports' });
  await dialog.getByRole('region', { name: 'Your API key' }).waitFor();
  expect(await dialog.getByRole('heading', { name: 'Send your first message' }).count()).toBe(0);
});

test('the button that creates a key waits until the list is there, since its place moves and a press on it would be lost', async () => {
  const ada = await stage.newPerson();
  const page = await stage.newTab();
  const held = Promise.withResolvers<void>();
  await page.route('**/v1/auth/api-keys*', async (route) => {
    await held.promise;
    await route.continue();
  });
  await ada.open('/developer/api-keys', page);
  await page.getByRole('heading', { name: 'API keys', exact: true }).waitFor();
  const create = page.getByRole('button', { name: 'Create API key' });
  expect(await create.count()).toBe(0);
  held.resolve();
  await create.click();
  await page.getByRole('dialog', { name: 'Create API key' }).waitFor();
});

test('the example in curl, JavaScript, Python and PHP has the new key in it', async () => {
  const ada = await stage.newPerson();
  const page = await ada.open('/developer/api-keys');
  await page.getByRole('button', { name: 'Create API key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Till');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  const key = (await dialog.getByRole('region', { name: 'Your API key' }).textContent()) ?? '';
  const example = dialog.getByRole('region', { name: 'Example request' });
  const shown = new Set<string>();
  for (const language of ['curl', 'JavaScript', 'Python', 'PHP']) {
    await dialog.getByText(language, { exact: true }).click();
    await example.getByText(key).waitFor();
    await expect.poll(async () => shown.has((await example.textContent()) ?? '')).toBe(false);
    const text = (await example.textContent()) ?? '';
    expect(text).toContain(`${stage.baseUrl}/v1/messages/send`);
    shown.add(text);
  }
});

test('what a key may do is chosen when it is created and changed later, and what was stored is shown', async () => {
  const ada = await stage.newPerson();
  const { numberId } = await ada.call<{ numberId: string }>('POST', '/v1/numbers', { label: 'Front desk' });
  const page = await ada.open('/developer/api-keys');
  await page.getByRole('button', { name: 'Create API key' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Till');
  await page.getByRole('combobox', { name: 'Sends from' }).click();
  await page.getByRole('option', { name: 'Front desk' }).click();
  await page.getByText('A key restricted to one number cannot manage contacts or webhooks').waitFor();
  for (const name of ['contacts', 'webhooks']) {
    const scope = page.getByRole('checkbox', { name });
    expect([await scope.isDisabled(), await scope.isChecked()]).toEqual([true, false]);
  }
  await page.getByRole('radio', { name: 'Use the pool' }).check();
  await page.getByRole('checkbox', { name: 'webhooks' }).check();
  await page.getByRole('combobox', { name: 'Expires', exact: true }).click();
  await page.getByRole('option', { name: 'In 90 days' }).click();
  await page.getByRole('combobox', { name: 'Allowed IP addresses' }).fill('203.0.113.0/24');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('row', { name: /Till.*Front desk, then the pool/ }).waitFor();
  const [stored] = (await ada.call<{ data: (ApiKey & { expiresAt: string })[] }>('GET', '/v1/auth/api-keys'))
    .data;
  expect(stored).toMatchObject({
    pinnedNumberId: numberId,
    onPinFailure: 'fallback',
    allowedAddresses: ['203.0.113.0/24'],
    scopes: expect.arrayContaining(['webhooks', 'messages:send']),
  });
  expect((Date.parse(stored?.expiresAt ?? '') - Date.now()) / 86_400_000).toBeCloseTo(90, 1);

  await page.getByRole('link', { name: 'Till' }).click();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Till 2');
  await page.getByRole('checkbox', { name: 'webhooks' }).uncheck();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('complementary', { name: 'Till 2' }).waitFor();
  const [changed] = (await ada.call<{ data: { scopes: string[] }[] }>('GET', '/v1/auth/api-keys')).data;
  expect(changed?.scopes).not.toContain('webhooks');
});

test('an address that is none is refused with its name, and nothing that was typed is lost', async () => {
  stage.expectRefusals(400);
  const ada = await stage.newPerson();
  const page = await ada.open('/developer/api-keys');
  await page.getByRole('button', { name: 'Create API key' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Till');
  await page.getByRole('combobox', { name: 'Allowed IP addresses' }).fill('my office');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const problem = page.getByRole('alert');
  await problem.getByText('allowedAddresses.0').waitFor();
  await problem.getByText(/req_/).waitFor();
  expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Till');
});

test('keys that nobody uses are marked by the clock', async () => {
  const ada = await stage.newPerson();
  await newKey(ada, { name: 'Forgotten' });
  const context = await stage.newBrowser();
  const page = await ada.open('/developer/api-keys', await context.newPage());
  await page
    .getByRole('row', { name: /Forgotten/ })
    .getByText('Never used')
    .waitFor();
  await context.clock.setFixedTime(Date.now() + 31 * 86_400_000);
  await page.getByRole('link', { name: 'Forgotten' }).click();
  await page.getByText('Not used for 30 days.').waitFor();
});
