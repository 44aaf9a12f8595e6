/*
 * The process around workerd: the built Worker with its state on disk, D1 migrated, its cron fired. When workerd
 * dies, this process ends, and the supervisor starts both anew.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare';
import { pino } from 'pino';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';
import { z } from 'zod';
import { applyMigrations } from './d1-migrations.ts';
import { Steward } from './steward.ts';
import { guardWorkerd } from './workerd-guard.ts';

const environment = z
  .object({
    PORT: z.coerce.number().int(),
    GATEWAY_STATE: z.string(),
    GATEWAY_SCRATCH: z.string(),
    WORKER_BUILD: z.string(),
    PROJECT_ROOT: z.string(),
    JWT_PRIVATE_KEY: z.string(),
    WEBHOOK_SEALING_KEY: z.string(),
    BRIDGE_TOKEN: z.string(),
    BOOTSTRAP_TOKEN: z.string(),
    WORKERD_INSPECTOR_PORT: z.string().optional(),
  })
  .parse(process.env);

/** Deployed, the cron runs once a minute; locally its sweeps follow a restart sooner. */
const cronEveryMs = 5000;
const cronFailuresMax = 3;

const logger = pino({ base: undefined, timestamp: pino.stdTimeFunctions.isoTime });

const endGuards = guardWorkerd({
  onStart: (pid) => logger.info({ event: 'gateway.runtime_started', pid }),
  onExit: (died) => {
    logger.error({ event: 'gateway.runtime_died', died });
    void endGuards().then(() => process.exit(1));
  },
});

const { workerOptions } = unstable_getMiniflareWorkerOptions(join(environment.PROJECT_ROOT, 'wrangler.toml'));
const variables = (workerOptions.bindings ?? {}) as Record<string, string>;
/** Variables that a deployment may set and wrangler.toml does not: src/worker/optional-vars.d.ts. */
const optional = [
  'ACCOUNT_RATE_BURST',
  'ACCOUNT_RATE_PER_SECOND',
  'CORS_ORIGINS',
  'MAIL_FROM',
  'OIDC_AUDIENCE',
  'OIDC_ISSUER',
  'PLANS',
  'PUBLIC_URL',
  'QUEUE_GRACE_SECONDS',
  'SIGNUP',
  'SIGN_IN_BURST',
  'SIGN_IN_PER_MINUTE',
  'SMTP_HOST',
  'SMTP_PASSWORD',
  'SMTP_PORT',
  'SMTP_USER',
];
// Each of them, and each variable of wrangler.toml, can be set from outside for a local run.
const overrides = Object.fromEntries(
  [...Object.keys(variables), ...optional].flatMap((name) => {
    const value = process.env[name];
    return value === undefined || value === '' ? [] : [[name, value]];
  }),
);

const steward = new Steward(() => miniflare);
const miniflare = new Miniflare(
  convertV4MiniflareOptions({
    host: '127.0.0.1',
    port: environment.PORT,
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
        rootPath: environment.WORKER_BUILD,
        modulesRoot: environment.WORKER_BUILD,
        modules: [
          {
            type: 'ESModule',
            path: join(environment.WORKER_BUILD, 'index.js'),
            contents: readFileSync(join(environment.WORKER_BUILD, 'index.js'), 'utf8'),
          },
        ],
        bindings: {
          ...variables,
          ...overrides,
          JWT_PRIVATE_KEY: environment.JWT_PRIVATE_KEY,
          WEBHOOK_SEALING_KEY: environment.WEBHOOK_SEALING_KEY,
          BRIDGE_TOKEN: environment.BRIDGE_TOKEN,
          BOOTSTRAP_TOKEN: environment.BOOTSTRAP_TOKEN,
          // Receivers on this machine, which no deployed gateway may call.
          WEBHOOK_TARGETS: 'loopback',
        },
      },
      steward.worker(
        'heliograph',
        workerOptions.d1Databases as Record<string, string>,
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

await miniflare.ready;
const applied = await applyMigrations(steward.database, join(environment.PROJECT_ROOT, 'migrations'));
logger.info({ event: 'gateway.listening', port: environment.PORT, migrationsApplied: applied.length });

let cronFailures = 0;
let cronTimer = setTimeout(runCron, cronEveryMs);

/** The Worker writes JSON lines; what else the runtime says is wrapped into one. */
function writeWorkerLog(level: string, message: string): void {
  if (message.startsWith('{')) process.stdout.write(`${message}\n`);
  else if (level === 'error')
    logger.error({ event: 'gateway.runtime_said', message: message.slice(0, 2000) });
  else logger.info({ event: 'gateway.runtime_said', message: message.slice(0, 2000) });
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
  await endGuards();
  await miniflare.dispose();
  process.exit(0);
}
