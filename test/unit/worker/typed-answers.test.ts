import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/**
 * They answer no customer but our own programs: the session bridge, whose contract is `src/contract/bridge`, and
 * `npm run backup` and `npm run rotate`, which have the same source.
 */
const answersOfOurPrograms = [
  'bridges/connection-operations.ts',
  'service/backup-operations.ts',
  'service/secrets-operations.ts',
];

test('every answer of a route names the schema that documents it: a field that is missing does not compile', () => {
  const untyped = globSync('src/worker/features/**/*.ts')
    .filter((file) => !answersOfOurPrograms.some((name) => file.endsWith(`/${name}`)))
    .flatMap((file) => {
      const lines = readFileSync(file, 'utf8').split('\n');
      return lines.flatMap((line, index) => (line.includes('c.json(') ? `${file}:${index + 1}` : []));
    });
  expect(untyped).toEqual([]);
});
