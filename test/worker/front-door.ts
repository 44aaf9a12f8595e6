import { env, exports } from 'cloudflare:workers';
import { keyScopes } from '../../src/contract/key-scopes.ts';
import type { NumberNote, SenderReport } from '../../src/durable/hand-over/number-news.ts';
import { newRequestId, newUuid } from '../../src/durable/new-ids.ts';
import { hashPassword, quickCost } from '../../src/worker/auth/password.ts';
import { issueToken } from '../../src/worker/auth/tokens/dashboard-token.ts';
import { configurationChanged } from '../../src/worker/configuration-changed.ts';
import { openDatabase } from '../../src/worker/db/database.ts';
import { newApiKey } from '../../src/worker/features/account/keys/api-key.ts';
import { type ApiKeyRow, insertApiKey } from '../../src/worker/features/account/keys/rows.ts';
import { createAccount } from '../../src/worker/features/account/rows/accounts.ts';
import { startSession } from '../../src/worker/features/people/rows/sessions.ts';
import { askAuditLog } from '../../src/worker/object-calls.ts';

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

const password = 'correct horse battery';
const passwordHash = hashPassword(password, quickCost);

/**
 * A fresh account with its owner, signed in, and a pool key: each test makes its own. Stored as the routes store it, without
 * the requests: sign-up, sign-in and keys have tests of their own.
 */
export async function openAccount(accountName = 'Example Ltd'): Promise<TestAccount> {
  const [db, now] = [openDatabase(env.DB), Date.now()];
  const [userId, accountId, sessionId, apiKeyId] = [newUuid(), newUuid(), newUuid(), newUuid()];
  const [name, email] = ['Ada', `${crypto.randomUUID()}@example.com`];
  const source = { db, requestId: newRequestId(), address: null, accountsToTell: new Set<string>() };
  const audit = { ...source, caller: { kind: 'user' as const, accountId, userId, email } };
  const owner = { userId, accountId, email, name, accountName, passwordHash: await passwordHash };
  await createAccount(owner, now, source);
  const account = { id: accountId, name: accountName, role: 'owner' as const };
  const member = { user: { id: userId, email, name }, account };
  await startSession({ id: sessionId, member, userAgent: null, now }, audit);
  const { token } = await issueToken(
    env.JWT_PRIVATE_KEY,
    { userId, accountId, role: account.role, sessionId },
    now,
  );
  const { key, ...stored } = newApiKey(accountId, env.KEY_CHECKSUM_SECRET);
  const apiKey: ApiKeyRow = {
    ...stored,
    id: apiKeyId,
    accountId,
    name: 'server',
    pinnedNumberId: null,
    onPinFailure: 'strict',
    createdAt: now,
    lastUsedAt: null,
    expiresAt: null,
    revokedAt: null,
    scopes: [...keyScopes],
    allowedAddresses: null,
  };
  await insertApiKey(apiKey, audit, null);
  await configurationChanged(env, accountId);
  await askAuditLog(env, accountId, (log) => log.collect());
  return {
    accountId,
    email,
    password,
    owner: { Authorization: `Bearer ${token}` },
    server: { 'X-API-Key': key },
    apiKeyId,
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
  for (let looks = 1; ; looks += 1) {
    const found = await look();
    if (found) return found;
    // Who asks for long asks no more often than a person may.
    await scheduler.wait(looks < 40 ? 20 : 100);
  }
}
