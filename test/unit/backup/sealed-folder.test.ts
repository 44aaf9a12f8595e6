import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Manifest } from '../../../src/backup/manifest.ts';
import type { OperatorClient } from '../../../src/backup/operator-client.ts';
import { readWhole, restoreBackup } from '../../../src/backup/restore-backup.ts';
import { BackupReader, BackupWriter } from '../../../src/backup/sealed-folder.ts';
import { secretMarks } from '../../../src/worker/backup/secret-marks.ts';

let root: string;
let key: string;

beforeAll(async () => {
  key = await generateX25519Identity();
});
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'heliograph-backup-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const object = { kind: 'ACCOUNT', name: 'a', accountId: 'a', rows: 1 };
const about = {
  format: 1,
  release: '0.1.0',
  kind: 'local' as const,
  steps: { ACCOUNT: ['1-initial'], DB: ['0000_initial.sql'] },
  marks: { WEBHOOK_SEALING_KEY: '01' },
};

async function made(more: Partial<Manifest> = {}, at = new Date()): Promise<BackupWriter> {
  const writer = new BackupWriter(root, await identityToRecipient(key), at);
  const manifest: Manifest = {
    ...about,
    madeAt: at.toISOString(),
    objects: [{ ...object, ...(await writer.lines('objects/0.age', ['{"do":"begin"}\n'])) }],
    database: await writer.lines('database.age', ['{}']),
    files: [
      {
        ...{ bucket: 'media', key: 'a/1', etag: 'e' },
        ...(await writer.customerFile('f00', async () => Readable.from([Buffer.from('{}\nphoto')]))),
      },
    ],
    home: null,
    ...more,
  };
  await writer.finish(JSON.stringify(manifest));
  return writer;
}

const whole = async (from = root, identity = key) => readWhole(await BackupReader.open(from, identity));

test('A backup is read as it was written, the newest of several, and shows nothing of what is in it', async () => {
  await made({}, new Date('2026-01-01T00:00:00Z'));
  const { path } = await made({}, new Date('2026-01-02T00:00:00Z'));
  const { reader, manifest } = await whole();
  expect(reader.path).toBe(path);
  expect(manifest.objects).toMatchObject([object]);
  const lines: string[] = [];
  for await (const line of reader.lines(manifest.objects[0] ?? { file: '' })) lines.push(line);
  expect(lines).toEqual(['{"do":"begin"}']);
  const all = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const { parentPath, name } of all)
    expect(readFileSync(join(parentPath, name)).includes('photo')).toBe(false);
  // The file is the same in both, and there once.
  expect(readdirSync(join(root, 'files'))).toEqual(['f00.age']);
});

test('A backup that is damaged, incomplete or sealed for another key is refused in one sentence', async () => {
  const { path } = await made();
  await expect(whole(root, await generateX25519Identity())).rejects.toThrow('was sealed for another key');

  const part = join(path, 'objects', '0.age');
  copyFileSync(part, join(root, 'part'));
  truncateSync(part, 150);
  await expect(whole()).rejects.toThrow('is damaged: objects/0.age');
  rmSync(part);
  await expect(whole()).rejects.toThrow('is incomplete: objects/0.age');
  copyFileSync(join(root, 'part'), part);
  await whole();

  const manifest = join(path, 'manifest.age');
  const bytes = readFileSync(manifest);
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 3) ^ 1, bytes.length - 3);
  writeFileSync(manifest, bytes);
  await expect(whole()).rejects.toThrow('is damaged: manifest.age');
  await expect(whole(manifest.replace('manifest', 'database'))).rejects.toThrow(
    'There is no complete backup',
  );
  rmSync(manifest);
  await expect(whole()).rejects.toThrow('There is no complete backup');
});

test('A backup in a form that is newer than this release is refused', async () => {
  await made({ format: 3 });
  await expect(whole()).rejects.toThrow('made by a newer release');
});

test('A full disk leaves nothing that looks like a backup', async () => {
  const writer = new BackupWriter(root, await identityToRecipient(key), new Date());
  const [draft = ''] = readdirSync(root).filter((name) => name.endsWith('.unfinished'));
  symlinkSync('/dev/full', join(root, draft, 'objects', '0.age'));
  await expect(writer.lines('objects/0.age', ['much'])).rejects.toThrow('the disk is full');
  writer.discard();
  expect(readdirSync(root)).toEqual(['files']);
  await expect(whole()).rejects.toThrow('There is no complete backup');
});

test('What was left by a backup that was killed is none', async () => {
  const writer = new BackupWriter(root, await identityToRecipient(key), new Date());
  await writer.lines('manifest.age', ['{}']);
  await expect(whole()).rejects.toThrow('There is no complete backup');
  expect(existsSync(writer.path)).toBe(false);
});

/** A gateway that only says what it is, and fails where it is told to change. */
const target = (said: object) =>
  ({
    json: async (path: string) => {
      if (path !== '/operator/restore') throw new Error(`it was asked to change: ${path}`);
      return { isEmpty: true, steps: about.steps, marks: about.marks, ...said };
    },
  }) as unknown as OperatorClient;

test.for<[string, object, string]>([
  ['has accounts', { isEmpty: false }, 'into an empty one. Nothing was changed'],
  ['is of an older release', { steps: { ...about.steps, ACCOUNT: [] } }, 'made by a newer release (0.1.0)'],
  ['has other secrets', { marks: { WEBHOOK_SEALING_KEY: '02' } }, 'another WEBHOOK_SEALING_KEY'],
])('A gateway that %s is not restored into', async ([, said, why]) => {
  await made();
  await expect(restoreBackup(target(said), await whole(), false, () => {})).rejects.toThrow(why);
});

test('A gateway whose secrets were replaced since takes an older backup, while it accepts those before', async () => {
  await made();
  const [older, newer] = [btoa('0123456789abcdefghijklmnopqrstuv'), btoa('vutsrqponmlkjihgfedcba9876543210')];
  const KEY_CHECKSUM_SECRET = 'any';
  const before = secretMarks({ WEBHOOK_SEALING_KEY: older, KEY_CHECKSUM_SECRET });
  const meanwhile = secretMarks({
    ...{ WEBHOOK_SEALING_KEY: newer, WEBHOOK_SEALING_KEY_PREVIOUS: older },
    KEY_CHECKSUM_SECRET,
  });
  const after = secretMarks({ WEBHOOK_SEALING_KEY: newer, KEY_CHECKSUM_SECRET });
  const restore = async (backup: object, gateway: object) => {
    const found = await whole();
    const manifest = { ...found.manifest, marks: { ...backup } };
    return restoreBackup(target({ marks: gateway }), { ...found, manifest }, false, () => {});
  };
  for (const backup of [before, meanwhile, after])
    await expect(restore(backup, meanwhile)).rejects.toThrow('it was asked to change');
  await expect(restore(before, after)).rejects.toThrow('another WEBHOOK_SEALING_KEY than');
  await expect(restore(meanwhile, after)).rejects.toThrow('another WEBHOOK_SEALING_KEY_PREVIOUS than');
});
