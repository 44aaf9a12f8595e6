import { expect, test } from 'vitest';
import { waitUntil } from '../wait-until.ts';
import { type Person, Stage } from './stage/stage.ts';

const stage = Stage.open();
const phone = { width: 390, height: 844 };

/** Where the links of the page's navigations lead within the dashboard. */
const linksOf = `[...document.querySelectorAll('nav a[href^="/"]')]
  .map((link) => link.getAttribute('href')).filter((href) => !href.startsWith('/docs'))`;

/** Every page, as a wide navigation has them. */
let found: Promise<Set<string>> | null = null;

async function pagesFor(ada: Person): Promise<Set<string>> {
  const wide = await ada.open('/');
  await wide.locator('nav a[href="/settings"]').waitFor();
  const paths = await wide.evaluate<string[]>(linksOf);
  await wide.goto('/settings/security');
  await wide.locator('nav a[href="/settings/members"]').waitFor();
  paths.push(...(await wide.evaluate<string[]>(linksOf)));
  return new Set(paths);
}

/** Goes to a page within the dashboard, as its own links do: what is loaded stays. */
const goTo = (path: string) => `self.__TSR_ROUTER__.navigate({ to: '${path}' })`;

/** The page that was asked for is there, and what it asked for itself. */
const isLoaded = `self.__TSR_ROUTER__.state.status === 'idle'
  && self.__TSR_ROUTER__.state.resolvedLocation.href === self.__TSR_ROUTER__.state.location.href
  && document.querySelector('main h1') !== null && document.querySelector('.mantine-Skeleton-root') === null`;

test.each(['en', 'es', 'id'])('no page is wider than a phone, in %s', async (language) => {
  const ada = await stage.newPerson();
  found ??= pagesFor(ada);
  const paths = await found;
  expect(paths.size).toBeGreaterThan(20);

  const page = await stage.newTab(phone);
  await page.evaluate(`localStorage.setItem('heliograph-language', '${language}')`);
  await ada.open('/', page);
  await page.locator(`html[lang="${language}"]`).waitFor();
  const tooWide: string[] = [];
  for (const path of paths) {
    await page.evaluate(goTo(path));
    await waitUntil(`${path} did not load`, async () => (await page.evaluate(isLoaded)) || null);
    expect(new URL(page.url()).pathname.startsWith(path)).toBe(true);
    if (await page.evaluate('document.documentElement.scrollWidth > window.innerWidth')) tooWide.push(path);
  }
  expect(tooWide).toEqual([]);
});
