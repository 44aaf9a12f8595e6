import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { release } from '../../../src/contract/release.ts';

const root = join(import.meta.dirname, '../../..');
const text = (name: string) => readFileSync(join(root, name), 'utf8');

test('every part says the version that the package has', () => {
  expect(JSON.parse(text('package.json')).version).toBe(release);
  expect(JSON.parse(text('package-lock.json')).packages[''].version).toBe(release);
});
