import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { pino } from 'pino';
import { buildWorker, restoreEntry } from '../local/gateway/worker-build.ts';
import { closeHome, type Home, handBack, isTaken, openHome, requireRoom } from '../local/home/home.ts';
import { writePrivateJson } from '../local/home/private-file.ts';
import { type LocalSecrets, secretsOf } from '../local/home/secrets.ts';
import { LogFile } from '../local/parts/line-log.ts';
import { gatewayPart } from '../local/parts/parts.ts';
import { freePort } from '../local/ports.ts';
import { projectRoot } from '../local/project-root.ts';
import { type LocalSettings, readSettings, StartProblem } from '../local/settings.ts';
import type { HomeCopy } from './manifest.ts';
import { OperatorClient } from './operator-client.ts';
import { BackupProblem } from './problem.ts';
import { runningAt } from './running-gateway.ts';
import { localSecrets } from './secret-names.ts';

/** Where a restored state lies until it is whole. */
const draftName = 'gateway.restoring';

/** A gateway on this machine that answers, and how to leave it. */
export interface OpenGateway {
  client: OperatorClient;
  close(): Promise<void>;
}

/** The gateway of a state folder: the one that runs on it, else one that is started for as long as the copy takes. */
export async function openLocalGateway(): Promise<OpenGateway & { home: HomeCopy; isRunning: boolean }> {
  const settings = readSettings(process.env);
  const { home: path } = settings;
  if (!existsSync(join(path, 'secrets.json')))
    throw new BackupProblem(`There is no gateway in ${path}: HELIOGRAPH_HOME names the state folder.`);
  const secrets = secretsOf(path);
  // A start that was killed has left its address behind, and another gateway may answer there by now.
  const running = isTaken(path) ? await runningAt(path) : null;
  const home = await copyHome(path);
  if (running !== null) {
    const whenUnknown = 'it was replaced since the gateway was started, so restart it';
    const client = new OperatorClient(running, secrets.bootstrapToken, whenUnknown);
    return { client, home, isRunning: true, close: async () => undefined };
  }
  const opened = openHome(path);
  const { client, close } = await startGateway(settings, opened, secrets);
  return { client, home, isRunning: false, close };
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    // What the parser says may quote a key.
    throw new BackupProblem(`The file ${path} is damaged: put it back from a backup, or delete it.`);
  }
}

/** What stands beside the gateway's state; of the simulator, what its numbers are linked to. */
async function copyHome(path: string): Promise<HomeCopy> {
  const account = join(path, 'account.json');
  const simulator: Record<string, string> = {};
  const folder = join(path, 'simulator');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  for (const name of names.filter(
    (it) => statSync(join(folder, it)).isFile() && !/-(wal|shm|journal)$/.test(it),
  ))
    simulator[name] = (await contentOf(join(folder, name))).toString('base64');
  return {
    secrets: readJson(join(path, 'secrets.json')) as HomeCopy['secrets'],
    account: existsSync(account) ? readJson(account) : null,
    simulator,
  };
}

async function contentOf(path: string): Promise<Buffer> {
  if (!path.endsWith('.sqlite')) return readFileSync(path);
  const copy = `${path}.${process.pid}.copy`;
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    await backup(database, copy);
    return readFileSync(copy);
  } finally {
    database.close();
    rmSync(copy, { force: true });
  }
}

async function startGateway(
  settings: LocalSettings,
  home: Home,
  secrets: LocalSecrets,
  entry?: string,
): Promise<OpenGateway> {
  const log = new LogFile(join(home.logs, 'backup.log'));
  const logger = pino({ base: undefined }, log);
  try {
    const { folder } = await buildWorker(projectRoot, entry);
    const port = await freePort();
    const own = { ...settings, host: '127.0.0.1', port, baseUrl: `http://127.0.0.1:${port}`, demo: false };
    const part = gatewayPart({
      ...{ home, settings: own, secrets, logger, projectRoot, buildFolder: folder },
      mailCatcherUrl: '',
      demoReceiverUrl: null,
    });
    const close = async () => {
      await part.stop();
      closeHome();
      log.close();
      handBack(home.path);
    };
    try {
      await Promise.race([part.ready, part.gaveUp]);
    } catch (error) {
      await close();
      throw error;
    }
    return { client: new OperatorClient(own.baseUrl, secrets.bootstrapToken), close };
  } catch (error) {
    closeHome();
    throw error;
  }
}

/**
 * An empty state folder, and a gateway in it that takes what it is given. `keep` makes it the folder's; `drop` leaves everything
 * as it was.
 */
export async function openEmptyHome(
  copy: HomeCopy,
): Promise<{ client: OperatorClient; path: string; keep(): Promise<void>; drop(): Promise<void> }> {
  const settings = readSettings(process.env);
  const { home: path } = settings;
  const isNew = !existsSync(path);
  const there = isNew ? [] : namesIn(path);
  if (there.includes('secrets.json') || there.includes('gateway'))
    throw new BackupProblem(
      `There is a gateway in ${path} already: a backup is restored into an empty folder. Set HELIOGRAPH_HOME, or move that one away.`,
    );
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const undo = () => {
    closeHome();
    // One that was there may be a mount, and belongs to somebody: it stays.
    if (isNew) rmSync(path, { recursive: true, force: true });
    else
      for (const name of readdirSync(path))
        if (!there.includes(name)) rmSync(join(path, name), { recursive: true });
  };
  try {
    const secrets = localSecrets(
      copy.secrets,
      process.env.NETWORK === 'simulator' ? 'simulator' : 'whatsapp',
    );
    const opened = openHome(path);
    requireRoom(path);
    rmSync(opened.gateway, { recursive: true });
    const draft = { ...opened, gateway: join(path, draftName) };
    mkdirSync(draft.gateway, { mode: 0o700 });
    const gateway = await startGateway(settings, draft, secrets, restoreEntry);
    return {
      client: gateway.client,
      path,
      keep: async () => {
        await gateway.close();
        keepSimulator(opened.simulator, copy.simulator);
        if (copy.account) writePrivateJson(join(path, 'account.json'), copy.account);
        writePrivateJson(join(path, 'secrets.json'), secrets);
        renameSync(draft.gateway, opened.gateway);
        handBack(path);
      },
      drop: async () => {
        await gateway.close();
        undo();
      },
    };
  } catch (error) {
    undo();
    throw error instanceof StartProblem ? new BackupProblem(error.message) : error;
  }
}

function namesIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    throw new BackupProblem(
      `HELIOGRAPH_HOME is ${path}, but no state can be kept there: ${(error as Error).message}.`,
    );
  }
}

/** The network of a simulated gateway. One that is there knows better. */
function keepSimulator(folder: string, files: Record<string, string>): void {
  if (existsSync(folder) && readdirSync(folder).length > 0) return;
  for (const [name, base64] of Object.entries(files)) {
    const path = join(folder, name);
    if (dirname(path) === folder) writeFileSync(path, Buffer.from(base64, 'base64'), { mode: 0o600 });
  }
}
