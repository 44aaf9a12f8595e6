import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const standards = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
/** The schemes differ in colours alone. */
const colours = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/**
 * The frame of a page is most of it, or the page behind a dialog. A part that was looked at as it is, at this width and in this
 * scheme, is left out, and a page of which nothing is new is not looked at; what is covered has not been looked at. Of what is
 * well nothing is asked for: a path to each such element takes long. Style sheets are not fetched again (`preload`): one rule alone
 * needs them, about pages that are locked in one orientation, and there is no such style. Null where axe is needed and not there.
 */
const look = `async ({ runOnly, seen }) => {
  const around = document.documentElement.cloneNode(true);
  for (const part of around.querySelectorAll('header, nav, main, script, style')) part.remove();
  const parts = [];
  for (const part of [...document.querySelectorAll('header, nav, main'), around]) {
    const html = part.outerHTML.replaceAll(/(mantine-|_r_)[a-z0-9]+/g, '');
    const digest = await crypto.subtle.digest('SHA-1', new TextEncoder().encode(innerWidth + html));
    parts.push([part, new Uint8Array(digest).join()]);
  }
  if (parts.every(([, digest]) => seen.includes(digest))) return { found: [], looked: [] };
  if (typeof axe === 'undefined') return null;
  const exclude = parts.filter(([part, digest]) => part !== around && seen.includes(digest)).map(([part]) => part);
  const { violations } = await axe.run({ exclude }, { runOnly, resultTypes: ['violations'], preload: false });
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => id + ': ' + html + ' ' + failureSummary));
  const isCovered = document.querySelector('[role="dialog"]') !== null;
  return { found, looked: isCovered ? [] : parts.map(([, digest]) => digest) };
}`;

interface Looked {
  found: string[];
  looked: string[];
}

type Scheme = 'light' | 'dark';

/** What this worker has looked at: parts of pages, by scheme and rules; and pages, each with and without a dialog. */
const seenParts = new Map<string, Set<string>>();
const seenViews = new Set<string>();

/**
 * Nothing on this page keeps anybody out (WCAG 2.2 AA). The colours of the other scheme are looked at once for each page, and
 * once for its dialogs: they are the same tokens at each step. The page is left in that scheme: a change of it draws everything.
 */
export async function expectAccessible(page: Page): Promise<void> {
  // Before it there is nothing to look at.
  await page.locator('main, [role="main"]').first().waitFor();
  const scheme = (await page.locator('html').getAttribute('data-mantine-color-scheme')) as Scheme;
  await expectNothingFound(page, scheme, standards);
  const hasDialog = (await page.getByRole('dialog').count()) > 0;
  const view = `${new URL(page.url()).pathname.replace(/\/[^/]*\d[^/]*/g, '/id')} ${hasDialog}`;
  if (seenViews.has(view)) return;
  seenViews.add(view);
  const other = scheme === 'light' ? 'dark' : 'light';
  await page.emulateMedia({ colorScheme: other });
  await page.locator(`html[data-mantine-color-scheme="${other}"]`).waitFor();
  await expectNothingFound(page, other, colours);
}

async function expectNothingFound(page: Page, scheme: Scheme, runOnly: typeof standards): Promise<void> {
  const kind = `${scheme} ${runOnly.type}`;
  const seen = seenParts.get(kind) ?? new Set();
  seenParts.set(kind, seen);
  const asked = JSON.stringify({ runOnly, seen: [...seen] });
  let parts: string[] = [];
  // A busy browser may show colours on their way for longer than it says; what is wrong stays so.
  await expect
    .poll(
      async () => {
        await coloursArrived(page);
        let result = await page.evaluate<Looked | null>(`(${look})(${asked})`);
        if (result === null) {
          await page.evaluate(axeSource);
          result = await page.evaluate<Looked>(`(${look})(${asked})`);
        }
        parts = result.looked;
        return result.found.map((each) => `${scheme} ${each}`);
      },
      { timeout: 10_000 },
    )
    .toEqual([]);
  for (const part of parts) seen.add(part);
}

/** After a change of the scheme a busy browser shows the colours of before for a frame or two. */
async function coloursArrived(page: Page): Promise<void> {
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  const changing = 'document.getAnimations().filter((it) => it instanceof CSSTransition)';
  await page.evaluate(`Promise.allSettled(${changing}.map(({ finished }) => finished)).then(() => null)`);
}
