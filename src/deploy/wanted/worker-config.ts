import { createHash } from 'node:crypto';
import type { Deployment } from '../deployment.ts';

interface Queue {
  queue: string;
  dead_letter_queue?: string;
}
/** What is read of `wrangler.toml`; all else goes through as it is. */
export interface WranglerConfig {
  name: string;
  vars: Record<string, string>;
  secrets: { required: string[] };
  d1_databases: { binding: string; database_name: string; database_id?: string; migrations_dir: string }[];
  r2_buckets: { binding: string; bucket_name: string }[];
  queues: { producers: (Queue & { binding: string })[]; consumers: Queue[] };
  ratelimits?: { namespace_id: string }[];
  vectorize?: { index_name: string }[];
  triggers?: { crons?: string[] };
  [key: string]: unknown;
}

/**
 * The configuration of one deployment: `wrangler.toml` with its own names, its address and its settings. Where its name is that
 * of the file, all names are as they stand there.
 */
export function configOf(base: WranglerConfig, deployment: Deployment, url: string): WranglerConfig {
  const { name, accountId, domain, admin, vars } = deployment;
  const isItself = name === base.name;
  const own = (text: string) => {
    if (isItself) return text;
    return text === base.name || text.startsWith(`${base.name}-`)
      ? `${name}${text.slice(base.name.length)}`
      : `${name}-${text}`;
  };
  const ownQueue = <Named extends Queue>(it: Named): Named => ({
    ...it,
    queue: own(it.queue),
    ...(it.dead_letter_queue !== undefined && { dead_letter_queue: own(it.dead_letter_queue) }),
  });
  return {
    ...base,
    name,
    account_id: accountId,
    workers_dev: domain === null,
    ...(domain !== null && { routes: [{ pattern: domain, custom_domain: true }] }),
    vars: {
      ...base.vars,
      PUBLIC_URL: url,
      PUBLIC_HOSTS: new URL(url).hostname,
      ...(admin !== null && { OPERATOR_EMAILS: admin }),
      ...vars,
    },
    d1_databases: base.d1_databases.map((it) => ({ ...it, database_name: own(it.database_name) })),
    r2_buckets: base.r2_buckets.map((it) => ({ ...it, bucket_name: own(it.bucket_name) })),
    queues: {
      producers: base.queues.producers.map(ownQueue),
      consumers: base.queues.consumers.map(ownQueue),
    },
    // Counters of one id are shared by all Workers of an account.
    ...(base.ratelimits && {
      ratelimits: base.ratelimits.map((it) =>
        isItself ? it : { ...it, namespace_id: ownNumber(`${name} ${it.namespace_id}`) },
      ),
    }),
    ...(base.vectorize && {
      vectorize: base.vectorize.map((it) => ({ ...it, index_name: own(it.index_name) })),
    }),
  };
}

const ownNumber = (text: string): string =>
  String(10_000 + (createHash('sha256').update(text).digest().readUInt32BE() % 1_000_000_000));

/** With the database's id, which only the platform knows. */
export const withDatabase = (config: WranglerConfig, databaseId: string): WranglerConfig => ({
  ...config,
  d1_databases: config.d1_databases.map((it) => ({ ...it, database_id: databaseId })),
});

/** The names of what a deployment has in its account. */
export function resourcesOf(config: WranglerConfig) {
  const [database] = config.d1_databases;
  const media = config.r2_buckets.find(({ binding }) => binding === 'MEDIA');
  if (database === undefined || media === undefined)
    throw new Error('wrangler.toml has no database, or no bucket MEDIA.');
  return {
    database: {
      name: database.database_name,
      migrationsFolder: database.migrations_dir,
      binding: database.binding,
    },
    queues: config.queues.producers.map(({ queue }) => queue),
    consumed: config.queues.consumers.map(({ queue }) => queue),
    buckets: config.r2_buckets.map(({ bucket_name }) => bucket_name),
    mediaBucket: media.bucket_name,
    crons: config.triggers?.crons ?? [],
    secrets: config.secrets.required,
  };
}
export type Resources = ReturnType<typeof resourcesOf>;
