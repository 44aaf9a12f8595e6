import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { release } from '../../../src/contract/release.ts';

const root = join(import.meta.dirname, '../../..');
const text = (name: string) => readFileSync(join(root, name), 'utf8');

test('every part says the version that the package has', () => {
  expect(JSON.parse(text('package.json')).version).toBe(release);
  expect(JSON.parse(text('package-lock.json')).packages[''].version).toBe(release);
});

test('one release before this one is kept, and the changelog has it', () => {
  const kept = readdirSync(join(root, 'releases'));
  expect(kept).toHaveLength(1);
  const version = kept[0]?.replace('.tar.zst', '') ?? '';
  expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(version).not.toBe(release);
  expect(text('CHANGELOG.md')).toContain(`\n## ${version}`);
});
