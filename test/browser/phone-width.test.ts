import { expect, test } from 'vitest';
import { waitUntil } from '../wait-until.ts';
import { Stage } from './stage/stage.ts';

const stage = Stage.open();
const phone = { width: 390, height: 844 };

/** Where the links of the page's navigations lead within the dashboard. */
const linksOf = `[...document.querySelectorAll('nav a[href^="/"]')]
  .map((link) => link.getAttribute('href')).filter((href) => !href.startsWith('/docs'))`;

/** What every page shows when it has what it asked for. */
const isLoaded = `document.querySelector('main h1') !== null && document.querySelector('.mantine-Skeleton-root') === null`;

test.each(['en-GB', 'es', 'id'])('no page is wider than a phone, in %s', async (locale) => {
  const ada = await stage.newPerson();
  const wide = await ada.open('/');
  await wide.locator('nav a[href="/settings"]').waitFor();
  const paths = await wide.evaluate<string[]>(linksOf);
  await wide.goto('/settings/security');
  await wide.locator('nav a[href="/settings/members"]').waitFor();
  paths.push(...(await wide.evaluate<string[]>(linksOf)));
  await wide.close();
  expect(new Set(paths).size).toBeGreaterThan(20);

  const page = await (await stage.newBrowser(phone, locale)).newPage();
  await page.goto('/sign-in');
  await page.locator('input[type="email"]').fill(ada.email);
  await page.locator('input[type="password"]').fill(ada.password);
  await page.locator('button[type="submit"]').click();
  await page.waitForURL((url) => url.pathname !== '/sign-in');
  const tooWide: string[] = [];
  for (const path of new Set(paths)) {
    await page.goto(path);
    await waitUntil(`${path} did not load`, async () => (await page.evaluate(isLoaded)) || null);
    if (await page.evaluate('document.documentElement.scrollWidth > window.innerWidth')) tooWide.push(path);
  }
  expect(tooWide).toEqual([]);
});
