import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openEmptyHome, openLocalGateway } from '../../src/backup/local-home.ts';
import { loadOrMakeSecrets } from '../../src/local/home/secrets.ts';

let root: string;
let home: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'heliograph-home-'));
  home = join(root, 'state');
  vi.stubEnv('HELIOGRAPH_HOME', home);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true });
});

const restore = () => openEmptyHome({ secrets: {}, account: null, simulator: {} });
const failure = async (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => new Error('none'),
    (it) => it,
  );

test('a restore that fails leaves an empty folder that was there, as a mount is, and takes one that it has made', async () => {
  expect((await failure(restore())).message).toContain('secrets of the deployment are missing');
  expect(readdirSync(root)).toEqual([]);
  mkdirSync(home);
  const { ino } = statSync(home);
  expect((await failure(restore())).message).toContain('secrets of the deployment are missing');
  expect(readdirSync(home)).toEqual([]);
  expect(statSync(home).ino).toBe(ino);
});

test('a restore into something that is no folder says so in a sentence', async () => {
  writeFileSync(home, '');
  expect((await failure(restore())).message).toMatch(
    /^HELIOGRAPH_HOME is .*, but no state can be kept there/,
  );
});

test('a backup of a state folder whose files are damaged names the file, and quotes nothing of it', async () => {
  mkdirSync(home);
  writeFileSync(join(home, 'secrets.json'), '{"bootstrapToken": top-secret}');
  const said = await failure(openLocalGateway());
  expect(said.message).toContain('secrets.json is damaged: it is not valid JSON');
  expect(said.stack).not.toContain('top-secret');
  rmSync(join(home, 'secrets.json'));
  loadOrMakeSecrets(home, 'whatsapp');
  writeFileSync(join(home, 'account.json'), '{"apiKey": top-secret}');
  const next = await failure(openLocalGateway());
  expect(next.message).toContain('account.json is damaged');
  expect(next.stack).not.toContain('top-secret');
});
