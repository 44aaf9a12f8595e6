import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';

const folder = process.env.SCREENSHOTS;

/** A picture of the page in both colour schemes, where somebody wants to look: `SCREENSHOTS` names the folder. */
export async function shoot(page: Page, name: string): Promise<void> {
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
    await page.screenshot({ path: `${folder}/${name}-${colorScheme}.png`, fullPage: true });
  }
}
