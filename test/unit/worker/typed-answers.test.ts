import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** They answer the session bridge, which is no customer: its contract is `src/contract/bridge`. */
const answersOfTheBridge = ['bridge-files.ts', 'bridges.ts'];

test('every answer of a route names the schema that documents it: a field that is missing does not compile', () => {
  const untyped = globSync('src/worker/routes/**/*.ts')
    .filter((file) => !answersOfTheBridge.some((name) => file.endsWith(`/service/${name}`)))
    .flatMap((file) => {
      const lines = readFileSync(file, 'utf8').split('\n');
      return lines.flatMap((line, index) => (line.includes('c.json(') ? `${file}:${index + 1}` : []));
    });
  expect(untyped).toEqual([]);
});
