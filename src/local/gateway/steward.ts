import { randomBytes } from 'node:crypto';
import type { MigratableDatabase, MigrationStatement } from './d1-migrations.ts';

const name = 'steward';
const cronAnswerMs = 30_000;
/** A runtime that was killed under load has much to catch up with first. */
const databaseAnswerMs = 120_000;

type Rows = Awaited<ReturnType<MigrationStatement['all']>>;

interface StewardStatement extends MigrationStatement {
  sql: string;
  values: unknown[];
}

/** What is asked of it, one or the other. */
type Question = { cron: string } | { statements: StewardStatement[] } | { filesBefore: number };

const source = `async function sweep(files, before) {
  let deleted = 0;
  let cursor;
  do {
    const page = await files.list({ limit: 1000, ...(cursor && { cursor }) });
    const old = page.objects.filter(({ uploaded }) => uploaded.getTime() < before).map(({ key }) => key);
    if (old.length > 0) await files.delete(old);
    deleted += old.length;
    cursor = page.truncated ? page.cursor : undefined;
  } while (cursor);
  return deleted;
}

export default {
  async fetch(request, { GATEWAY, DB, FILES, SECRET }) {
    if (request.headers.get('authorization') !== SECRET) return new Response(null, { status: 403 });
    const { cron, statements, filesBefore } = await request.json();
    try {
      if (filesBefore) return Response.json(await sweep(FILES, filesBefore));
      if (cron) return Response.json(await GATEWAY.scheduled({ cron, scheduledTime: new Date() }));
      return Response.json(await DB.batch(statements.map(({ sql, values }) => DB.prepare(sql).bind(...values))));
    } catch (error) {
      return new Response(error.message, { status: 500 });
    }
  },
};`;

/** Of Miniflare, what the steward needs. */
interface Runtime {
  unsafeGetDirectURL(workerName: string): Promise<URL>;
}

/**
 * A Worker beside the gateway's, which migrates its database and fires its cron when it is asked to over HTTP. Miniflare's
 * own proxies of them make this process wait in the middle of a turn: whatever the runtime logs meanwhile is not read, and
 * a runtime that cannot write its log answers nobody. Both then wait for ever.
 */
export class Steward {
  readonly #secret = randomBytes(24).toString('base64url');
  readonly #runtime: () => Runtime;

  constructor(runtime: () => Runtime) {
    this.#runtime = runtime;
  }

  /** The Worker, for Miniflare's list. `gateway`: the name of the gateway's; `d1Databases`: its own; `files`: its bucket. */
  worker(gateway: string, d1Databases: Record<string, string>, files: string, compatibilityDate: string) {
    return {
      name,
      compatibilityDate,
      compatibilityFlags: ['service_binding_extra_handlers'],
      modules: [{ type: 'ESModule' as const, path: 'steward.js', contents: source }],
      d1Databases,
      r2Buckets: { FILES: files },
      serviceBindings: { GATEWAY: gateway },
      bindings: { SECRET: this.#secret },
      unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
    };
  }

  /** The gateway's database. */
  get database(): MigratableDatabase {
    return {
      prepare: (sql) => this.#statement(sql, []),
      batch: (statements) => this.#ask({ statements: statements as StewardStatement[] }),
    };
  }

  /** Resolves when the handler is over, whatever it made of it. Rejects when there is no answer within `answerMs`, 30 s. */
  async fireCron(cron: string, answerMs = cronAnswerMs): Promise<void> {
    await this.#ask({ cron }, answerMs);
  }

  /** Deletes the files that were stored before then (milliseconds since 1970); resolves how many those were. */
  sweepFiles(before: number): Promise<number> {
    return this.#ask({ filesBefore: before }) as Promise<number>;
  }

  #statement(sql: string, values: unknown[]): StewardStatement {
    const run = async () => {
      const [result] = (await this.#ask({ statements: [this.#statement(sql, values)] })) as [Rows];
      return result;
    };
    return { sql, values, bind: (...bound) => this.#statement(sql, bound), all: run, run };
  }

  async #ask(question: Question, answerMs = databaseAnswerMs): Promise<unknown> {
    const signal = AbortSignal.timeout(answerMs);
    const late = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    // A runtime that is started again has no address until it is up, and may never be.
    const url = await Promise.race([this.#runtime().unsafeGetDirectURL(name), late]);
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization: this.#secret },
      body: JSON.stringify(question),
      signal,
    });
    if (!response.ok) throw new Error(`The runtime answered ${response.status}: ${await response.text()}`);
    return response.json();
  }
}
