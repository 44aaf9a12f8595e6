import { mkdirSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { waitUntil } from '../../wait-until.ts';
import { expectAccessible } from '../stage/accessible.ts';
import { Stage } from '../stage/stage.ts';

const stage = Stage.open();

const shots = process.env.SCREENSHOTS;
async function shoot(page: Page, name: string): Promise<void> {
  if (shots === undefined) return;
  mkdirSync(shots, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: `${shots}/${name}-${colorScheme}.png`, fullPage: true });
  }
}

test('business hours are set with two spans on a day, a night and a holiday, changed and deleted', async () => {
  const ada = await stage.newPerson();
  const page = await ada.open('/settings/hours');
  await page.getByText('No business hours yet').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Add business hours' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Office, Jakarta');
  await dialog.getByLabel('Time zone').fill('Asia/Jakarta');
  await page.getByRole('option', { name: 'Asia/Jakarta' }).click();
  await dialog.getByLabel('Monday ends').fill('12:00');
  await dialog.getByRole('button', { name: 'Add hours on Monday' }).click();
  await dialog.getByLabel('Monday begins').last().fill('13:00');
  await dialog.getByLabel('Monday ends').last().fill('17:30');
  await dialog.getByRole('button', { name: 'Add hours on Saturday' }).click();
  await dialog.getByLabel('Saturday begins').fill('22:00');
  await dialog.getByLabel('Saturday ends').fill('02:00');
  await dialog.getByText('on the next day').waitFor();
  await dialog.getByRole('button', { name: 'Add holiday' }).click();
  await dialog.getByLabel('Date').fill('2026-12-25');
  await dialog.getByRole('textbox', { name: 'Occasion' }).fill('Christmas');
  await expectAccessible(page);
  await shoot(page, 'hours-dialog');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Office, Jakarta' }).waitFor();
  await page.getByText('Asia/Jakarta · All numbers · 1 holiday').waitFor();
  await page.getByRole('img', { name: '09:00–12:00, 13:00–17:30' }).waitFor();
  await page.getByRole('img', { name: '22:00–02:00' }).waitFor();
  await expectAccessible(page);
  await shoot(page, 'hours');

  stage.expectRefusals(400);
  await page.getByRole('button', { name: 'Edit Office, Jakarta' }).click();
  await dialog.getByLabel('Monday begins').last().fill('11:00');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Overlaps another span.').waitFor();
  await dialog.getByRole('button', { name: 'Remove Monday from 11:00' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('img', { name: '09:00–12:00', exact: true }).waitFor();

  await page.getByRole('button', { name: 'Delete Office, Jakarta' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No business hours yet').waitFor();
});

test('a policy promises answers within an hour, and what happens after a chat is set', async () => {
  const ada = await stage.newPerson();
  const page = await ada.open('/settings/targets');
  await page.getByRole('button', { name: 'Add policy' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Standard');
  await dialog.getByRole('textbox', { name: 'Next response' }).fill('2');
  await dialog.getByRole('textbox', { name: 'Resolution' }).fill('3');
  await dialog.getByLabel('Unit of Resolution').selectOption('days');
  await expectAccessible(page);
  await shoot(page, 'policy-dialog');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row', { name: /Standard.*1 h.*2 h.*3 d/ }).waitFor();

  const after = page.getByRole('region', { name: 'After a chat' });
  await after.getByLabel('Send a satisfaction survey').check();
  await after.getByLabel('Auto-resolve after (hours)').fill('72');
  await expectAccessible(page);
  await shoot(page, 'targets');
  await after.getByRole('button', { name: 'Save' }).click();
  await after.getByText('Saved').waitFor();
  expect(await ada.call('GET', '/v1/settings')).toMatchObject({
    support: { autoResolveHours: 72, survey: { everyDays: 30, question: expect.stringContaining('1') } },
  });
  await page.getByRole('button', { name: 'Edit Standard' }).click();
  await dialog.getByRole('textbox', { name: 'First response' }).fill('90');
  await dialog.getByLabel('Unit of First response').selectOption('minutes');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row', { name: /Standard.*1 h 30 min/ }).waitFor();
});

test('the report tells how fast somebody was answered, and is downloaded as a file', async () => {
  const ada = await stage.newPerson();
  const numberId = await ada.pairedNumber();
  await ada.call('PATCH', '/v1/settings', { support: { reports: true } });
  const page = await ada.open('/settings/report');
  await page.getByText('Nothing to report yet').waitFor();
  const customer = await stage.newReader();
  await stage.simulate('POST', `/admin/phones/${customer}/messages`, { to: ada.phoneNumber, text: 'Hello?' });
  const reported = (condition: (total: { opened: number; firstResponse: { count: number } }) => boolean) =>
    waitUntil('The report does not tell of it', async () => {
      const { total } = await ada.call<{ total: { opened: number; firstResponse: { count: number } } }>(
        'GET',
        '/v1/reports/support?by=number',
      );
      return condition(total) || null;
    });
  await reported(({ opened }) => opened === 1);
  await stage.simulate('POST', `/admin/phones/${ada.phoneNumber}/messages`, {
    to: customer,
    text: 'Good day.',
    as: 'own',
  });
  await reported(({ firstResponse }) => firstResponse.count === 1);
  await page.reload();
  await page.getByRole('img', { name: '1 on time, 0 missed' }).waitFor();
  await expectAccessible(page);
  await shoot(page, 'report');
  await page.getByLabel('Group by').selectOption('number');
  await page.getByRole('row', { name: /Front desk 1/ }).waitFor();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('support-by-number.csv');
  const lines = (await text(await file.createReadStream())).trimEnd().split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatch(new RegExp(`^${numberId},Front desk,1,0,1,`));
  await expectAccessible(page);
});

test('on a phone the hours of a day stand below its name, and nothing is cut off', async () => {
  const ada = await stage.newPerson();
  const spans = ['monday', 'tuesday', 'friday'].map((day) => ({ day, from: '09:00', to: '17:00' }));
  await ada.call('POST', '/v1/business-hours', { name: 'Shop', timeZone: 'Europe/Madrid', spans });
  await ada.call('POST', '/v1/sla-policies', { name: 'Standard', firstResponseSeconds: 5400 });
  const page = await ada.open('/settings/hours', await stage.newTab({ width: 390, height: 844 }));
  await page.getByRole('heading', { name: 'Shop' }).waitFor();
  const isTooWide = () =>
    page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth');
  expect(await isTooWide()).toBe(false);
  await shoot(page, 'phone-hours');
  await page.getByRole('button', { name: 'Edit Shop' }).click();
  await page.getByRole('dialog').getByLabel('Friday begins').waitFor();
  await shoot(page, 'phone-hours-dialog');
  await expectAccessible(page);
  await page.goto('/settings/targets');
  await page.getByRole('row', { name: /Standard/ }).waitFor();
  expect(await isTooWide()).toBe(false);
  await shoot(page, 'phone-targets');
  await page.goto('/settings/report');
  await page.getByText('Nothing to report yet').waitFor();
  expect(await isTooWide()).toBe(false);
  await shoot(page, 'phone-report');
});
