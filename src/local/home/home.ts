import {
  accessSync,
  constants,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { freeBytesAt, freeBytesMin } from '../../session-bridge/health/health-server.ts';
import { StartProblem } from '../settings.ts';
import { writePrivateFile } from './private-file.ts';

/** Larger files are only opened at start, not read through, so that the start stays quick. */
const checkedBytesMax = 64 * 1024 * 1024;

/** Of the state in a home. Rises when what was kept under the one before cannot be used any more. */
const layout = '2';
/** Holds the name of the folder that the state of an earlier layout is on its way to. */
const movingName = 'layout-moving';

/** The folders under `HELIOGRAPH_HOME`. */
export interface Home {
  path: string;
  /** D1 and the objects of the Worker. */
  gateway: string;
  /** Of the first session bridge; those of others lie beside it, see {@link bridgeFolder}. */
  bridge: string;
  simulator: string;
  logs: string;
  /** Emptied at every start. */
  scratch: string;
  localJson: string;
  /** Where the state of an earlier layout lies, which this start has found; null for none. */
  setAsideAt: string | null;
}

/**
 * Makes the state folder and what is in it (owner only), takes it for this process alone until the process ends, and makes sure that
 * every database in it can be opened. Throws {@link StartProblem}.
 */
export function openHome(path: string, bridges = 1): Home {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartProblem(
      `HELIOGRAPH_HOME is ${path}, but no state can be kept there: ${(error as Error).message}.`,
    );
  }
  takeForThisProcess(path);
  const setAsideAt = readyLayout(path);
  const home: Home = {
    path,
    gateway: join(path, 'gateway'),
    bridge: join(path, 'bridge'),
    simulator: join(path, 'simulator'),
    logs: join(path, 'logs'),
    scratch: join(path, 'scratch'),
    localJson: join(path, 'local.json'),
    setAsideAt,
  };
  // Whoever waits for local.json must not find the one of an earlier run.
  rmSync(home.localJson, { force: true });
  rmSync(home.scratch, { recursive: true, force: true });
  try {
    // The folder around them may have been there before, and open to others.
    const bridgeFolders = Array.from({ length: bridges }, (_, index) => bridgeFolder(home, index + 1));
    for (const folder of [home.gateway, ...bridgeFolders, home.simulator, home.logs, home.scratch]) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    }
    for (const folder of [home.gateway, ...bridgeFolders, home.simulator]) checkDatabases(folder);
  } catch (error) {
    if (error instanceof StartProblem) throw error;
    throw new StartProblem(`The state folder ${path} cannot be used: ${(error as Error).message}.`);
  }
  return home;
}

/** The state of the so-manyth session bridge, from 1 on. */
export const bridgeFolder = (home: Home, place: number): string =>
  place === 1 ? home.bridge : `${home.bridge}-${place}`;

let lock: DatabaseSync | null = null;

// An exclusive SQLite lock is the operating system's: it ends with the process, however that ends.
function takeForThisProcess(path: string): void {
  const lockPath = join(path, 'lock.sqlite');
  try {
    lock = new DatabaseSync(lockPath, { timeout: 1500 });
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    const message = (error as Error).message;
    if (message.includes('locked')) {
      throw new StartProblem(
        `Another gateway is running on the state folder ${path}. Stop it, or set HELIOGRAPH_HOME to another folder.`,
      );
    }
    throw damagedDatabase(lockPath, message);
  }
}

const mebibytes = (bytes: number): number => Math.floor(bytes / 1024 / 1024);

/**
 * Throws {@link StartProblem} where the disk of the state folder is as good as full: a gateway is not ready then, and a start
 * would wait for that in vain.
 */
export function requireRoom(path: string, freeBytes = freeBytesAt(path)): void {
  if (freeBytes >= freeBytesMin) return;
  throw new StartProblem(
    `The disk of the state folder ${path} is full: ${mebibytes(freeBytes)} MiB are free, and ${mebibytes(freeBytesMin)} MiB have to be. ` +
      'Make room and start again. Everything that was accepted is still there.',
  );
}

/** Whether a gateway runs on the state folder. */
export function isTaken(path: string): boolean {
  const lockPath = join(path, 'lock.sqlite');
  if (!existsSync(lockPath)) return false;
  const probe = new DatabaseSync(lockPath);
  try {
    probe.exec('BEGIN EXCLUSIVE; ROLLBACK');
    return false;
  } catch {
    return true;
  } finally {
    probe.close();
  }
}

/**
 * What root has made in a state folder of somebody else becomes theirs: the service that runs as them could not open it.
 */
export function handBack(path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(path);
  if (uid === 0) return;
  for (const entry of readdirSync(path, { recursive: true, encoding: 'utf8' })) {
    const file = join(path, entry);
    if (lstatSync(file).uid === 0) lchownSync(file, uid, gid);
  }
}

/** Gives the state folder up. */
export function closeHome(): void {
  lock?.close();
  lock = null;
}

// Written before anything else, so that a home without it either is new or has the state of an older version. Answers where
// that was moved to; null where there was nothing to move.
function readyLayout(path: string): string | null {
  const found = readText(join(path, 'layout'));
  const goingTo = readText(join(path, movingName));
  if (goingTo !== null) return setAside(path, goingTo, found);
  if (found === layout) return null;
  if (found === null && !existsSync(join(path, 'gateway'))) {
    writePrivateFile(join(path, 'layout'), `${layout}\n`);
    return null;
  }
  if (found !== null && !/^\d+$/.test(found))
    throw new StartProblem(
      `The file ${join(path, 'layout')} is damaged. If this release made the state folder, write ${layout} into it; else restore a backup.`,
    );
  if (Number(found ?? 0) > Number(layout)) {
    throw new StartProblem(
      `The state folder ${path} was made by a newer version of Heliograph. Start that version, or set HELIOGRAPH_HOME to another folder.`,
    );
  }
  const when = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  const aside = `layout-${found ?? '1'}-${when}`;
  writePrivateFile(join(path, movingName), `${aside}\n`);
  return setAside(path, aside, found);
}

const readText = (file: string): string | null =>
  existsSync(file) ? readFileSync(file, 'utf8').trim() : null;

/**
 * What an earlier layout holds no release reads any more: it is moved away as a whole, so that nothing of it is lost, and the
 * start goes on with an empty folder. The folder itself may be a mount, and stays. A start that was killed meanwhile is gone on
 * with by the next one, into the same folder. Answers where it is now.
 */
function setAside(path: string, name: string, found: string | null): string {
  const aside = join(path, name);
  if (found !== layout) {
    mkdirSync(aside, { recursive: true, mode: 0o700 });
    for (const entry of readdirSync(path)) {
      // The lock is this process's; what was set aside before stays where it is.
      if (entry.startsWith('lock.sqlite') || entry.startsWith('layout-')) continue;
      renameSync(join(path, entry), join(aside, entry));
    }
    writePrivateFile(join(path, 'layout'), `${layout}\n`);
  }
  rmSync(join(path, movingName));
  return aside;
}

function checkDatabases(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.sqlite')) continue;
    const path = join(entry.parentPath, entry.name);
    let verdict: unknown;
    try {
      const database = new DatabaseSync(path);
      try {
        const pragma = statSync(path).size > checkedBytesMax ? 'schema_version' : 'quick_check(1)';
        const row = database.prepare(`PRAGMA ${pragma}`).get();
        verdict = pragma === 'schema_version' ? 'ok' : Object.values(row ?? {})[0];
      } finally {
        database.close();
      }
    } catch (error) {
      verdict = (error as Error).message;
    }
    if (verdict !== 'ok') throw damagedDatabase(path, String(verdict));
  }
}

function damagedDatabase(path: string, what: string): StartProblem {
  return new StartProblem(
    `The state file ${path} is damaged (${what}). Restore it from a backup, or delete the whole state folder to start afresh.`,
  );
}
