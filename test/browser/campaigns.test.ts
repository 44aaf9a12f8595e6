import { expect, test } from 'vitest';
import { waitUntil } from '../wait-until.ts';
import { expectAccessible } from './stage/accessible.ts';
import { picture } from './stage/pictures.ts';
import { type Person, Stage } from './stage/stage.ts';

const stage = Stage.open();

interface Campaign {
  campaignId: string;
  status: string;
  counts: Record<string, number>;
}

/** Contacts with a label, whose phones read what they get; and a paired number that all but one have written to. */
async function withPeople(ada: Person, count: number): Promise<{ phones: string[]; numberId: string }> {
  const numberId = await ada.pairedNumber('Shop');
  const phones: string[] = [];
  for (let index = 0; index < count; index += 1) phones.push(await stage.newReader());
  const contacts = phones.map((phoneNumber, index) => ({
    phoneNumber,
    labels: ['wholesale'],
    ...(index === 0 ? {} : { name: `Person ${index}` }),
  }));
  await ada.call('POST', '/v1/contacts/import', { contacts, consentSource: 'fair 2026' });
  for (const phone of phones.slice(1)) {
    await stage.simulate('POST', `/admin/phones/${phone}/messages`, { to: ada.phoneNumber, text: 'Hello' });
  }
  await waitUntil('Nobody has written', async () => {
    const { data } = await ada.call<{ data: { lastInboundAt: string | null }[] }>(
      'GET',
      '/v1/contacts?limit=200',
    );
    return data.filter(({ lastInboundAt }) => lastInboundAt !== null).length === count - 1 ? true : null;
  });
  return { phones, numberId };
}

test('a campaign is written, previewed in plain words, started, paused, resumed, and finished before the eyes of who made it', async () => {
  const ada = await stage.newPerson();
  const { phones, numberId } = await withPeople(ada, 12);
  const page = await ada.open('/campaigns');
  await page.getByRole('heading', { name: 'No campaigns yet' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'New campaign' }).click();

  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Spring');
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Hello {{nmae}}');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Unknown variable {{nmae}}.').waitFor();
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('The collection is here, ');
  await page.getByRole('button', { name: 'Name', exact: true }).click();
  await page
    .getByRole('figure', { name: 'Preview on a phone' })
    .getByText('The collection is here, Maya')
    .waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Continue' }).click();

  await page.getByRole('radio', { name: 'Contacts with a label' }).check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Choose a label.').waitFor();
  await page.getByRole('combobox', { name: 'Label' }).selectOption('wholesale');
  await page.getByRole('switch', { name: 'Includes cold contacts' }).check();
  await page.getByText('People who do not know you report messages').waitFor();
  await expectAccessible(page);
  await page.getByRole('switch', { name: 'Includes cold contacts' }).uncheck();
  await page.getByRole('button', { name: 'Continue' }).click();

  await page.getByRole('switch', { name: 'Sending window' }).check();
  await expectAccessible(page);
  await page.getByRole('switch', { name: 'Sending window' }).uncheck();
  await page.getByRole('textbox', { name: 'Maximum per hour' }).fill('3600');
  await page.getByRole('button', { name: 'Continue' }).click();

  await page.getByText('11 recipients').waitFor();
  await page.getByText('1 person skipped').waitFor();
  await page.getByText('Never messaged you').waitFor();
  await expectAccessible(page);
  await picture(page, 'campaign-review');
  // It is not through before it is paused, however slow the machine is.
  const numberPath = `/v1/numbers/${numberId}`;
  await ada.call('PATCH', numberPath, { pacing: { dailyLimit: 2 } });
  await page.getByRole('button', { name: 'Start', exact: true }).click();

  await page.getByRole('heading', { name: 'Spring', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused', { exact: true }).waitFor();
  await ada.call('PATCH', numberPath, { pacing: { dailyLimit: 250 } });
  await picture(page, 'campaign-paused');
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByText('Finished', { exact: true }).waitFor();
  await page.getByText('12 of 12').waitFor();
  await picture(page, 'campaign-finished');
  await expectAccessible(page);
  for (const phone of phones.slice(1)) {
    const { data } = await stage.simulate<{ data: { text: string; count: number }[] }>(
      'GET',
      `/admin/messages?to=${phone}`,
    );
    expect(data).toHaveLength(1);
    expect(data[0]?.text).toMatch(/^The collection is here, Person \d+$/);
    expect(data[0]?.count).toBe(1);
  }
  await page.getByRole('combobox', { name: 'Recipient status' }).selectOption('Skipped');
  await page.waitForURL(/status=skipped/);
  await page.getByRole('cell', { name: 'Never messaged you' }).waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  expect((await download).suggestedFilename()).toBe('campaign-Spring.csv');

  await page.getByRole('button', { name: 'More' }).last().click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await page.getByRole('heading', { name: 'Spring (2)' }).waitFor();
  await page.getByRole('link', { name: 'Edit' }).click();
  expect(await page.getByRole('textbox', { name: 'Text', exact: true }).inputValue()).toContain(
    '{{name|there}}',
  );
  await page.goto('/campaigns');
  await page.getByRole('row', { name: /Spring \(2\).*Draft/ }).waitFor();
  await page.getByRole('row', { name: /Spring .*Finished/ }).waitFor();
  await picture(page, 'campaigns');
  await expectAccessible(page);
});

test('a file of people is the audience: it is imported on the way, and the preview counts them', async () => {
  const ada = await stage.newPerson();
  await ada.pairedNumber('Shop');
  const page = await ada.open('/campaigns/new');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Fair');
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Good to have met you, {{name|there}}');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('radio', { name: 'Contacts from a CSV file' }).check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('alert').getByText('Choose a file.').waitFor();
  await page.getByRole('button', { name: 'Choose a file' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import contacts' });
  const csv = 'Phone,Name\r\n+62 812-3456-789,Budi\r\n12,Nobody\r\n+49 1512 3456789,Anna\r\n';
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'fair.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await dialog.getByRole('textbox', { name: 'Consent' }).fill('Trade fair');
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await dialog.getByText('Import complete.').waitFor();
  await picture(page, 'file-imported');
  await dialog.getByRole('button', { name: 'Use these contacts' }).click();
  await page.getByText('fair.csv: 2 people, 1 row skipped').waitFor();
  // Another file takes its place: to import it is no step of the campaign.
  await page.getByRole('button', { name: 'Choose another file' }).click();
  await page.locator('input[type=file]').setInputFiles({
    name: 'second-day.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(csv.replace('12,Nobody\r\n', '')),
  });
  await dialog.getByRole('textbox', { name: 'Consent' }).fill('Trade fair');
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await dialog.getByRole('button', { name: 'Use these contacts' }).click();
  await page.getByText('second-day.csv: 2 people').waitFor();
  await page.getByRole('switch', { name: 'Includes cold contacts' }).check();
  await picture(page, 'audience');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('2 recipients').waitFor();
  await page.getByText('Good to have met you, Budi').waitFor();
  await picture(page, 'review');
  await page.getByRole('button', { name: 'Save as draft' }).click();
  await page.getByText('second-day.csv · Includes cold contacts').waitFor();
  await expectAccessible(page);
});

test('a campaign is tried on oneself, planned, and cancelled; what is wrong is said in plain words', async () => {
  const ada = await stage.newPerson();
  const own = await stage.newReader();
  await ada.pairedNumber('Shop');
  const { campaignId } = await ada.call<Campaign>('POST', '/v1/campaigns', {
    name: 'Autumn',
    message: { text: 'Hello {{name|there}}' },
    audience: { all: true },
    startAt: new Date(Date.now() + 86_400_000).toISOString(),
  });
  const page = await ada.open(`/campaigns/${campaignId}`);
  await page.getByRole('button', { name: 'More' }).last().click();
  await page.getByRole('menuitem', { name: 'Send test message' }).click();
  await page.getByRole('textbox', { name: 'Phone number' }).fill(own);
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('On its way: “Hello there”').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByText('Scheduled', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'More' }).last().click();
  await page.getByRole('menuitem', { name: 'Cancel campaign' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel campaign' }).click();
  await page.getByText('Cancelled manually.').waitFor();
  await expectAccessible(page);
});
