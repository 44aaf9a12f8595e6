import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { problemOfWrangler } from '../../src/deploy/deploy-problem.ts';
import type { Wrangler } from '../../src/deploy/platform/wrangler.ts';
import type { WranglerConfig } from '../../src/deploy/wanted/worker-config.ts';
import { accountId } from './cloudflare-stand-in.ts';

/**
 * Asks the platform what the real wrangler asks it, in the same order, without the second or two that each of its starts takes.
 * That the real one does the same is shown in deploy-by-wrangler.test.ts.
 */
export class QuickWrangler implements Wrangler {
  isSignedIn = true;
  readonly runs: string[] = [];
  readonly #root: string;
  readonly #url: string;

  constructor(root: string, url: string) {
    this.#root = root;
    this.#url = `${url}/accounts/${accountId}`;
  }

  async run(args: readonly string[]): Promise<string> {
    const [command = '', ...rest] = args;
    this.runs.push(args.slice(0, 3).join(' '));
    if (command === 'auth') {
      if (!this.isSignedIn) throw problemOfWrangler('auth token', '[ERROR] Not logged in.');
      return JSON.stringify({ type: 'api_token', token: 'a token' });
    }
    const given = (flag: string) => args[args.indexOf(flag) + 1] ?? '';
    if (args[1] === 'create') await this.#send('POST', '/d1/database', { name: args[2] });
    else if (command === 'd1') await this.#migrate(this.#config(given('--config')));
    else if (args[1] === 'bulk') await this.#putSecrets(given('--name'), args[2] ?? '');
    else if (command === 'deploy')
      await this.#deploy(
        this.#config(given('--config')),
        given('--tag'),
        args.includes('--secrets-file') ? JSON.parse(readFileSync(given('--secrets-file'), 'utf8')) : {},
      );
    else {
      const maxAge = Number(given('--expire-days')) * 86_400;
      const deleteObjectsTransition = { condition: { type: 'Age', maxAge } };
      const rules = [{ id: rest[4], enabled: true, conditions: {}, deleteObjectsTransition }];
      await this.#send('PUT', `/r2/buckets/${args[4]}/lifecycle`, { rules });
    }
    return '';
  }

  async talk(): Promise<boolean> {
    this.isSignedIn = true;
    return true;
  }

  async #putSecrets(name: string, file: string): Promise<void> {
    const values = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string | null>;
    const secrets = Object.fromEntries(
      Object.entries(values).map(([secret, text]) => [
        secret,
        text === null ? null : { name: secret, text, type: 'secret_text' },
      ]),
    );
    await this.#send('PATCH', `/workers/scripts/${name}/secrets-bulk`, { secrets });
  }

  #config(file: string): WranglerConfig {
    return JSON.parse(readFileSync(join(this.#root, file), 'utf8'));
  }

  async #migrate({ d1_databases: [database] }: WranglerConfig): Promise<void> {
    const query = (sql: string) =>
      this.#send('POST', `/d1/database/${database?.database_id}/query`, { sql }) as Promise<
        { results: { name: string }[] }[]
      >;
    await query('CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY, name TEXT UNIQUE)');
    const [applied] = await query('SELECT name FROM d1_migrations');
    const folder = join(this.#root, database?.migrations_dir ?? '');
    for (const file of readdirSync(folder)
      .filter((name) => name.endsWith('.sql'))
      .sort()) {
      if (applied?.results.some(({ name }) => name === file)) continue;
      const sql = readFileSync(join(folder, file), 'utf8');
      await query(`${sql}; INSERT INTO d1_migrations (name) VALUES ('${file}');`);
    }
  }

  async #deploy(config: WranglerConfig, tag: string, secrets: Record<string, string>): Promise<void> {
    const script = `/workers/scripts/${config.name}`;
    const { producers, consumers } = config.queues;
    for (const { queue } of producers) {
      const [found] = (await this.#send('GET', `/queues?name=${queue}`)) as unknown[];
      if (found === undefined) await this.#send('POST', '/queues', { queue_name: queue });
    }
    const { buckets } = (await this.#send('GET', '/r2/buckets')) as { buckets: { name: string }[] };
    for (const { bucket_name: name } of config.r2_buckets)
      if (!buckets.some((bucket) => bucket.name === name)) await this.#send('POST', '/r2/buckets', { name });
    const form = new FormData();
    form.set(
      'metadata',
      JSON.stringify({ bindings: bindingsOf(config, secrets), annotations: { 'workers/tag': tag } }),
    );
    await this.#send('PUT', script, form);
    if (config.workers_dev) await this.#send('POST', `${script}/subdomain`, { enabled: true });
    const crons = config.triggers?.crons ?? [];
    await this.#send(
      'PUT',
      `${script}/schedules`,
      crons.map((cron) => ({ cron })),
    );
    for (const { queue, dead_letter_queue } of consumers) {
      const [found] = (await this.#send('GET', `/queues?name=${queue}`)) as {
        queue_id: string;
        consumers: { consumer_id: string }[];
      }[];
      const [consumer] = found?.consumers ?? [];
      const path = `/queues/${found?.queue_id}/consumers`;
      const body = { script_name: config.name, type: 'worker', dead_letter_queue };
      if (consumer === undefined) await this.#send('POST', path, body);
      else await this.#send('PUT', `${path}/${consumer.consumer_id}`, body);
    }
    const origins = ((config.routes ?? []) as { pattern: string }[]).map(({ pattern }) => ({
      hostname: pattern,
    }));
    if (origins.length > 0) await this.#send('PUT', `${script}/domains/records`, { origins });
  }

  async #send(method: string, path: string, body?: object): Promise<unknown> {
    const isForm = body instanceof FormData;
    const answer = await fetch(`${this.#url}${path}`, {
      method,
      headers: { Authorization: 'Bearer a token', ...(isForm ? {} : { 'Content-Type': 'application/json' }) },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    const { success, errors, result } = (await answer.json()) as {
      success: boolean;
      errors: { code: number; message: string }[];
      result: unknown;
    };
    if (success) return result;
    throw problemOfWrangler(
      'deploy',
      `[ERROR] A request failed.\n ${errors[0]?.message} [code: ${errors[0]?.code}]`,
    );
  }
}

function bindingsOf(config: WranglerConfig, secrets: Record<string, string>): object[] {
  const objects = (config.durable_objects as { bindings: { name: string; class_name: string }[] }).bindings;
  return [
    ...objects.map((it) => ({ type: 'durable_object_namespace', ...it })),
    ...config.queues.producers.map(({ binding, queue }) => ({
      type: 'queue',
      name: binding,
      queue_name: queue,
    })),
    ...config.d1_databases.map((it) => ({ type: 'd1', name: it.binding, id: it.database_id })),
    ...Object.entries(config.vars).map(([name, text]) => ({ type: 'plain_text', name, text })),
    ...Object.entries(secrets).map(([name, text]) => ({ type: 'secret_text', name, text })),
  ];
}
