import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { objectKinds } from '../../../src/worker/backup/kept-objects.ts';

const projectRoot = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');

/** What they know is over in minutes. */
const notKept = ['CALLBACK_HOST'];

const bindings = [
  ...read('wrangler.toml').matchAll(
    /^\[\[durable_objects\.bindings\]\]\nname = "(\w+)"\nclass_name = "(\w+)"/gm,
  ),
].map(([, name = '', className = '']) => ({ name, className }));

test('A backup holds the objects of every class, but for those that are named here', () => {
  expect(bindings.length).toBeGreaterThan(8);
  expect([...objectKinds, ...notKept].sort()).toEqual(bindings.map(({ name }) => name).sort());
});

test('The Worker that takes a backup has every class that is bound: without one it could not be deployed', () => {
  const worker = read('src/worker/restore/worker.ts');
  for (const { className } of bindings) expect(worker).toContain(`RestoringObject as ${className},`);
});
