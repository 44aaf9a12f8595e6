import { WorkerEntrypoint } from 'cloudflare:workers';
import { takeTraces, traced } from './call-traces.ts';
import { meteredBindings, unitsOf } from './metered-bindings.ts';
import { meteredEntrypoint } from './metered-entrypoint.ts';
import { meteredObject, type ObjectClass, type ObjectContents } from './metered-object.ts';
import { count, takeTally } from './tally.ts';

interface QueueMessage {
  id: string;
  timestamp: Date;
  attempts: number;
  body: unknown;
  ack(): void;
  retry(options?: unknown): void;
}
interface Batch {
  queue: string;
  messages: readonly QueueMessage[];
  ackAll(): void;
  retryAll(options?: unknown): void;
}
interface Env {
  [namespace: string]: { getByName(name: string): { benchContents(): Promise<ObjectContents> } };
}
interface Handler {
  fetch(request: Request, env: object, context: unknown): Promise<Response> | Response;
  queue(batch: Batch, env: object, context: unknown): Promise<void>;
  scheduled(controller: unknown, env: object, context: unknown): Promise<void>;
}

/**
 * The built Worker with a meter around it: its handlers and its classes do what they did, and all that the
 * platform bills is counted. `GET /bench/meter` gives and forgets what was counted, `GET /bench/contents?binding=&name=`
 * what an object keeps.
 */
export function meteredWorker(product: Record<string, unknown>) {
  const { default: handler, ...classes } = product as { default: Handler } & Record<string, ObjectClass>;
  return {
    classes: Object.fromEntries(
      Object.entries(classes).map(([name, type]) => [
        name,
        (type.prototype instanceof WorkerEntrypoint ? meteredEntrypoint : meteredObject)(name, type),
      ]),
    ),
    handler: {
      async fetch(request: Request, env: Env, context: unknown): Promise<Response> {
        const { pathname, searchParams } = new URL(request.url);
        if (pathname === '/bench/meter') return Response.json({ tally: takeTally(), traces: takeTraces() });
        if (pathname === '/bench/contents') {
          const namespace = env[searchParams.get('binding') ?? ''];
          return Response.json(await namespace?.getByName(searchParams.get('name') ?? '').benchContents());
        }
        const route = `${request.method} ${pathname}`;
        count('invocation', ['fetch', route]);
        return traced(`fetch ${route}`, () => handler.fetch(request, meteredBindings(env), context));
      },
      async queue(batch: Batch, env: object, context: unknown): Promise<void> {
        count('invocation', ['queue', batch.queue]);
        await traced(`queue ${batch.queue}`, () =>
          handler.queue(meteredBatch(batch), meteredBindings(env), context),
        );
      },
      scheduled: (controller: unknown, env: object, context: unknown) =>
        handler.scheduled(controller, meteredBindings(env), context),
    },
  };
}

/** Counts the read of each message, and its deletion unless the handler asks for it again. */
function meteredBatch(batch: Batch): Batch {
  const { queue } = batch;
  const messages = batch.messages.map((message): QueueMessage => {
    const { id, timestamp, attempts, body } = message;
    const units = unitsOf(body);
    count('queueRead', [queue], units);
    count('queueDelete', [queue], units);
    let isSettled = false;
    return {
      id,
      timestamp,
      attempts,
      body,
      ack: () => {
        isSettled = true;
        message.ack();
      },
      retry: (options) => {
        if (!isSettled) count('queueDelete', [queue], -units);
        isSettled = true;
        message.retry(options);
      },
    };
  });
  return {
    queue,
    messages,
    ackAll: () => batch.ackAll(),
    retryAll: (options) => {
      for (const message of messages) message.retry(options);
    },
  };
}
