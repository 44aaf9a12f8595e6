import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';
import { applyMigrations, type MigratableDatabase } from '../../src/local/d1-migrations.ts';
import type { Home } from '../../src/local/home.ts';
import type { LocalSecrets } from '../../src/local/secrets.ts';
import { buildWorker } from '../../src/local/worker-build.ts';
import { guardWorkerd } from '../../src/local/workerd-guard.ts';
import { projectRoot } from './bench-home.ts';

export interface Neighbour {
  contents: string;
  objects: Record<string, { className: string; useSQLite: true }>;
}

export interface EdgeOptions {
  home: Home;
  secrets: LocalSecrets;
  /** Variables that differ from `wrangler.toml`. */
  variables?: Record<string, string>;
  /** Puts `bench/meter/` around the Worker: what it does is counted. */
  metered?: boolean;
  /** The ready module of a second Worker in the same workerd, and its object classes by binding. */
  neighbour?: Neighbour;
}

interface QueueProducer {
  send(body: unknown): Promise<unknown>;
}

/** The built Worker in workerd, as `npm start` runs it, on a port of its own. */
export interface Edge {
  /** A socket of the Worker itself, without Miniflare's routing in front. */
  url: string;
  /** The same of the neighbour, and of the Worker without its objects (`bench/neighbour/`); empty without a neighbour. */
  neighbourUrl: string;
  workerAloneUrl: string;
  port: number;
  /** Process id of workerd. */
  workerdPid: number;
  database: MigratableDatabase;
  queue(binding: string): Promise<QueueProducer>;
  stop(): Promise<void>;
}

const meterFolder = dirname(fileURLToPath(new URL('../meter/metered-worker.ts', import.meta.url)));
const workerAloneSource = fileURLToPath(new URL('../neighbour/worker-alone.ts', import.meta.url));

/** Builds the Worker where it is not built yet, and starts it with D1 migrated. */
export async function startEdge(options: EdgeOptions): Promise<Edge> {
  const { home, secrets, variables = {}, metered = false, neighbour } = options;
  const { folder } = await buildWorker(projectRoot);
  let workerdPid = 0;
  const endGuards = guardWorkerd({
    onStart: (pid) => {
      workerdPid = pid;
    },
    onExit: (died) => {
      console.error(`workerd ended under the bench: ${died}`);
      process.exit(1);
    },
  });
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(projectRoot, 'wrangler.toml'));
  const product = {
    path: join(folder, 'index.js'),
    contents: readFileSync(join(folder, 'index.js'), 'utf8'),
  };
  const bindings = {
    ...(workerOptions.bindings as Record<string, string>),
    ...variables,
    JWT_PRIVATE_KEY: JSON.stringify(secrets.jwtPrivateKey),
    WEBHOOK_SEALING_KEY: secrets.webhookSealingKey,
    BRIDGE_TOKEN: secrets.bridgeToken,
    BOOTSTRAP_TOKEN: secrets.bootstrapToken,
    WEBHOOK_TARGETS: 'loopback',
  };
  const socket = { unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }] };
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: '127.0.0.1',
      port: 0,
      cf: false,
      log: new Log(LogLevel.NONE),
      // The lines are written and read, as in a real run, and then dropped.
      handleStructuredLogs: () => undefined,
      resourcePersistencePath: home.gateway,
      resourceTmpPath: home.scratch,
      workers: [
        {
          ...workerOptions,
          // The platform's router of static files would stand in front of the Worker, and not in front of its neighbour.
          assets: undefined,
          ...socket,
          name: 'heliograph',
          rootPath: folder,
          modulesRoot: folder,
          modules: modules([
            ...(metered ? meterModules(folder, exportedClasses(workerOptions)) : []),
            product,
          ]),
          bindings,
        },
        ...(neighbour
          ? [
              {
                ...socket,
                name: 'neighbour',
                compatibilityDate: workerOptions.compatibilityDate as string,
                durableObjects: neighbour.objects,
                modules: modules([{ path: 'neighbour.js', contents: neighbour.contents }]),
              },
              {
                ...socket,
                name: 'worker-alone',
                compatibilityDate: workerOptions.compatibilityDate as string,
                modulesRoot: folder,
                modules: modules([...workerAloneModules(folder), product]),
                bindings,
              },
            ]
          : []),
      ],
    }),
  );
  await miniflare.ready;
  const database = (await miniflare.getD1Database('DB')) as unknown as MigratableDatabase;
  await applyMigrations(database, join(projectRoot, 'migrations'));
  const url = await miniflare.unsafeGetDirectURL('heliograph');
  const originOf = async (name: string) =>
    neighbour ? (await miniflare.unsafeGetDirectURL(name)).origin : '';
  return {
    url: url.origin,
    neighbourUrl: await originOf('neighbour'),
    workerAloneUrl: await originOf('worker-alone'),
    port: Number(url.port),
    workerdPid,
    database,
    queue: async (binding) => (await miniflare.getQueueProducer(binding)) as unknown as QueueProducer,
    stop: async () => {
      await endGuards();
      await miniflare.dispose();
    },
  };
}

/** The names of the classes that the Worker exports: its objects, and what these call past the queue. */
function exportedClasses(workerOptions: Record<string, unknown>): string[] {
  const bindings = workerOptions.durableObjects as Record<string, { className: string } | string>;
  const objects = Object.values(bindings).map((it) => (typeof it === 'string' ? it : it.className));
  return [...objects, 'EventsAtOnce'];
}

interface Source {
  path: string;
  contents: string;
}

const modules = (sources: readonly Source[]) =>
  sources.map((source) => ({ type: 'ESModule' as const, ...source }));

const stripped = (path: string): string => stripTypeScriptTypes(readFileSync(path, 'utf8'));

/** The Worker without its objects, entry first. */
function workerAloneModules(folder: string): Source[] {
  const entry = [
    "import * as product from './index.js';",
    "import { workerAlone } from './worker-alone.ts';",
    'export default workerAlone(product);',
  ].join('\n');
  return [
    { path: join(folder, 'worker-alone-entry.js'), contents: entry },
    { path: join(folder, 'worker-alone.ts'), contents: stripped(workerAloneSource) },
  ];
}

/** The meter, entry first: the same Worker, its classes and its handlers wrapped. */
function meterModules(folder: string, classes: readonly string[]): Source[] {
  const entry = [
    "import * as product from './index.js';",
    "import { meteredWorker } from './metered-worker.ts';",
    'const metered = meteredWorker(product);',
    'export default metered.handler;',
    ...classes.map((name) => `export const ${name} = metered.classes.${name};`),
  ].join('\n');
  const sources = readdirSync(meterFolder).map((name) => ({
    path: join(folder, name),
    contents: stripped(join(meterFolder, name)),
  }));
  return [{ path: join(folder, 'metered-entry.js'), contents: entry }, ...sources];
}
