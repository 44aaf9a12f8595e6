import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { forgetOldBuilds } from '../../../../src/local/gateway/worker-build.ts';

/** A folder with these in it, each last used so many minutes ago. */
function cacheOf(usedMinutesAgo: Record<string, number>): string {
  const cache = mkdtempSync(join(tmpdir(), 'heliograph-builds-'));
  onTestFinished(() => rmSync(cache, { recursive: true, force: true }));
  for (const [name, minutes] of Object.entries(usedMinutesAgo)) {
    mkdirSync(join(cache, name, 'inside'), { recursive: true });
    const at = new Date(Date.now() - minutes * 60_000);
    utimesSync(join(cache, name), at, at);
  }
  return cache;
}

test('of the builds of the Worker the three last used are kept, and what another start is building is left alone', () => {
  const cache = cacheOf({ a: 4, b: 1, c: 3, d: 2, 'draft-of-another-start': 5 });
  forgetOldBuilds(cache);
  expect(readdirSync(cache).sort()).toEqual(['b', 'c', 'd', 'draft-of-another-start']);
});

test('what a start that was killed had begun to build is deleted later', () => {
  const cache = cacheOf({ a: 1, 'draft-left': 61, 'draft-under-way': 1 });
  forgetOldBuilds(cache);
  expect(readdirSync(cache).sort()).toEqual(['a', 'draft-under-way']);
});
