import { z } from 'zod';
import { DeployProblem } from '../deploy-problem.ts';
import { adminSchema, type Deployment } from '../deployment.ts';
import type { Resources } from '../wanted/worker-config.ts';
import type { CloudflareApi } from './cloudflare-api.ts';

const deploymentsSchema = z.object({
  deployments: z.array(z.object({ versions: z.array(z.object({ version_id: z.string() })) })),
});
const versionSchema = z.object({
  annotations: z.record(z.string(), z.unknown()).nullish(),
  resources: z.object({
    bindings: z.array(
      z.object({
        type: z.string(),
        name: z.string(),
        class_name: z.string().optional(),
        text: z.string().optional(),
      }),
    ),
  }),
});

/** The version in force; null where there is no Worker. `vars`: its settings. */
async function readVersion(api: CloudflareApi, script: string) {
  const deployments = await api.read(`${script}/deployments`, deploymentsSchema);
  if (deployments === null) return null;
  const [{ version_id: id } = { version_id: null }] = deployments.deployments[0]?.versions ?? [];
  const version = id === null ? null : await api.read(`${script}/versions/${id}`, versionSchema);
  const bindings = version?.resources.bindings ?? [];
  const tag = version?.annotations?.['workers/tag'];
  return {
    tag: typeof tag === 'string' ? tag : null,
    isOurs: bindings.some(({ class_name }) => class_name === 'PhoneNumber'),
    vars: Object.fromEntries(
      bindings.flatMap(({ type, name, text }) =>
        type === 'plain_text' && text !== undefined ? [[name, text]] : [],
      ),
    ),
  };
}

/** The Worker, with all that hangs on it; null where there is none. Throws `DeployProblem` where it is no Heliograph. */
async function readWorker(api: CloudflareApi, script: string, name: string, takesOver: boolean) {
  const version = await readVersion(api, script);
  if (version === null) return null;
  const [secrets, schedules, subdomain] = await Promise.all([
    api.read(`${script}/secrets`, z.array(z.object({ name: z.string() }))),
    api.read(`${script}/schedules`, z.object({ schedules: z.array(z.object({ cron: z.string() })) })),
    api.read(`${script}/subdomain`, z.object({ enabled: z.boolean() })),
  ]);
  if (!version.isOurs && !takesOver)
    throw new DeployProblem(
      `There is a Worker ${name} in this account that is not Heliograph: choose another name with --name.`,
    );
  return {
    tag: version.tag,
    secrets: new Set((secrets ?? []).map((secret) => secret.name)),
    crons: (schedules?.schedules ?? []).map(({ cron }) => cron),
    isOnWorkersDev: subdomain?.enabled ?? false,
  };
}

/**
 * What a deployment was told, by the settings that its Worker has: for a machine that remembers nothing of it. Null where there is
 * none. `defaults`: the settings of `wrangler.toml`.
 */
export async function recallDeployment(
  api: CloudflareApi,
  accountId: string,
  name: string,
  defaults: Readonly<Record<string, string>>,
): Promise<Pick<Deployment, 'domain' | 'admin' | 'vars'> | null> {
  const version = await readVersion(api, `/accounts/${accountId}/workers/scripts/${name}`);
  if (version === null || !version.isOurs) return null;
  const { PUBLIC_URL, PUBLIC_HOSTS: _, OPERATOR_EMAILS, ...others } = version.vars;
  const url = URL.parse(PUBLIC_URL ?? '');
  if (url === null) return null;
  const admin = adminSchema.safeParse(OPERATOR_EMAILS);
  const vars = Object.entries(others).filter(([setting, value]) => defaults[setting] !== value);
  return {
    domain: url.hostname.endsWith('.workers.dev') ? null : url.hostname,
    admin: admin.success ? admin.data : null,
    vars: {
      ...(OPERATOR_EMAILS !== undefined && !admin.success && { OPERATOR_EMAILS }),
      ...Object.fromEntries(vars),
    },
  };
}

const daySeconds = 86_400;
/** Days after which the platform deletes the files of messages; docs/features/media.md, and the local gateway, say the same. */
export const mediaDays = 30;

/** What is there of a deployment. */
export interface AccountState {
  databaseId: string | null;
  appliedMigrations: ReadonlySet<string>;
  queues: ReadonlySet<string>;
  /** Queues that the Worker consumes. */
  consumed: ReadonlySet<string>;
  buckets: ReadonlySet<string>;
  mediaExpires: boolean;
  secrets: ReadonlySet<string>;
  crons: readonly string[];
  hasAddress: boolean;
  /** Null: there is no Worker. `tag`: which code and settings it has; see fingerprint.ts. */
  worker: { tag: string | null } | null;
}

/**
 * Looks, and changes nothing. `takesWorkerOver`: a Worker of this name that is no Heliograph is to become one: Workers Builds may
 * have put a page of its own there. Throws `DeployProblem` where something of these names is somebody else's.
 */
export async function lookAt(
  api: CloudflareApi,
  { accountId, name, domain }: Deployment,
  resources: Resources,
  takesWorkerOver: boolean,
): Promise<AccountState> {
  const account = `/accounts/${accountId}`;
  const script = `${account}/workers/scripts/${name}`;
  const [database, queues, buckets, mediaExpires, worker, domainOwner] = await Promise.all([
    readDatabase(api, account, resources.database.name),
    readQueues(api, account, name, new Set([...resources.queues, ...resources.consumed])),
    readBuckets(api, account, resources.buckets),
    readExpiry(api, account, resources.mediaBucket),
    readWorker(api, script, name, takesWorkerOver),
    domain === null ? null : readDomainOwner(api, accountId, domain),
  ]);
  if (domainOwner !== null && domainOwner !== name)
    throw new DeployProblem(
      `${domain} leads to the Worker ${domainOwner} of this account: give another --domain, or take it from that Worker first.`,
    );
  return {
    ...database,
    ...queues,
    buckets,
    mediaExpires,
    secrets: worker?.secrets ?? new Set(),
    crons: worker?.crons ?? [],
    hasAddress: domain === null ? (worker?.isOnWorkersDev ?? false) : domainOwner === name,
    worker: worker && { tag: worker.tag },
  };
}

const namedSchema = z.object({ name: z.string() });
const databaseSchema = z.object({ uuid: z.string(), name: z.string() });

/** The database's id by its name. */
export async function databaseIdOf(
  api: CloudflareApi,
  accountId: string,
  name: string,
): Promise<string | null> {
  const path = `/accounts/${accountId}/d1/database?name=${encodeURIComponent(name)}&per_page=100`;
  const found = await api.readAll(path, databaseSchema);
  return found.find((database) => database.name === name)?.uuid ?? null;
}

async function readDatabase(api: CloudflareApi, account: string, name: string) {
  const databaseId = await databaseIdOf(api, account.split('/').at(-1) ?? '', name);
  if (databaseId === null) return { databaseId, appliedMigrations: new Set<string>() };
  const rows = async (sql: string) => {
    const answers = z.array(z.object({ results: z.array(namedSchema) }));
    const path = `${account}/d1/database/${databaseId}/query`;
    const [first] = await api.send('POST', path, { sql }, answers);
    return (first?.results ?? []).map((row) => row.name);
  };
  const tables = await rows(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\'",
  );
  const own = tables.filter((table) => !table.startsWith('sqlite_'));
  if (own.length > 0 && !own.includes('d1_migrations'))
    throw new DeployProblem(
      `There is a D1 database ${name} in this account that is not of Heliograph (its tables: ${own.slice(0, 3).join(', ')}): choose another name with --name.`,
    );
  const applied = own.length === 0 ? [] : await rows('SELECT name FROM d1_migrations');
  return { databaseId, appliedMigrations: new Set(applied) };
}

const queueSchema = z.object({
  queue_name: z.string(),
  consumers: z
    .array(z.object({ script: z.string().optional(), script_name: z.string().optional() }))
    .nullish(),
});

async function readQueues(api: CloudflareApi, account: string, worker: string, names: ReadonlySet<string>) {
  const found = (await api.readAll(`${account}/queues?per_page=100`, queueSchema)).filter(({ queue_name }) =>
    names.has(queue_name),
  );
  const consumers = found.flatMap(({ queue_name, consumers }) =>
    (consumers ?? []).map(({ script, script_name }) => ({ queue: queue_name, by: script ?? script_name })),
  );
  const foreign = consumers.find(({ by }) => by !== undefined && by !== worker);
  if (foreign !== undefined)
    throw new DeployProblem(
      `The queue ${foreign.queue} is consumed by the Worker ${foreign.by} of this account: choose another name with --name.`,
    );
  return {
    queues: new Set(found.map(({ queue_name }) => queue_name)),
    consumed: new Set(consumers.map(({ queue }) => queue)),
  };
}

async function readBuckets(api: CloudflareApi, account: string, names: readonly string[]) {
  const found = await Promise.all(
    names.map((name) => api.read(`${account}/r2/buckets/${name}`, namedSchema)),
  );
  return new Set(found.flatMap((bucket) => bucket?.name ?? []));
}

const lifecycleSchema = z.object({
  rules: z
    .array(
      z.object({
        enabled: z.boolean().default(true),
        conditions: z.object({ prefix: z.string().default('') }).default({ prefix: '' }),
        deleteObjectsTransition: z
          .object({ condition: z.object({ type: z.string(), maxAge: z.number().optional() }) })
          .optional(),
      }),
    )
    .default([]),
});

/** Whether a rule deletes all files after {@link mediaDays} days, or earlier. */
async function readExpiry(api: CloudflareApi, account: string, bucket: string): Promise<boolean> {
  const lifecycle = await api.read(`${account}/r2/buckets/${bucket}/lifecycle`, lifecycleSchema);
  return (lifecycle?.rules ?? []).some(({ enabled, conditions, deleteObjectsTransition }) => {
    const { type, maxAge = Number.POSITIVE_INFINITY } = deleteObjectsTransition?.condition ?? {};
    return enabled && conditions.prefix === '' && type === 'Age' && maxAge <= mediaDays * daySeconds;
  });
}

const domainSchema = z.object({ hostname: z.string(), service: z.string() });

/** The Worker to which the host leads; null for none. Throws `DeployProblem` where its zone is not there. */
async function readDomainOwner(api: CloudflareApi, accountId: string, host: string): Promise<string | null> {
  const found = await api.read(
    `/accounts/${accountId}/workers/domains?hostname=${host}`,
    z.array(domainSchema),
  );
  const own = found?.find(({ hostname }) => hostname === host);
  if (own !== undefined) return own.service;
  const labels = host.split('.');
  for (let from = 0; from < labels.length - 1; from += 1) {
    const zone = labels.slice(from).join('.');
    const zones = await api.read(`/zones?name=${zone}&account.id=${accountId}`, z.array(namedSchema));
    if ((zones ?? []).length > 0) return null;
  }
  throw new DeployProblem(
    `No zone of ${host} is in this account: add the domain in dash.cloudflare.com first, or give --workers-dev.`,
  );
}
