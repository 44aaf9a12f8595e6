// Stands in for `cloudflare:test` where objects are hosted in Node.
import { env, exports } from 'cloudflare:workers';
import { hostOf, ObjectNamespace } from './object-namespace.ts';

export async function evictDurableObject(stub: object): Promise<void> {
  await hostOf(stub).evict();
}

export async function runInDurableObject<Result>(
  stub: object,
  // biome-ignore lint/suspicious/noExplicitAny: an object of any class
  work: (instance: any, state: any) => Result | Promise<Result>,
): Promise<Result> {
  const { instance, state } = await hostOf(stub).life();
  return work(instance, state);
}

export const runDurableObjectAlarm = (stub: object): Promise<boolean> => hostOf(stub).ring();

const namespaces = () => Object.values(env).filter((binding) => binding instanceof ObjectNamespace);

export async function evictAllDurableObjects(): Promise<void> {
  await Promise.all(namespaces().map((namespace) => namespace.evictAll()));
}

export async function abortAllDurableObjects(): Promise<void> {
  for (const namespace of namespaces()) namespace.abortAll();
}

/** Of one request: what it leaves behind goes on. */
export const createExecutionContext = () => ({
  waitUntil: (work: Promise<unknown>) => void work.catch(() => {}),
  passThroughOnException: () => {},
  exports,
  props: {},
});
