import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fetchKept } from '../../../src/backup/make-backup.ts';
import type { OperatorClient } from '../../../src/backup/operator-client.ts';
import { readWhole, restoreBackup } from '../../../src/backup/restore-backup.ts';
import { BackupReader, BackupWriter } from '../../../src/backup/sealed-folder.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'heliograph-backup-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const name = '2030-01-01T03-01-00';

/** A backup in the form that a gateway makes by itself: an object in several files. Answers its key. */
async function make(): Promise<string> {
  const key = await generateX25519Identity();
  const writer = new BackupWriter(
    join(root, 'gateway'),
    await identityToRecipient(key),
    new Date(`2030-01-01T03:01:00Z`),
  );
  const pieces = [
    await writer.lines('objects/0-0.age', ['{"do":"begin"}\n', '{"do":"rows"}\n']),
    await writer.lines('objects/0-1.age', ['{"do":"finish"}\n']),
  ];
  const [first] = pieces;
  const manifest = {
    ...{ format: 2, release: '0.1.0', kind: 'deployment', madeAt: new Date().toISOString() },
    steps: {},
    marks: {},
    objects: [{ kind: 'REQUEST_LOG', name: 'a', accountId: 'a', rows: 1, ...first, pieces }],
    database: await writer.lines('database.age', ['{}']),
    ...{ files: [], home: null },
  };
  await writer.finish(JSON.stringify(manifest));
  return key;
}

/** The operator's routes of a gateway that has that backup. */
const gateway = (more: { file: string; key: string }[] = []) => {
  const folder = join(root, 'gateway', name);
  const files = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith('.age'))
    .map((file) => ({ file, key: `backups/${name}/${file}` }));
  return {
    json: async (path: string) =>
      path === '/operator/backup/kept' ? { backups: [name] } : { files: [...files, ...more], cursor: null },
    file: async (path: string) => ({
      about: '',
      body: Readable.from([readFileSync(join(folder, path.split(`${name}/`)[1] ?? ''))]),
    }),
  } as unknown as OperatorClient;
};

test('a backup that the gateway has made by itself is fetched as a whole, and restored from all its files', async () => {
  const key = await make();
  const to = join(root, 'fetched');
  mkdirSync(to);
  expect(await fetchKept(gateway(), to)).toBe(join(to, name));
  expect(readdirSync(to)).toEqual([name]);
  const whole = await readWhole(await BackupReader.open(to, key));
  const steps: unknown[] = [];
  const target = {
    json: async (path: string, body?: { steps?: { do: string }[] }) => {
      if (path === '/operator/restore') return { isEmpty: true, steps: {}, marks: {} };
      if (path === '/operator/restore/objects') steps.push(...(body?.steps ?? []).map((step) => step.do));
      return { answers: [] };
    },
  } as unknown as OperatorClient;
  await restoreBackup(target, whole, false, () => {});
  expect(steps.slice(0, 3)).toEqual(['begin', 'rows', 'finish']);
  await expect(fetchKept(gateway(), to)).rejects.toThrow('is here already');
  // Each of its files is looked at before anything is changed.
  writeFileSync(join(to, name, 'objects/0-1.age'), 'something else');
  await expect(readWhole(await BackupReader.open(to, key))).rejects.toThrow(
    'objects/0-1.age is not as it was written',
  );
});

test('a gateway that names a file elsewhere writes nothing there', async () => {
  await make();
  const to = join(root, 'fetched');
  const outside = join(root, 'outside.age');
  const more = [{ file: '../../outside.age', key: `backups/${name}/manifest.age` }];
  await expect(fetchKept(gateway(more), to)).rejects.toThrow('none of a backup');
  expect(existsSync(outside)).toBe(false);
  expect(existsSync(join(to, name))).toBe(false);
});
