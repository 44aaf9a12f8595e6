import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const imported = /^(?:import|export) (?!type )(?:[^;]*? from )?'(\.[^']+)';/gm;

/** Every file of ours that is loaded with this one. */
function loadedWith(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, from = ''] of readFileSync(file, 'utf8').matchAll(imported))
    loadedWith(path.join(path.dirname(file), from), seen);
  return seen;
}

test('an isolate starts without what only the document needs: descriptions, and schemas of answers', () => {
  const loaded = [...loadedWith('src/worker/index.ts')];
  expect(loaded).toContain('src/worker/features/campaigns/operations.ts');
  expect(loaded.filter((file) => /openapi\/|[/-](description|records)\.ts$/.test(file))).toEqual([]);
});
