import { join } from 'node:path';
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';
import { applyMigrations, type MigratableDatabase } from '../../src/local/gateway/d1-migrations.ts';
import { buildWorker } from '../../src/local/gateway/worker-build.ts';
import { guardWorkerd } from '../../src/local/gateway/workerd-guard.ts';
import type { Home } from '../../src/local/home/home.ts';
import type { LocalSecrets } from '../../src/local/home/secrets.ts';
import { projectRoot } from './bench-home.ts';
import { type Around, esModule, gatewayModules, workerAloneModules } from './worker-modules.ts';

export interface Neighbour {
  contents: string;
  objects: Record<string, { className: string; useSQLite: true }>;
}

export interface EdgeOptions {
  home: Home;
  secrets: LocalSecrets;
  /** Variables that differ from `wrangler.toml`. */
  variables?: Record<string, string>;
  around?: Around | null;
  /** The ready module of a second Worker in the same workerd, and its object classes by binding. */
  neighbour?: Neighbour;
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
  stop(): Promise<void>;
}

/** Builds the Worker where it is not built yet, and starts it with D1 migrated. */
export async function startEdge(options: EdgeOptions): Promise<Edge> {
  const { home, secrets, variables = {}, around = null, neighbour } = options;
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
  const bindings = {
    ...(workerOptions.bindings as Record<string, string>),
    ...variables,
    JWT_PRIVATE_KEY: JSON.stringify(secrets.jwtPrivateKey),
    WEBHOOK_SEALING_KEY: secrets.webhookSealingKey,
    KEY_CHECKSUM_SECRET: secrets.keyChecksumSecret,
    MEDIA_URL_SECRET: secrets.mediaUrlSecret,
    BRIDGE_ENROLMENT_TOKEN: secrets.bridgeToken,
    BOOTSTRAP_TOKEN: secrets.bootstrapToken,
    WEBHOOK_TARGETS: 'loopback',
    // One simulated bridge stands for many.
    BRIDGE_CAPACITY_MAX: '100000',
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
          modules: gatewayModules(folder, around, objectClasses(workerOptions)),
          bindings,
        },
        ...(neighbour
          ? [
              {
                ...socket,
                name: 'neighbour',
                compatibilityDate: workerOptions.compatibilityDate as string,
                durableObjects: neighbour.objects,
                modules: [esModule('neighbour.js', neighbour.contents)],
              },
              {
                ...socket,
                name: 'worker-alone',
                compatibilityDate: workerOptions.compatibilityDate as string,
                modulesRoot: folder,
                modules: workerAloneModules(folder),
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
    stop: async () => {
      await endGuards();
      await miniflare.dispose();
    },
  };
}

function objectClasses(workerOptions: Record<string, unknown>): string[] {
  const bindings = workerOptions.durableObjects as Record<string, { className: string } | string>;
  return Object.values(bindings).map((it) => (typeof it === 'string' ? it : it.className));
}
