// Stands in for `cloudflare:workers` where objects are hosted in Node.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { d1Database } from '../d1-database.ts';
import { HostedObject, type LoadClass, ObjectNamespace } from '../object-namespace.ts';
import { R2Bucket } from '../r2-bucket.ts';

class Hosted {
  readonly ctx: object;
  readonly env: object;

  constructor(ctx: object, env: object) {
    this.ctx = ctx;
    this.env = env;
  }
}

export { Hosted as DurableObject, Hosted as WorkerEntrypoint };

const isGone = () => Promise.reject(new Error('Outside the objects nobody is there'));
/** Those of the Worker's entrypoints that need nothing but buckets. Loaded at the first call: they import this module. */
// biome-ignore lint/suspicious/noExplicitAny: classes by their names
const entrypoints: Record<string, () => Promise<any>> = {
  ArchiveKeeper: () => import('../../../src/worker/archive.ts'),
  PersonEraser: () => import('../../../src/worker/features/contacts/person-eraser.ts'),
};
const callOf = (name: string, load: (typeof entrypoints)[string]) => ({
  get:
    (_: object, verb: string) =>
    async (...parameters: unknown[]) =>
      new (await load())[name]({}, env)[verb](...parameters),
});
/** The Worker's entrypoints: an object that calls another one gets no answer. A test may put something in the place of one. */
export const exports: Record<string, object> = new Proxy<Record<string, object>>(
  // Documents are never read, nor are vectors made.
  { KnowledgeRunner: new Proxy({}, { get: () => () => new Promise(() => {}) }) },
  {
    get(standIns, name: string) {
      if (standIns[name] !== undefined) return standIns[name];
      const load = entrypoints[name];
      return new Proxy({}, load === undefined ? { get: () => isGone } : callOf(name, load));
    },
  },
);

function objects(load: LoadClass) {
  let loaded: ReturnType<LoadClass> | null = null;
  const loadOnce = () => {
    loaded ??= load();
    return loaded;
  };
  return new ObjectNamespace((name, schema) => new HostedObject(loadOnce, name, env, exports, schema));
}

const queue = { send: async () => {}, sendBatch: async () => {} };

// A class is loaded when its first object is called: its module imports this one.
export const env: Record<string, unknown> = {
  ACCOUNT: objects(async () => (await import('../../../src/durable/account/account.ts')).Account),
  PHONE_NUMBER: objects(
    async () => (await import('../../../src/durable/phone-number/phone-number.ts')).PhoneNumber,
  ),
  EVENT_LOG: objects(async () => (await import('../../../src/durable/event-log/event-log.ts')).EventLog),
  BRIDGE_FLEET: objects(
    async () => (await import('../../../src/durable/bridge-fleet/bridge-fleet.ts')).BridgeFleet,
  ),
  PHONE_REGISTRY: objects(
    async () => (await import('../../../src/durable/phone-registry/phone-registry.ts')).PhoneRegistry,
  ),
  CAMPAIGN: objects(async () => (await import('../../../src/durable/campaign/campaign.ts')).Campaign),
  REQUEST_LOG: objects(
    async () => (await import('../../../src/durable/request-log/request-log.ts')).RequestLog,
  ),
  KNOWLEDGE: objects(async () => (await import('../../../src/durable/knowledge/knowledge.ts')).Knowledge),
  DB: d1Database(),
  ARCHIVE: new R2Bucket(),
  MEDIA: new R2Bucket(),
  WEBHOOK_DELIVERIES: queue,
  ALERTS: queue,
  AUTOMATIONS: queue,
  WEBHOOK_TARGETS: 'loopback',
  FREE_PLAN_MESSAGES: '1000',
  KEY_RATE_PER_SECOND: '50',
  KEY_RATE_BURST: '100',
  JWT_PRIVATE_KEY: JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })),
  BOOTSTRAP_TOKEN: randomBytes(32).toString('base64url'),
  WEBHOOK_SEALING_KEY: randomBytes(32).toString('base64'),
  KEY_CHECKSUM_SECRET: randomBytes(32).toString('base64url'),
  MEDIA_URL_SECRET: randomBytes(32).toString('base64url'),
};
