import { expect, test } from 'vitest';
import { waitUntil } from '../wait-until.ts';
import { expectAccessible } from './stage/accessible.ts';
import { picture } from './stage/pictures.ts';
import { Stage } from './stage/stage.ts';

const stage = Stage.open();

const csv = [
  'Phone;Full name;City;Orders',
  '+62 812-3456-789;"Santoso; Budi";Jakarta;12',
  '12;Nobody;Nowhere;1',
  '+49 1512 3456789;Anna Bolika;Berlin;3',
  '+62 898-7654-321;Dewi;Bandung;many',
].join('\r\n');

test('a file is imported, its people are found, filtered and kept as a segment, and one of them is erased', async () => {
  const ada = await stage.newPerson();
  const page = await ada.open('/contacts');
  await page.getByRole('heading', { name: 'No contacts yet' }).waitFor();
  await expectAccessible(page);
  await picture(page, 'empty');

  await page.getByRole('button', { name: 'Import contacts' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import contacts' });
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'customers.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  const columns = dialog.getByRole('region', { name: 'Columns' });
  await columns.getByText('Santoso; Budi · Nobody · Anna Bolika').waitFor();
  expect(await columns.getByRole('combobox', { name: 'Phone maps to' }).inputValue()).toBe('phoneNumber');
  expect(await columns.getByRole('combobox', { name: 'Full name maps to' }).inputValue()).toBe('name');
  await columns.getByRole('combobox', { name: 'Orders maps to' }).selectOption('attributes.Orders:number');
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await dialog.getByText('Enter where the consent comes from.').waitFor();
  await dialog.getByRole('textbox', { name: 'Consent' }).fill('Trade fair');
  await picture(page, 'columns');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await dialog.getByText('Import complete.').waitFor();
  const refused = dialog.getByRole('region', { name: 'Rejected rows' });
  await refused.getByText('Row 3').waitFor();
  await refused.getByText('Not a phone number with country code.').waitFor();
  await refused.getByText('Must be a number.').waitFor();
  await picture(page, 'result');
  await expectAccessible(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download rejected rows as CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^refused-.*\.csv$/);
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();

  const list = page.getByRole('list', { name: 'Contacts' });
  await list.getByText('Santoso; Budi').waitFor();
  await list.getByText('Anna Bolika').waitFor();
  await page.getByRole('searchbox', { name: 'Name or phone number' }).fill('bolika');
  await page.waitForURL('**/contacts?q=bolika');
  await expect.poll(() => list.getByRole('link').count()).toBe(1);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('combobox', { name: 'Country' }).selectOption('ID');
  await expect.poll(() => list.getByRole('link').count()).toBe(1);
  await page.getByRole('button', { name: 'Save as segment' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Indonesia');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.waitForURL('**/contacts?segmentId=*');
  await list.getByText('Santoso; Budi').waitFor();

  await list.getByText('Santoso; Budi').click();
  const panel = page.getByRole('complementary', { name: 'Contact' });
  await panel.getByText('Trade fair').waitFor();
  await panel.getByText('No messages yet.').waitFor();
  await panel.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('dialog').getByRole('combobox', { name: 'Labels' }).fill('vip');
  await page.keyboard.press('Enter');
  await picture(page, 'edit');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await panel.getByRole('list', { name: 'Labels' }).getByText('vip').waitFor();
  await picture(page, 'panel');
  await expectAccessible(page);
  await panel.getByRole('button', { name: 'Opt out' }).click();
  await panel.getByText('Messages to them have been blocked since').waitFor();
  await panel.getByRole('button', { name: 'Opt back in' }).click();
  await panel.getByRole('button', { name: 'Opt out' }).waitFor();

  await panel.getByRole('button', { name: 'Erase' }).click();
  const confirm = page.getByRole('dialog', { name: 'Erase this person?' });
  const erase = confirm.getByRole('button', { name: 'Erase permanently' });
  expect(await erase.isDisabled()).toBe(true);
  await confirm.getByRole('textbox').fill('628123456789');
  await picture(page, 'erase');
  await erase.click();
  const done = page.getByRole('dialog', { name: 'Erasing' });
  await done.getByText('Erasure complete.').waitFor();
  await expectAccessible(page);
  await picture(page, 'erased');
  await done.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('heading', { name: 'No matching contacts' }).waitFor();
  const { data } = await ada.call<{ data: { action: string }[] }>('GET', '/v1/audit-log');
  expect(data.map(({ action }) => action)).toContain('contact.erased');
});

test('a contact is added by hand, and one that is there already is refused in words', async () => {
  const ada = await stage.newPerson();
  stage.expectRefusals(409);
  const page = await ada.open('/contacts');
  const add = async (phoneNumber: string, name: string) => {
    await page.getByRole('button', { name: 'Add contact' }).click();
    await page.getByRole('textbox', { name: 'Phone number' }).fill(phoneNumber);
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
    await page.getByRole('button', { name: 'Add attribute' }).click();
    await page.getByRole('textbox', { name: 'Attribute name' }).fill('city');
    await page.getByRole('textbox', { name: 'Value of city' }).fill('Jakarta');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
  };
  await add('+62 812-3456-789', 'Budi');
  await page.getByRole('complementary', { name: 'Contact' }).getByText('Jakarta').waitFor();
  await add('628123456789', 'Budi again');
  await page.getByRole('alert').getByText('There is a contact with this phone number.').waitFor();
  await expectAccessible(page);
});

test('somebody who is there twice becomes one contact, and two again; labels are chosen from those there are', async () => {
  const ada = await stage.newPerson();
  await ada.pairedNumber();
  // The network shows them by their alias alone.
  const hidden = await stage.newReader();
  await stage.simulate('PATCH', `/admin/phones/${hidden}`, {
    hidesNumber: true,
    addressing: 'lid',
    name: 'Maya',
  });
  await stage.simulate('POST', `/admin/phones/${hidden}/messages`, { to: ada.phoneNumber, text: 'Hello' });
  await ada.call('POST', '/v1/contacts', { phoneNumber: hidden, name: 'Maya Sari', labels: ['vip'] });
  const alias = await waitUntil('Nobody has written', async () => {
    const { data } = await ada.call<{ data: { contactId: string; lid: string | null }[] }>(
      'GET',
      '/v1/contacts',
    );
    return data.length === 2 ? data.find(({ lid }) => lid !== null) : null;
  });
  const page = await ada.open('/contacts');
  const list = page.getByRole('list', { name: 'Contacts' });
  await list.getByText('Hidden number').waitFor();
  await page.getByRole('combobox', { name: 'Label', exact: true }).selectOption('vip');
  await expect.poll(() => list.getByRole('link').count()).toBe(1);
  await list.getByText('Maya Sari').click();
  const panel = page.getByRole('complementary', { name: 'Contact' });
  const open = panel.getByRole('button', { name: 'Merge contact' });
  await open.click();
  const dialog = page.getByRole('dialog', { name: 'Merge contacts' });
  await dialog.getByText('No matching contacts').waitFor();
  // Escape closes the dialog alone, and the button that has opened it has the focus again.
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toBe('Merge contact');
  await open.press('Enter');
  await dialog.getByText('No matching contacts').waitFor();
  await dialog.getByRole('searchbox').fill('maya');
  await dialog.getByText('Hidden number').waitFor();
  await picture(page, 'merge');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Merge with Maya' }).click();
  await dialog.getByText('Merged into Maya Sari.').waitFor();
  await dialog.getByRole('button', { name: 'Undo' }).click();
  await dialog.waitFor({ state: 'detached' });
  await panel.getByRole('button', { name: 'Merge contact' }).click();
  await dialog.getByRole('searchbox').fill('maya');
  await dialog.getByRole('button', { name: 'Merge with Maya' }).click();
  await dialog.getByText('Merged into Maya Sari.').waitFor();
  // What has happened, and the way back, stay while the page behind has heard of it.
  await page.getByText('Alias on the network').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await panel.getByText('Alias on the network').waitFor();
  await panel.getByRole('button', { name: 'Merge contact' }).waitFor({ state: 'detached' });
  const { data } = await ada.call<{ data: { contactId: string }[] }>('GET', '/v1/contacts');
  expect(data).toHaveLength(1);
  // Also when the page is opened anew, by the address that the other one had.
  await page.goto(`/contacts/${alias?.contactId}`);
  await page.waitForURL(`**/contacts/${data[0]?.contactId}`);
  await panel.getByText('Merged with Maya:').waitFor();
  await panel.getByRole('region', { name: 'Recent messages' }).getByText('Hello').waitFor();
  await picture(page, 'merged');
  await expectAccessible(page);
  await panel.getByRole('button', { name: 'Undo' }).click();
  await panel.getByRole('button', { name: 'Merge contact' }).waitFor();
  await panel.getByText('Merged with Maya:').waitFor({ state: 'detached' });
  // Beside the chat too, where the small field's hint is as large as any other.
  await page.goto('/inbox');
  await page.getByRole('list', { name: 'Conversations' }).getByRole('link').first().click();
  await page.getByRole('button', { name: 'Merge with…' }).click();
  await page.getByText('Finds contacts that have what this one lacks').waitFor();
  const hint = `[...document.querySelectorAll('p')].find((p) => p.textContent.startsWith('Finds contacts'))`;
  expect(await page.evaluate<string>(`getComputedStyle(${hint}).fontSize`)).toBe('12px');
});
