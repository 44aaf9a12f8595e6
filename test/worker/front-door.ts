import { env, exports } from 'cloudflare:workers';
import { keyScopes } from '../../src/contract/key-scopes.ts';
import type { NumberNote, SenderReport } from '../../src/durable/hand-over/number-news.ts';

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
  const text = await textOf(response);
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json');
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : {}, text };
}

/** Of a stream, which does not end by itself, the beginning. */
async function textOf(response: Response): Promise<string> {
  if (response.headers.get('Content-Type') !== 'text/event-stream')
    return new TextDecoder().decode(await response.arrayBuffer());
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return new TextDecoder().decode(value);
}

export interface TestAccount {
  accountId: string;
  email: string;
  password: string;
  /** Headers of the owner, signed in. */
  owner: { Authorization: string };
  /** Headers of a customer's server, with a pool key that may do everything. */
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
  const key = await ask('POST', '/v1/auth/api-keys', {
    headers: owner,
    json: { name: 'server', scopes: keyScopes },
  });
  return {
    accountId: signedUp.body.account.id,
    email,
    password,
    owner,
    server: { 'X-API-Key': key.body.key },
    apiKeyId: key.body.id,
  };
}

/** A number of the account that the account believes to be connected: it is chosen, and given nothing. */
export async function addConnectedNumber(account: TestAccount, phoneNumber = '15550000001'): Promise<string> {
  const { body } = await ask('POST', '/v1/numbers', { headers: account.owner, json: { label: 'Sales' } });
  await reportToAccount(account, body.numberId, { phoneNumber });
  return body.numberId;
}

/** Tells the account in the number's place that it is connected, or how else it is, and that it has no room now. */
export const reportToAccount = (
  account: Pick<TestAccount, 'accountId'>,
  numberId: string,
  report: Partial<SenderReport> = {},
) => tellAccount(account, numberId, report, []);

/** Tells the account in the number's place that somebody has written to it. */
export const writeToNumber = (
  account: Pick<TestAccount, 'accountId'>,
  numberId: string,
  from: string,
  text: string,
  at = Date.now(),
) => tellAccount(account, numberId, {}, [{ kind: 'inbound', from, at, text }]);

let lastNote = 0;

async function tellAccount(
  { accountId }: Pick<TestAccount, 'accountId'>,
  numberId: string,
  report: Partial<SenderReport>,
  notes: readonly NumberNote[],
): Promise<void> {
  const connected: SenderReport = {
    revision: 1_000,
    state: 'connected',
    phoneNumber: '15550000001',
    reason: null,
    connectedAt: Date.now(),
    lastSeenAt: Date.now(),
    health: { status: 'healthy', reason: null, until: null },
    perMinute: 600,
    dailyRemaining: null,
    room: 0,
    takenUpTo: 0,
  };
  const numbered = notes.map((note) => {
    lastNote += 1;
    return { seq: lastNote, note };
  });
  await env.ACCOUNT.getByName(accountId).hear({
    numberId,
    report: { ...connected, ...report },
    notes: numbered,
  });
}

/** Looks again until the answer is there; the test's own time limit ends it. */
export async function eventually<Found>(look: () => Found | Promise<Found>): Promise<NonNullable<Found>> {
  for (;;) {
    const found = await look();
    if (found) return found;
    await scheduler.wait(20);
  }
}
