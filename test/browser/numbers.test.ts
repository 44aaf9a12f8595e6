import { expect, test } from 'vitest';
import { expectAccessible } from './stage/accessible.ts';
import { type Person, Stage } from './stage/stage.ts';

const stage = Stage.open();

async function addNumber(ada: Person, label: string) {
  // The pairing that the page looks up is over the moment that the phone has linked.
  stage.expectRefusals(404);
  const page = await ada.open('/numbers');
  await page.getByRole('button', { name: 'Add number' }).click();
  await page.getByRole('textbox', { name: 'Label' }).fill(label);
  await page.getByRole('button', { name: 'Continue' }).click();
  return page;
}

test('a number is added, its QR code is scanned, and the page says by itself that it is connected', async () => {
  const ada = await stage.newPerson();
  const page = await addNumber(ada, 'Front desk');
  const code = page.getByRole('img', { name: 'QR code' });
  await code.waitFor();
  await expectAccessible(page);
  await ada.scan((await code.getAttribute('data-text')) ?? '');
  await page.getByText('Sending and receiving since').waitFor();
  const panel = page.getByRole('complementary', { name: 'Front desk' });
  await panel.getByText('No sending restrictions.').waitFor();
  // What the page has just heard of is past, also where the page is older than that.
  await panel.getByText(/^(now|\d+ seconds? ago)$/).waitFor();
  expect(await panel.getByText(/^in \d/).count()).toBe(0);
  const row = page.getByRole('row', { name: /Front desk/ });
  await row.getByText('Connected').waitFor();
});

test('a number is paired by a code that is typed on the phone', async () => {
  const ada = await stage.newPerson();
  const page = await addNumber(ada, 'By code');
  await page.getByText('Code on the phone').click();
  await page.getByRole('textbox', { name: 'Phone number' }).fill(`+${ada.phoneNumber}`);
  await page.getByRole('button', { name: 'Get code' }).click();
  const shown = page.getByLabel('Code to type on the phone');
  await shown.waitFor();
  const code = ((await shown.textContent()) ?? '').replace('-', '');
  await stage.simulate('POST', '/admin/mock-phone/enter-code', { phone: ada.phoneNumber, code });
  await page.getByText('Sending and receiving since').waitFor();
});

test('a ban is seen as it happens, with what it means; a question that is open stays', async () => {
  const ada = await stage.newPerson();
  const numberId = await ada.pairedNumber();
  const page = await ada.open(`/numbers/${numberId}`);
  await page.getByText('Sending and receiving since').waitFor();
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
  await page.getByRole('button', { name: 'Log out' }).click();
  const question = page.getByRole('dialog', { name: 'Log this number out?' });
  await question.waitFor();
  await stage.simulate('POST', `/admin/devices/${ada.phoneNumber}/ban`);
  await page.getByText('The network has banned this phone number.').waitFor();
  expect(await question.isVisible()).toBe(true);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'detached' });
  expect(await page.getByRole('button', { name: 'Log out' }).count()).toBe(0);
});

test('a number is disconnected and connected again', async () => {
  const ada = await stage.newPerson();
  const page = await ada.open(`/numbers/${await ada.pairedNumber()}`);
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.getByRole('button', { name: 'Disconnect' }).waitFor();
});

test('the form of the pacing says what it comes to, refuses what makes no sense, and shows what was stored', async () => {
  const ada = await stage.newPerson();
  const { numberId } = await ada.call<{ numberId: string }>('POST', '/v1/numbers', { label: 'Slow' });
  const page = await ada.open(`/numbers/${numberId}?tab=pacing`);
  await page.getByLabel('Shortest pause (seconds)').fill('40');
  await page.getByLabel('Longest pause (seconds)').fill('20');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The longest pause cannot be shorter than the shortest.').waitFor();
  await page.getByLabel('Longest pause (seconds)').fill('80');
  await page.getByLabel('Messages a day').fill('500');
  await page.getByText('At most 60 an hour, one about every 60 s.').waitFor();
  await page.getByText('At most 500 on a full day, over 24 hours.').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved').waitFor();
  const { pacing } = await ada.call<{ pacing: object }>('GET', `/v1/numbers/${numberId}`);
  expect(pacing).toMatchObject({ minDelayMs: 40_000, maxDelayMs: 80_000, dailyLimit: 500 });
});

test('filters are saved as they are shown', async () => {
  const ada = await stage.newPerson();
  const { numberId } = await ada.call<{ numberId: string }>('POST', '/v1/numbers', { label: 'Picky' });
  const page = await ada.open(`/numbers/${numberId}?tab=filters`);
  await page.getByLabel('Only these prefixes').first().fill('62');
  await page.keyboard.press('Enter');
  await page.getByRole('switch', { name: 'Ask the network first' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved').waitFor();
  await expectAccessible(page);
  const { filters } = await ada.call<{ filters: object }>('GET', `/v1/numbers/${numberId}`);
  expect(filters).toMatchObject({ allowPrefixes: ['62'], checkOnNetwork: true });
});

test('a number is deleted only once its name was typed', async () => {
  const ada = await stage.newPerson();
  const { numberId } = await ada.call<{ numberId: string }>('POST', '/v1/numbers', { label: 'Old one' });
  const page = await ada.open(`/numbers/${numberId}`);
  await page.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog');
  const confirm = dialog.getByRole('button', { name: 'Delete' });
  await confirm.waitFor();
  expect(await confirm.isDisabled()).toBe(true);
  await dialog.getByRole('textbox').fill('Old one');
  await confirm.click();
  await page.getByRole('heading', { name: 'No number yet' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/numbers');
});
