/*
 * The process around workerd: the built Worker with its state on disk, D1 migrated, its cron fired. When workerd
 * dies, Miniflare starts it again. When it does not stay up, this process ends too, and the supervisor starts both anew.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { z } from 'zod';
import { mediaDaysKept } from '../../contract/messages/media.ts';
import { dayMs } from '../../contract/times.ts';
import { freeBytesAt, freeBytesMin } from '../../session-bridge/health/health-server.ts';
import { partsOf } from '../../settings/setting.ts';
import { workerSettingsShape } from '../../settings/worker-settings.ts';
import { listenedAddresses } from '../settings.ts';
import { applyMigrations } from './d1-migrations.ts';
import { openFront } from './front.ts';
import { knownHosts, publicNetwork } from './front-rules.ts';
import { miniflare as library } from './patched-miniflare.ts';
import { Steward } from './steward.ts';
import { optionsName } from './worker-build.ts';
import { guardWorkerd, readRuntimeLine } from './workerd-guard.ts';

const { convertV4MiniflareOptions, Log, LogLevel, Miniflare } = library;

const environment = z
  .object({
    PORT: z.coerce.number().int(),
    HOST: z.string(),
    CLIENT_ADDRESS_HEADER: z.string().optional(),
    GATEWAY_STATE: z.string(),
    GATEWAY_SCRATCH: z.string(),
    WORKER_BUILD: z.string(),
    PROJECT_ROOT: z.string(),
    JWT_PRIVATE_KEY: z.string(),
    WEBHOOK_SEALING_KEY: z.string(),
    KEY_CHECKSUM_SECRET: z.string(),
    KEY_CHECKSUM_SECRET_PREVIOUS: z.string().optional(),
    MEDIA_URL_SECRET: z.string(),
    BRIDGE_ENROLMENT_TOKEN: z.string(),
    BOOTSTRAP_TOKEN: z.string(),
    WORKERD_INSPECTOR_PORT: z.string().optional(),
  })
  .parse(process.env);

/** Deployed, the cron runs once a minute; locally its sweeps follow a restart sooner. */
const cronEveryMs = 5000;
const cronFailuresMax = 3;
const filesSweptEveryMs = 3_600_000;
/** Not while the gateway starts. */
const firstSweepAfterMs = 60_000;
/** A runtime that has lived so long can be started again at once. */
const stayedUpMs = 5000;

const logger = pino({ base: undefined, timestamp: pino.stdTimeFunctions.isoTime });

const endGuards = guardWorkerd({
  onStart: (pid) => logger.info({ event: 'gateway.runtime_started', pid }),
  onExit: (died, livedMs) => {
    logger.error({ event: 'gateway.runtime_died', died, livedMs: Math.round(livedMs) });
    // Miniflare hears of it in this turn: of a first start that failed it says why, and else it begins to restart the runtime
    // on the same ports.
    setImmediate(() => {
      if (livedMs < stayedUpMs) end(died);
      else
        miniflare.ready.then(
          () => logger.warn({ event: 'gateway.runtime_restarted', died }),
          () => end(died),
        );
    });
  },
});

const workerOptions = JSON.parse(readFileSync(join(environment.WORKER_BUILD, optionsName), 'utf8'));
const variables = (workerOptions.bindings ?? {}) as Record<string, string>;
// Each variable of the Worker can be set from outside for a local run.
const overrides = Object.fromEntries(
  [...Object.keys(variables), ...Object.keys(workerSettingsShape)].flatMap((name) => {
    const value = process.env[name];
    return value === undefined || value === '' ? [] : [[name, value]];
  }),
);

/**
 * The supervisor starts this process anew, after a longer wait each time. A runtime that was killed from outside could
 * start, and so can this process: the supervisor sees it killed too.
 */
function end(died: string): void {
  if (died === 'SIGKILL') process.kill(process.pid, 'SIGKILL');
  else process.exit(1);
}

/** The bucket of a binding, which wrangler's options name as text or as an object. */
function bucketName(buckets: unknown, binding: string): string {
  const bucket = (buckets as Record<string, string | { id: string }>)[binding];
  return typeof bucket === 'string' ? bucket : (bucket?.id ?? binding);
}

/** The host that people know the gateway by. */
function zoneOf(publicUrl = ''): string {
  return URL.canParse(publicUrl) ? new URL(publicUrl).hostname : 'localhost';
}

const steward = new Steward(() => miniflare);
const miniflare = new Miniflare(
  convertV4MiniflareOptions({
    // For the front alone.
    host: '127.0.0.1',
    port: 0,
    ...(environment.WORKERD_INSPECTOR_PORT && { inspectorPort: Number(environment.WORKERD_INSPECTOR_PORT) }),
    cf: false,
    log: new Log(LogLevel.NONE),
    resourcePersistencePath: environment.GATEWAY_STATE,
    resourceTmpPath: environment.GATEWAY_SCRATCH,
    handleStructuredLogs: ({ level, message }) => writeWorkerLog(level, message),
    workers: [
      {
        ...workerOptions,
        name: 'heliograph',
        // The runtime adds `CF-Worker` to callbacks, as the platform does: then it says where they come from.
        zone: zoneOf(process.env.PUBLIC_URL),
        rootPath: environment.WORKER_BUILD,
        assets: {
          ...workerOptions.assets,
          directory: join(environment.PROJECT_ROOT, workerOptions.assets.directory),
        },
        modulesRoot: environment.WORKER_BUILD,
        modules: [
          {
            type: 'ESModule',
            path: join(environment.WORKER_BUILD, 'index.js'),
            contents: readFileSync(join(environment.WORKER_BUILD, 'index.js'), 'utf8'),
          },
        ],
        serviceBindings: {
          ...(workerOptions.serviceBindings ?? {}),
          PUBLIC_NETWORK: publicNetwork(partsOf(process.env.WEBHOOK_PRIVATE_HOSTS ?? '')),
        },
        bindings: {
          ...variables,
          ...overrides,
          JWT_PRIVATE_KEY: environment.JWT_PRIVATE_KEY,
          WEBHOOK_SEALING_KEY: environment.WEBHOOK_SEALING_KEY,
          KEY_CHECKSUM_SECRET: environment.KEY_CHECKSUM_SECRET,
          MEDIA_URL_SECRET: environment.MEDIA_URL_SECRET,
          BRIDGE_ENROLMENT_TOKEN: environment.BRIDGE_ENROLMENT_TOKEN,
          BOOTSTRAP_TOKEN: environment.BOOTSTRAP_TOKEN,
        },
      },
      steward.worker(
        'heliograph',
        workerOptions.d1Databases as Record<string, string>,
        bucketName(workerOptions.r2Buckets, 'MEDIA'),
        workerOptions.compatibilityDate as string,
      ),
    ],
  }),
);

// Miniflare's own handlers would end this process before the guards are gone.
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.removeAllListeners(signal);
  process.once(signal, () => void stop());
}

const runtime = await miniflare.ready;
const applied = await applyMigrations(steward.database, join(environment.PROJECT_ROOT, 'migrations'));
const front = await openFront({
  port: environment.PORT,
  hosts: listenedAddresses(environment.HOST),
  runtime,
  addressHeader: environment.CLIENT_ADDRESS_HEADER || undefined,
  isKnownHost: knownHosts({
    publicUrl: process.env.PUBLIC_URL,
    publicHosts: partsOf(process.env.PUBLIC_HOSTS ?? ''),
    listens: listenedAddresses(environment.HOST),
  }),
  isDiskFull: () => freeBytesAt(environment.GATEWAY_STATE) < freeBytesMin,
  checksumSecrets: [environment.KEY_CHECKSUM_SECRET, environment.KEY_CHECKSUM_SECRET_PREVIOUS || []].flat(),
});
logger.info({
  event: 'gateway.listening',
  port: environment.PORT,
  runtimePort: Number(runtime.port),
  migrationsApplied: applied.length,
});

let cronFailures = 0;
let cronTimer = setTimeout(runCron, cronEveryMs);
let sweepTimer = setTimeout(sweepFiles, firstSweepAfterMs);

function writeWorkerLog(level: string, message: string): void {
  const line = readRuntimeLine(level, message);
  if (line.is === 'own') {
    process.stdout.write(`${message}\n`);
    return;
  }
  const { isError, at, characters } = line;
  const entry = { event: 'gateway.runtime_said', at, characters };
  if (isError) logger.error(entry);
  else logger.info(entry);
}

/** The platform's lifecycle rule deletes files by their age (docs/features/media.md); here nobody else does. */
async function sweepFiles(): Promise<void> {
  try {
    const deleted = await steward.sweepFiles(Date.now() - mediaDaysKept * dayMs);
    if (deleted > 0) logger.info({ event: 'gateway.files_swept', deleted });
  } catch (error) {
    logger.error({ event: 'gateway.files_not_swept', message: (error as Error).message });
  }
  sweepTimer = setTimeout(sweepFiles, filesSweptEveryMs);
}

async function runCron(): Promise<void> {
  try {
    // What the handler makes of it is the Worker's matter; that there is an answer is ours.
    await steward.fireCron('* * * * *');
    cronFailures = 0;
  } catch (error) {
    cronFailures += 1;
    logger.error({ event: 'gateway.cron_failed', message: (error as Error).message });
  }
  if (cronFailures >= cronFailuresMax) {
    logger.fatal({ event: 'gateway.unresponsive', cronFailures });
    await endGuards();
    await miniflare.dispose();
    process.exit(1);
  }
  cronTimer = setTimeout(runCron, cronEveryMs);
}

async function stop(): Promise<void> {
  clearTimeout(cronTimer);
  clearTimeout(sweepTimer);
  for (const server of front) {
    server.close();
    server.closeAllConnections();
  }
  await endGuards();
  await miniflare.dispose();
  process.exit(0);
}
