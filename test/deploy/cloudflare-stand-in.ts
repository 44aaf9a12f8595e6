import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';

interface Binding {
  type: string;
  name: string;
  [field: string]: unknown;
}
interface StoredWorker {
  secrets: Map<string, string>;
  versions: { id: string; tag: string | null; bindings: Binding[] }[];
  deployed: string | null;
  migrationTag: string | null;
  crons: string[];
  isOnWorkersDev: boolean;
}
interface StoredQueue {
  id: string;
  name: string;
  consumers: { consumer_id: string; script: string; type: 'worker'; [field: string]: unknown }[];
}
interface Answer {
  status?: number;
  result?: unknown;
  /** Refused: the platform's code and words. */
  error?: { code: number; message: string };
  info?: object;
}

export const accountId = '0123456789abcdef0123456789abcdef';
const gone = (code: number, message: string): Answer => ({ status: 404, error: { code, message } });
const noWorker = gone(10007, 'This Worker does not exist on your account.');
const noBucket = gone(10006, 'The specified bucket does not exist.');

/**
 * Stands in for the API of Cloudflare, as far as a deployment asks it: over HTTP, on loopback, and keeps what it was told. D1 is
 * a SQLite database in memory, so migrations are really applied. What the real API refuses beyond this is not known here.
 */
export class CloudflareStandIn {
  readonly databases: { uuid: string; name: string; sqlite: DatabaseSync }[] = [];
  readonly queues: StoredQueue[] = [];
  readonly buckets = new Map<string, { rules: unknown[] }>();
  readonly workers = new Map<string, StoredWorker>();
  readonly domains: { id: string; hostname: string; service: string }[] = [];
  readonly zones: { id: string; name: string }[] = [{ id: 'zone-1', name: 'example.com' }];
  subdomain: string | null = 'acme';
  /** Every change that was asked for, as `POST /queues`. */
  readonly changes: string[] = [];
  /** Every request that it does not know. */
  readonly unknown: string[] = [];
  /** What to refuse; null for nothing. */
  refuse: (method: string, path: string) => Answer | null = () => null;
  #ids = 0;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<CloudflareStandIn> {
    const server = createServer(async (request, response) => {
      const { status, ...answer } = await standIn.#answer(request);
      const { error = null, result = null, info } = answer;
      response.writeHead(status ?? (error === null ? 200 : 400), { 'Content-Type': 'application/json' });
      const errors = error === null ? [] : [error];
      response.end(
        JSON.stringify({ success: error === null, errors, messages: [], result, result_info: info }),
      );
    });
    const standIn = new CloudflareStandIn(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return standIn;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    for (const { sqlite } of this.databases) sqlite.close();
  }

  /** All that is there, to be compared; ids and times left out. */
  get everything(): object {
    return {
      databases: this.databases.map(({ name, sqlite }) => ({
        name,
        tables: sqlite.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all(),
      })),
      queues: this.queues.map(({ name, consumers }) => ({ name, consumers })),
      buckets: [...this.buckets],
      workers: [...this.workers].map(([name, { secrets, ...worker }]) => ({
        name,
        ...worker,
        secrets: [...secrets],
      })),
      domains: this.domains,
      subdomain: this.subdomain,
    };
  }

  createDatabase(name: string): { uuid: string; name: string } {
    const uuid = `00000000-0000-4000-8000-${String(++this.#ids).padStart(12, '0')}`;
    this.databases.push({ uuid, name, sqlite: new DatabaseSync(':memory:') });
    return { uuid, name };
  }

  createQueue(name: string): StoredQueue {
    const queue = { id: `queue-${++this.#ids}`, name, consumers: [] };
    this.queues.push(queue);
    return queue;
  }

  newId(): string {
    return `id-${++this.#ids}`;
  }

  async #answer(request: IncomingMessage): Promise<Answer> {
    const method = request.method ?? 'GET';
    const url = new URL(request.url ?? '/', 'http://stand-in');
    const body = Buffer.concat(await request.toArray());
    const path = url.pathname.replace(`/accounts/${accountId}`, '') || '/';
    const isQuestion = method === 'GET' || /\/(query|changeset|assets-upload-session)$/.test(path);
    const refused = this.refuse(method, path);
    if (refused !== null) return refused;
    if (!isQuestion) this.changes.push(`${method} ${path}`);
    if (request.headers.authorization === undefined && request.headers['x-auth-key'] === undefined)
      return { status: 401, error: { code: 10000, message: 'Authentication error' } };
    const json = () => JSON.parse(body.toString()) as Record<string, unknown>;
    const answer =
      this.#accountAnswer(method, path, url, json) ??
      this.#databaseAnswer(method, path, url, json) ??
      this.#queueAnswer(method, path, url, json) ??
      this.#bucketAnswer(method, path, json) ??
      (await this.#workerAnswer(method, path, json, request.headers['content-type'] ?? '', body));
    if (answer === null) this.unknown.push(`${method} ${path}`);
    return answer ?? gone(7003, `No route for ${method} ${path}`);
  }

  #accountAnswer(method: string, path: string, url: URL, json: () => Record<string, unknown>): Answer | null {
    if (path === '/accounts') return { result: [{ id: accountId, name: 'Acme' }] };
    if (path === '/user') return { result: { id: 'user', email: 'ada@example.com' } };
    if (path === '/memberships') return { result: [{ id: 'm', account: { id: accountId, name: 'Acme' } }] };
    if (path === '/zones')
      return { result: this.zones.filter(({ name }) => name === url.searchParams.get('name')) };
    if (/^\/zones\/[^/]+\/workers\/routes$/.test(path)) return { result: [] };
    if (path === '/workers/subdomain') {
      if (method === 'PUT') this.subdomain = String(json().subdomain);
      if (this.subdomain === null) return gone(10007, 'There is no workers.dev subdomain.');
      return { result: { subdomain: this.subdomain } };
    }
    if (path === '/workers/domains') {
      const hostname = url.searchParams.get('hostname');
      return { result: this.domains.filter((domain) => hostname === null || domain.hostname === hostname) };
    }
    return null;
  }

  #databaseAnswer(
    method: string,
    path: string,
    url: URL,
    json: () => Record<string, unknown>,
  ): Answer | null {
    if (path === '/d1/database') {
      if (method === 'POST') {
        const name = String(json().name);
        if (this.databases.some((database) => database.name === name))
          return { error: { code: 7502, message: `A database with the name ${name} exists already.` } };
        return { result: this.createDatabase(name) };
      }
      const wanted = url.searchParams.get('name');
      const found = this.databases.filter(({ name }) => wanted === null || name === wanted);
      return { result: found.map(({ uuid, name }) => ({ uuid, name })) };
    }
    const [, id, question] = /^\/d1\/database\/([^/]+)(\/query)?$/.exec(path) ?? [];
    if (id === undefined) return null;
    const database = this.databases.find(({ uuid, name }) => uuid === id || name === id);
    if (database === undefined) return gone(7404, 'The database was not found.');
    if (question === undefined) return { result: { uuid: database.uuid, name: database.name } };
    return this.#query(database.sqlite, json() as { sql: string; params?: string[] });
  }

  #query(sqlite: DatabaseSync, { sql, params = [] }: { sql: string; params?: string[] }): Answer {
    const before = sqlite.prepare('SELECT total_changes() AS n').get()?.n;
    try {
      if (/^\s*(select|pragma)/i.test(sql)) {
        return { result: [{ success: true, results: sqlite.prepare(sql).all(...params), meta: {} }] };
      }
      sqlite.exec(`BEGIN; ${sql.replace(/;?\s*$/, ';')} COMMIT`);
      if (sqlite.prepare('SELECT total_changes() AS n').get()?.n !== before) this.changes.push('D1 rows');
      return { result: [{ success: true, results: [], meta: {} }] };
    } catch (error) {
      if (sqlite.isTransaction) sqlite.exec('ROLLBACK');
      return { error: { code: 7500, message: (error as Error).message } };
    }
  }

  #queueAnswer(method: string, path: string, url: URL, json: () => Record<string, unknown>): Answer | null {
    const shown = ({ id, name, consumers }: StoredQueue) => ({
      queue_id: id,
      queue_name: name,
      consumers,
      producers: [],
    });
    if (path === '/queues') {
      if (method === 'POST') return { result: shown(this.createQueue(String(json().queue_name))) };
      const wanted = url.searchParams.get('name');
      const found = this.queues.filter(({ name }) => wanted === null || name === wanted);
      return { result: found.map(shown), info: { total_pages: 1, total_count: found.length } };
    }
    const [, id, consumerId] = /^\/queues\/([^/]+)\/consumers(?:\/([^/]+))?$/.exec(path) ?? [];
    const queue = this.queues.find((it) => it.id === id);
    if (queue === undefined) return null;
    if (method === 'GET') return { result: queue.consumers };
    const { script_name: script, type: _, ...rest } = json();
    const known = queue.consumers.find((it) => it.consumer_id === consumerId);
    if (known !== undefined) {
      Object.assign(known, rest);
      return { result: known };
    }
    if (queue.consumers.length > 0)
      return { error: { code: 11004, message: `Queue ${queue.name} already has a consumer.` } };
    const consumer = {
      consumer_id: this.newId(),
      script: String(script),
      type: 'worker' as const,
      ...rest,
    };
    queue.consumers.push(consumer);
    return { result: consumer };
  }

  #bucketAnswer(method: string, path: string, json: () => Record<string, unknown>): Answer | null {
    if (path === '/r2/buckets') {
      if (method === 'POST') {
        this.buckets.set(String(json().name), { rules: [] });
        return { result: { name: json().name } };
      }
      return { result: { buckets: [...this.buckets.keys()].map((name) => ({ name })) } };
    }
    const [, name, rules] = /^\/r2\/buckets\/([^/]+)(\/lifecycle)?$/.exec(path) ?? [];
    if (name === undefined) return null;
    const bucket = this.buckets.get(name);
    if (bucket === undefined) return noBucket;
    if (rules === undefined) return { result: { name } };
    if (method === 'PUT') bucket.rules = json().rules as unknown[];
    return { result: { rules: bucket.rules } };
  }

  async #workerAnswer(
    method: string,
    path: string,
    json: () => Record<string, unknown>,
    contentType: string,
    body: Buffer,
  ): Promise<Answer | null> {
    const [, service] = /^\/workers\/services\/([^/]+)$/.exec(path) ?? [];
    if (service !== undefined) return this.#serviceAnswer(service);
    if (path === '/workers/assets/upload') return { status: 201, result: { jwt: 'assets' } };
    const [, name = '', rest = ''] = /^\/workers\/scripts\/([^/]+)(?:\/(.+))?$/.exec(path) ?? [];
    if (name === '') return null;
    if (rest === 'assets-upload-session') return { result: { jwt: 'assets', buckets: [] } };
    if ((rest === '' && method === 'PUT') || (rest === 'versions' && method === 'POST')) {
      const form = await new Response(body, { headers: { 'Content-Type': contentType } }).formData();
      return this.upload(name, JSON.parse(await textOf(form.get('metadata'))), rest === '');
    }
    const worker = this.workers.get(name);
    if (worker === undefined) return noWorker;
    return this.#scriptAnswer(method, name, worker, rest, json);
  }

  #serviceAnswer(name: string): Answer {
    const worker = this.workers.get(name);
    if (worker === undefined) return gone(10090, 'This service does not exist on your account.');
    const script = { id: name, migration_tag: worker.migrationTag, last_deployed_from: 'wrangler' };
    return { result: { id: name, default_environment: { environment: 'production', script } } };
  }

  /** A version of the Worker, in force at once where it `isDeployed`. Secrets that it does not name stay. */
  upload(name: string, metadata: Record<string, unknown>, isDeployed: boolean): Answer {
    const before = this.workers.get(name);
    const known = before?.versions.at(-1)?.bindings ?? [];
    const bindings = (metadata.bindings as Binding[]).map(
      (binding) => (binding.type === 'inherit' && known.find((it) => it.name === binding.name)) || binding,
    );
    for (const { type, name: binding, queue_name: queue, id, database_id: given } of bindings) {
      if (type === 'queue' && !this.queues.some((it) => it.name === queue))
        return { error: { code: 10219, message: `The queue of ${binding} does not exist.` } };
      if (type === 'd1' && !this.databases.some(({ uuid }) => uuid === (id ?? given)))
        return { error: { code: 10021, message: `binding ${binding} of type d1 must have a valid \`id\`` } };
    }
    const { migrations, annotations } = metadata as {
      migrations?: { new_tag?: string };
      annotations?: Record<string, string>;
    };
    const secrets = new Map(before?.secrets);
    for (const { type, name: secret, text } of bindings)
      if (type === 'secret_text' && text !== undefined) secrets.set(secret, String(text));
    const version = { id: this.newId(), tag: annotations?.['workers/tag'] ?? null, bindings };
    this.workers.set(name, {
      deployed: isDeployed ? version.id : (before?.deployed ?? null),
      crons: before?.crons ?? [],
      isOnWorkersDev: before?.isOnWorkersDev ?? false,
      versions: [...(before?.versions ?? []), { ...version, bindings: bindings.map(withoutText) }],
      migrationTag: migrations?.new_tag ?? before?.migrationTag ?? null,
      secrets,
    });
    const id = isDeployed ? name : version.id;
    return {
      result: {
        id,
        deployment_id: version.id,
        startup_time_ms: 1,
        metadata: {},
        resources: { script: { etag: 'etag' } },
      },
    };
  }

  #scriptAnswer(
    method: string,
    name: string,
    worker: StoredWorker,
    rest: string,
    json: () => Record<string, unknown>,
  ): Answer | null {
    const latest = worker.versions.at(-1);
    const secretsShown = () =>
      [...worker.secrets.keys()].map((secret) => ({ name: secret, type: 'secret_text' }));
    if (rest === 'secrets') return { result: secretsShown() };
    if (rest === 'settings') {
      return {
        result: {
          bindings: [...(latest?.bindings ?? []), ...secretsShown()],
          migration_tag: worker.migrationTag,
        },
      };
    }
    if (rest === 'deployments') {
      if (method === 'POST') {
        const [first] = json().versions as { version_id: string }[];
        worker.deployed = first?.version_id ?? null;
      }
      const versions = [{ version_id: worker.deployed, percentage: 100 }];
      if (method === 'POST') return { result: { id: this.newId(), versions } };
      return {
        result: { deployments: [{ id: this.newId(), source: 'wrangler', strategy: 'percentage', versions }] },
      };
    }
    if (rest === 'secrets-bulk') {
      const { secrets } = json() as { secrets: Record<string, { text: string } | null> };
      for (const [secret, value] of Object.entries(secrets)) {
        if (value === null) worker.secrets.delete(secret);
        else worker.secrets.set(secret, value.text);
      }
      return { result: secretsShown() };
    }
    if (rest === 'script-settings') return { result: {} };
    const [, versionId] = /^versions\/([^/]+)$/.exec(rest) ?? [];
    if (versionId !== undefined) {
      const version = worker.versions.find(({ id }) => id === versionId);
      if (version === undefined) return gone(10007, 'This version does not exist.');
      const annotations = version.tag === null ? {} : { 'workers/tag': version.tag };
      return { result: { id: version.id, annotations, resources: { bindings: version.bindings } } };
    }
    if (rest === 'subdomain') {
      if (method === 'POST') worker.isOnWorkersDev = json().enabled === true;
      return { result: { enabled: worker.isOnWorkersDev, previews_enabled: false } };
    }
    if (rest === 'schedules') {
      if (method === 'PUT') worker.crons = (json() as unknown as { cron: string }[]).map(({ cron }) => cron);
      return { result: { schedules: worker.crons.map((cron) => ({ cron })) } };
    }
    if (rest === 'domains/changeset') {
      return { result: { added: [], removed: [], updated: [], conflicting: [] } };
    }
    if (rest === 'domains/records') {
      for (const { hostname } of json().origins as { hostname: string }[]) {
        if (this.domains.some((domain) => domain.hostname === hostname)) continue;
        this.domains.push({ id: this.newId(), hostname, service: name });
      }
      return { result: this.domains };
    }
    return null;
  }
}

const withoutText = (binding: Binding): Binding =>
  binding.type === 'secret_text' ? { type: binding.type, name: binding.name } : binding;

async function textOf(part: string | Blob | null): Promise<string> {
  return typeof part === 'string' ? part : ((await part?.text()) ?? '');
}
