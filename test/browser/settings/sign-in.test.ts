import { expect, test } from 'vitest';
import { expectAccessible } from '../stage/accessible.ts';
import { Stage } from '../stage/stage.ts';

const stage = Stage.open();

test('whoever signs in gets to the page that they asked for, and is still signed in after a reload', async () => {
  const ada = await stage.newPerson();
  const page = await stage.newTab();
  await page.goto('/numbers?from=a-link');
  await ada.signInOn(page);
  await page.getByRole('heading', { name: 'Numbers' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/numbers');
  await page.reload();
  await page.getByRole('heading', { name: 'Numbers' }).waitFor();
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  expect(stored).not.toMatch(/eyJ/);
});

test('a wrong password is told at its field, and what was typed stays', async () => {
  stage.expectRefusals(401);
  const ada = await stage.newPerson();
  const page = await stage.newTab();
  await page.goto('/sign-in');
  await page.getByRole('textbox', { name: 'E-mail' }).fill(ada.email);
  await page.getByRole('textbox', { name: 'Password' }).fill('not the password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('The e-mail address or the password is wrong.').waitFor();
  expect(await page.getByRole('textbox', { name: 'E-mail' }).inputValue()).toBe(ada.email);
});

test('tabs share a session, and a sign-out in one is one of all', async () => {
  // What a page still asks while it is being signed out.
  stage.expectRefusals(401);
  const ada = await stage.newPerson();
  const first = await ada.open('/numbers');
  const second = await first.context().newPage();
  await Promise.all([first.reload(), second.goto('/numbers')]);
  for (const page of [first, second]) await page.getByRole('heading', { name: 'Numbers' }).waitFor();
  await first.getByRole('button', { name: 'Your account' }).click();
  await first.getByRole('menuitem', { name: 'Sign out' }).click();
  for (const page of [first, second]) await page.waitForURL('**/sign-in**');
});

test('a token that runs out is renewed under way, and nobody notices', async () => {
  const ada = await stage.newPerson();
  const context = await stage.newBrowser();
  await context.clock.install();
  const page = await ada.open('/numbers', await context.newPage());
  await page.getByRole('heading', { name: 'No number yet' }).waitFor();
  await context.clock.fastForward('14:30');
  const renewed = page.waitForResponse('**/v1/auth/refresh');
  await page.getByRole('button', { name: 'Add number' }).click();
  await page.getByRole('textbox', { name: 'Label' }).fill('Late');
  await page.getByRole('button', { name: 'Continue' }).click();
  expect((await renewed).status()).toBe(200);
  await page.getByRole('heading', { name: 'Late' }).waitFor();
});

test('an owner who was mailed a link chooses a password by it and signs in; once used, the link says so', async () => {
  stage.expectRefusals(401);
  const email = `owner-${crypto.randomUUID()}@example.com`;
  const { link } = await stage.request<{ link: string }>('POST', '/v1/auth/sign-up', {
    headers: { authorization: `Bearer ${stage.gateway.secrets.bootstrapToken}` },
    body: { email, name: 'Ada', accountName: 'Sunrise' },
  });
  const page = await stage.newTab();
  await page.goto(link);
  await page.getByRole('textbox', { name: 'Password' }).fill('four random words here');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Your account is ready' }).waitFor();
  await page.getByRole('link', { name: 'Go to sign-in' }).click();
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill('four random words here');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => url.pathname !== '/sign-in');
  const again = await stage.newTab();
  await again.goto(link);
  await again.getByRole('textbox', { name: 'Password' }).fill('four random words here');
  await again.getByRole('button', { name: 'Create account' }).click();
  await again.getByText('This link was used already').waitFor();
});

test.each(['/sign-in', '/register', '/password/forgot', '/password/reset#token=x', '/invitation#token=x'])(
  '%s keeps nobody out, in light and in dark',
  async (path) => {
    const page = await stage.newTab({ width: 390, height: 844 });
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expectAccessible(page);
  },
);

test('the page speaks the language of the browser, and another one when told', async () => {
  const ada = await stage.newPerson();
  const page = await ada.open('/numbers', await (await stage.newBrowser('id-ID')).newPage());
  await page.getByRole('heading', { name: 'Nomor', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Akun Anda' }).click();
  await page.getByRole('menuitem', { name: 'Español' }).click();
  await page.getByRole('heading', { name: 'Números', exact: true }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Números', exact: true }).waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('es');
  await page.goto('/settings/security');
  await page.getByRole('button', { name: 'Mostrar u ocultar' }).first().waitFor();
});
