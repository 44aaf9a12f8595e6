// Stands in for `cloudflare:workers` where the whole Worker is hosted in Node: its bindings are those of `wrangler.toml`.
import { readFileSync } from 'node:fs';
import { parse } from 'smol-toml';
import { testBindings } from '../../test-bindings.ts';
import { d1Database } from '../d1-database.ts';
import { MessageQueue } from '../message-queue.ts';
import { HostedObject, ObjectNamespace } from '../object-namespace.ts';
import { R2Bucket } from '../r2-bucket.ts';
import { RateLimit } from '../rate-limit.ts';
import { staticAssets } from '../static-assets.ts';

class Hosted {
  readonly ctx: object;
  readonly env: object;

  constructor(ctx: object, env: object) {
    this.ctx = ctx;
    this.env = env;
  }
}

export { Hosted as DurableObject, Hosted as WorkerEntrypoint };

interface WranglerConfig {
  assets: { directory: string };
  vars: Record<string, string>;
  durable_objects: { bindings: { name: string; class_name: string }[] };
  ratelimits: { name: string; simple: { limit: number; period: number } }[];
  r2_buckets: { binding: string }[];
  queues: {
    producers: { binding: string; queue: string }[];
    consumers: {
      queue: string;
      max_batch_size?: number;
      max_retries?: number;
      retry_delay?: number;
      dead_letter_queue?: string;
    }[];
  };
}

const config = parse(readFileSync('wrangler.toml', 'utf8')) as unknown as WranglerConfig;

// biome-ignore lint/suspicious/noExplicitAny: classes by their names
let loaded: Promise<any> | null = null;
/** Loaded at the first call: its modules import this one. */
function workerModule() {
  loaded ??= import('../../../src/worker/index.ts');
  return loaded;
}

/** Of the machine, whatever a test makes of its timers. */
const { setImmediate: soon } = globalThis;
/** Each call and query takes a turn of the event loop at least: whoever asks again and again leaves time for others. */
const turn = () => new Promise<void>((resolve) => void soon(resolve));

const executionContext = {
  waitUntil: (work: Promise<unknown>) => void work.catch(() => {}),
  passThroughOnException: () => {},
  props: {},
};

async function ask(request: Request): Promise<Response> {
  await turn();
  return (await workerModule()).default.fetch(request, env, { ...executionContext, exports });
}

/** The Worker's entrypoints, as objects and tests call them. Arguments and answers are copied. */
// biome-ignore lint/suspicious/noExplicitAny: as the runtime makes it
export const exports: any = new Proxy(
  {},
  {
    get: (_, name: string) =>
      name === 'default'
        ? { fetch: ask }
        : new Proxy(
            {},
            {
              get:
                (_entrypoint, verb: string) =>
                async (...parameters: unknown[]) => {
                  const copies = structuredClone(parameters);
                  await turn();
                  const { [name]: Entrypoint } = await workerModule();
                  const instance = new Entrypoint({ ...executionContext, exports }, env);
                  return structuredClone(await instance[verb](...copies));
                },
            },
          ),
  },
);

const namespace = (className: string) => {
  const load = async () => {
    await turn();
    return (await workerModule())[className];
  };
  return new ObjectNamespace((name, schema) => new HostedObject(load, name, env, exports, schema));
};

const queues = new Map<string, MessageQueue>(
  config.queues.producers.map(({ queue }) => {
    const consumer = config.queues.consumers.find((it) => it.queue === queue);
    const settings = {
      queue,
      batchMax: consumer?.max_batch_size ?? 10,
      retriesMax: consumer?.max_retries ?? 3,
      retryDelaySeconds: consumer?.retry_delay ?? 0,
      deadLetters: consumer?.dead_letter_queue ?? null,
    };
    const consume = async (batch: object) =>
      (await workerModule()).default.queue(batch, env, { ...executionContext, exports });
    return [queue, new MessageQueue(settings, consume, (dead, body) => void queues.get(dead)?.send(body))];
  }),
);

export const env: Record<string, unknown> = {
  ...config.vars,
  ...testBindings(),
  ASSETS: staticAssets(config.assets.directory),
  DB: d1Database(turn),
  ...Object.fromEntries(
    config.durable_objects.bindings.map(({ name, class_name }) => [name, namespace(class_name)]),
  ),
  ...Object.fromEntries(config.ratelimits.map(({ name, simple }) => [name, new RateLimit(simple)])),
  ...Object.fromEntries(config.r2_buckets.map(({ binding }) => [binding, new R2Bucket()])),
  ...Object.fromEntries(config.queues.producers.map(({ binding, queue }) => [binding, queues.get(queue)])),
};

/** Nothing is stored any more, and nothing that was under way goes on. */
export function reset(): void {
  for (const binding of Object.values(env)) {
    if (binding instanceof ObjectNamespace || binding instanceof MessageQueue) binding.clear();
    if (binding instanceof R2Bucket || binding instanceof RateLimit) binding.clear();
  }
  env.DB = d1Database(turn);
}
