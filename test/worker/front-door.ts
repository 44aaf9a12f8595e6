import { env, exports } from 'cloudflare:workers';

export interface Answer<Body = Record<string, unknown>> {
  status: number;
  headers: Headers;
  /** The parsed body; an empty object when it is no JSON. */
  body: Body;
  text: string;
}

export interface Ask {
  headers?: Record<string, string>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as it is, instead of `json`. */
  raw?: BodyInit;
}

/** One request through the Worker's front door. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads answers of every shape, and asserts on what it reads
export async function ask<Body = any>(
  method: string,
  path: string,
  options: Ask = {},
): Promise<Answer<Body>> {
  const { headers = {}, json, raw } = options;
  const body = json === undefined ? raw : JSON.stringify(json);
  const type: Record<string, string> = json === undefined ? {} : { 'Content-Type': 'application/json' };
  const response = await exports.default.fetch(
    new Request(`https://gateway.test${path}`, {
      method,
      headers: { ...type, ...headers },
      body: body ?? null,
    }),
  );
  const text = await response.text();
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json');
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : {}, text };
}

export interface TestAccount {
  accountId: string;
  email: string;
  password: string;
  /** Headers of the owner, signed in. */
  owner: { Authorization: string };
  /** Headers of a customer's server, with a pool key. */
  server: { 'X-API-Key': string };
  apiKeyId: string;
}

const bootstrap = { Authorization: `Bearer ${env.BOOTSTRAP_TOKEN}` };

/** A fresh account with its owner, signed in, and a pool key: each test makes its own. */
export async function openAccount(name = 'Example Ltd'): Promise<TestAccount> {
  const email = `${crypto.randomUUID()}@example.com`;
  const password = 'correct horse battery';
  const signedUp = await ask('POST', '/v1/auth/sign-up', {
    headers: bootstrap,
    json: { email, password, name: 'Ada', accountName: name },
  });
  const login = await ask('POST', '/v1/auth/login', { json: { email, password } });
  const owner = { Authorization: `Bearer ${login.body.token}` };
  const key = await ask('POST', '/v1/auth/api-keys', { headers: owner, json: { name: 'server' } });
  return {
    accountId: signedUp.body.account.id,
    email,
    password,
    owner,
    server: { 'X-API-Key': key.body.key },
    apiKeyId: key.body.id,
  };
}

/** A number of the account that the account believes to be connected: it takes messages, and hands them to nobody. */
export async function addConnectedNumber(account: TestAccount, phoneNumber = '15550000001'): Promise<string> {
  const { body } = await ask('POST', '/v1/numbers', { headers: account.owner, json: { label: 'Sales' } });
  await env.ACCOUNT.getByName(account.accountId).reportSender({
    numberId: body.numberId,
    state: 'connected',
    phoneNumber,
    revision: 1_000,
    health: { status: 'healthy', reason: null, until: null },
    dailyRemaining: null,
    asOf: 0,
    perMinute: 600,
  });
  return body.numberId;
}

/** Looks again until the answer is there; the test's own time limit ends it. */
export async function eventually<Found>(look: () => Found | Promise<Found>): Promise<NonNullable<Found>> {
  for (;;) {
    const found = await look();
    if (found) return found;
    await scheduler.wait(20);
  }
}
