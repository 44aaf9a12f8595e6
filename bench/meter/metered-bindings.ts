import { tracedCall } from './call-traces.ts';
import { meterDatabase } from './metered-database.ts';
import { count } from './tally.ts';

/** A queue is billed by 64 KB of each message. */
const unitBytes = 64_000;

export const unitsOf = (body: unknown): number =>
  Math.max(1, Math.ceil(new TextEncoder().encode(JSON.stringify(body)).length / unitBytes));

type Callable = Record<string, (...values: unknown[]) => unknown>;
interface Namespace {
  getByName(name: string): object;
}
interface Queue {
  send(body: unknown, ...rest: unknown[]): Promise<unknown>;
  sendBatch(messages: Iterable<{ body: unknown }>, ...rest: unknown[]): Promise<unknown>;
}

/** The name of a queue and of an object class follow from the binding's: `WEBHOOK_DELIVERIES`, `webhook-deliveries`. */
const queueName = (binding: string) => binding.toLowerCase().replaceAll('_', '-');
const className = (binding: string) =>
  binding
    .toLowerCase()
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** The Worker keeps what it has read of its settings by its bindings, so that they must be the same ones each time. */
const known = new WeakMap<object, object>();

/** The bindings of a Worker or an object, each call counted. */
export function meteredBindings<Env extends object>(env: Env): Env {
  const metered =
    known.get(env) ??
    Object.fromEntries(Object.entries(env).map(([name, binding]) => [name, meteredBinding(name, binding)]));
  known.set(env, metered);
  return metered as Env;
}

function meteredBinding(name: string, binding: unknown): unknown {
  if (typeof binding !== 'object' || binding === null) return binding;
  if ('alwaysPrimarySession' in binding) {
    meterDatabase(binding);
    return binding;
  }
  if ('getByName' in binding) return meteredNamespace(className(name), binding as Namespace);
  if ('sendBatch' in binding) return meteredQueue(queueName(name), binding as Queue);
  if ('createMultipartUpload' in binding) return meteredBucket(name.toLowerCase(), binding);
  return binding;
}

function meteredNamespace(name: string, namespace: Namespace): Namespace {
  return {
    getByName: (objectName) =>
      new Proxy(namespace.getByName(objectName), {
        get: (stub, method) => {
          if (typeof method !== 'string') return Reflect.get(stub, method, stub);
          return (...values: unknown[]) => {
            count('request', [name, method]);
            return tracedCall(`${name}.${method}`, () => (stub as Callable)[method]?.(...values));
          };
        },
      }),
  };
}

/** Deleting costs nothing. */
const bucketMethods: Record<string, 'bucketWrite' | 'bucketRead'> = {
  put: 'bucketWrite',
  list: 'bucketWrite',
  createMultipartUpload: 'bucketWrite',
  get: 'bucketRead',
  head: 'bucketRead',
};

function meteredBucket(name: string, bucket: object): object {
  return new Proxy(bucket, {
    get: (native, method) => {
      const value = Reflect.get(native, method, native);
      if (typeof value !== 'function') return value;
      return (...values: unknown[]) => {
        const counted = bucketMethods[String(method)];
        if (counted !== undefined) count(counted, [name, String(method)]);
        return value.apply(native, values);
      };
    },
  });
}

function meteredQueue(name: string, queue: Queue): Queue {
  const written = (body: unknown) => {
    count('queueMessages', [name]);
    count('queueWrite', [name], unitsOf(body));
  };
  const counted: Queue = {
    send(body, ...rest) {
      written(body);
      return queue.send(body, ...rest);
    },
    sendBatch(messages, ...rest) {
      const sent = [...messages];
      for (const { body } of sent) written(body);
      return queue.sendBatch(sent, ...rest);
    },
  };
  return new Proxy(queue, {
    get: (native, name) => {
      if (name === 'send' || name === 'sendBatch') return counted[name];
      const value = Reflect.get(native, name, native);
      return typeof value === 'function' ? value.bind(native) : value;
    },
  });
}
