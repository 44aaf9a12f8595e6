import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { closeHome, handBack, isTaken, openHome, requireRoom } from '../../../src/local/home/home.ts';
import { writePrivateFile } from '../../../src/local/home/private-file.ts';
import { LogFile } from '../../../src/local/parts/line-log.ts';
import { credentialRows, curlLine } from '../../../src/local/ready-text.ts';

const folders: string[] = [];
function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'heliograph-home-'));
  folders.push(path);
  return path;
}
afterEach(() => {
  closeHome();
  for (const path of folders.splice(0)) rmSync(path, { recursive: true });
});

test.for([null, '1'])(
  'the state of layout %s is moved away as a whole, and nothing of it is lost',
  (layout) => {
    const path = folder();
    mkdirSync(join(path, 'gateway'));
    const kept = { 'gateway/d1.sqlite': 'what an older version has kept', 'secrets.json': '{}' };
    for (const [name, text] of Object.entries(kept)) writeFileSync(join(path, name), text);
    if (layout !== null) writeFileSync(join(path, 'layout'), `${layout}\n`);
    const { setAsideAt } = openHome(path);
    if (setAsideAt === null) throw new Error('nothing was moved');
    for (const [name, text] of Object.entries(kept)) {
      expect(readFileSync(join(setAsideAt, name), 'utf8')).toBe(text);
    }
    expect(readdirSync(join(path, 'gateway'))).toEqual([]);
    closeHome();
    expect(openHome(path).setAsideAt).toBeNull();
    expect(readdirSync(path).filter((name) => name.startsWith('layout-'))).toHaveLength(1);
  },
);

test.for([
  { when: 'before anything was moved', moved: [] },
  { when: 'when the layout had gone and the state had not', moved: ['layout'] },
  { when: 'when the state had gone and the layout had not', moved: ['gateway', 'secrets.json'] },
  { when: 'when all had gone', moved: ['gateway', 'layout', 'secrets.json'] },
  {
    when: 'when it was told and not yet begun anew',
    moved: ['gateway', 'layout', 'secrets.json'],
    layout: '2',
  },
])('a start that was killed $when is gone on with by the next, into the same folder', ({ moved, layout }) => {
  const path = folder();
  const aside = join(path, 'layout-1-2026-11-26T10-00-00');
  writeFileSync(join(path, 'layout-moving'), 'layout-1-2026-11-26T10-00-00\n');
  for (const at of [path, aside]) mkdirSync(at, { recursive: true });
  const at = (name: string) => join(moved.some((entry) => name.startsWith(entry)) ? aside : path, name);
  mkdirSync(at('gateway'));
  const kept = { 'gateway/d1.sqlite': 'what was kept', 'secrets.json': '{}', layout: '1\n' };
  for (const [name, text] of Object.entries(kept)) writeFileSync(at(name), text);
  if (layout !== undefined) writeFileSync(join(path, 'layout'), `${layout}\n`);
  expect(openHome(path).setAsideAt).toBe(aside);
  for (const [name, text] of Object.entries(kept)) expect(readFileSync(join(aside, name), 'utf8')).toBe(text);
  expect(readdirSync(join(path, 'gateway'))).toEqual([]);
  closeHome();
  expect(openHome(path).setAsideAt).toBeNull();
  expect(readdirSync(path).filter((name) => name.startsWith('layout-'))).toHaveLength(1);
});

test('a state folder is taken while a gateway runs on it, whatever address an earlier one has left there', () => {
  const path = folder();
  expect(isTaken(path)).toBe(false);
  openHome(path);
  expect(isTaken(path)).toBe(true);
  closeHome();
  writeFileSync(join(path, 'local.json'), '{"baseUrl":"http://127.0.0.1:1"}');
  expect(isTaken(path)).toBe(false);
});

test('a start on a disk that is as good as full says which folder has no room', () => {
  const path = folder();
  expect(() => requireRoom(path, 31 * 1024 * 1024)).toThrow(
    `The disk of the state folder ${path} is full: 31 MiB are free, and 32 MiB have to be.`,
  );
  requireRoom(path, 32 * 1024 * 1024);
});

test.runIf(process.getuid?.() === 0)(
  'what root makes in the state folder of a service is of the user that the service runs as',
  () => {
    const path = folder();
    const ownerOf = (name: string) => statSync(join(path, name)).uid;
    const somebody = 65_534;
    writeFileSync(join(path, 'secrets.json'), '{}');
    chownSync(join(path, 'secrets.json'), somebody, somebody);
    writePrivateFile(join(path, 'secrets.json'), '{ }');
    expect(ownerOf('secrets.json')).toBe(somebody);
    openHome(path);
    closeHome();
    handBack(path);
    expect(ownerOf('gateway')).toBe(0);
    chownSync(path, somebody, somebody);
    handBack(path);
    expect(['gateway', 'lock.sqlite', 'layout', 'logs'].map(ownerOf)).toEqual(Array(4).fill(somebody));
  },
);

test('the state of a newer version is left as it is, and nobody is asked to delete it', () => {
  const path = folder();
  writeFileSync(join(path, 'layout'), '99\n');
  expect(() => openHome(path)).toThrow('was made by a newer version of Heliograph. Start that version');
  expect(() => openHome(path)).not.toThrow('delete');
  expect(readFileSync(join(path, 'layout'), 'utf8')).toBe('99\n');
});

test.for(['', 'x', '2 2'])('state whose layout is damaged to "%s" stays where it is', (damaged) => {
  const path = folder();
  openHome(path);
  closeHome();
  writeFileSync(join(path, 'layout'), damaged);
  expect(() => openHome(path)).toThrow(/layout is damaged/);
  expect(readdirSync(path)).toContain('gateway');
  expect(readdirSync(path).filter((name) => name.startsWith('layout-'))).toEqual([]);
});

test('a log goes on where the run before has ended, and stays within its bound over all runs', () => {
  const path = join(folder(), 'part.log');
  const line = `${'x'.repeat(1023)}\n`;
  for (let run = 0; run < 3; run += 1) {
    const log = new LogFile(path);
    log.write(`run ${run}\n`);
    for (let written = 0; written < 10 * 1024; written += 1) log.write(line);
    log.close();
  }
  const [current, before] = [readFileSync(path, 'utf8'), readFileSync(`${path}.1`, 'utf8')];
  expect(before.startsWith('run 0')).toBe(true);
  expect(before + current).toMatch(/run 1\n[\s\S]*run 2\n/);
  for (const text of [current, before]) expect(text.length).toBeLessThanOrEqual(16 * 1024 * 1024);
});

const facts = {
  baseUrl: 'http://127.0.0.1:8787',
  admin: { email: 'admin@heliograph.local', password: 'the-password' },
  apiKey: 'sk_live_the-key',
  localJson: "/home/o'hara/local.json",
  isLocked: false,
  demo: true,
  phoneNumber: null,
};

test('secrets are shown once, to a person; else it says where they lie', () => {
  const shown = (more: object) =>
    [
      ...credentialRows({ ...facts, showsSecrets: false, ...more }).flat(),
      curlLine({ ...facts, showsSecrets: false, ...more }),
    ].join(' ');
  const once = shown({ showsSecrets: true });
  for (const secret of ['the-password', 'sk_live_the-key']) {
    expect(once).toContain(secret);
    expect(shown({})).not.toContain(secret);
  }
  expect(shown({})).toContain(`see ${facts.localJson}`);
  expect(shown({})).toContain("'/home/o'\\''hara/local.json'");
  expect(shown({ isLocked: true })).toContain('with your own password');
  expect(curlLine({ ...facts, showsSecrets: true, apiKey: null })).toBeNull();
});
