import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { createHash } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { vi } from 'vitest';
import { type AccountSettings, defaultAccountSettings } from '../../../src/contract/account-settings.ts';
import { defaultKeyScopes } from '../../../src/contract/key-scopes.ts';
import { accounts, apiKeys, numbers } from '../../../src/database/schema.ts';
import type { Account } from '../../../src/durable/account/account.ts';
import type { SendRequest } from '../../../src/durable/account/admission/send-request.ts';
import type { NumberNews, NumberNote, SenderReport } from '../../../src/durable/hand-over/number-news.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { connectedNumber } from '../phone-number/fake-bridge.ts';
import { standInFor } from '../stand-in-objects.ts';
import { until } from '../until.ts';

export type AccountStub = DurableObjectStub<Account>;
export const db = drizzle(env.DB);
export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** An account of its own, with one pool key and `numberCount` connected numbers in the pool. */
export async function newAccount(numberCount = 1) {
  const accountId = newUuid();
  await db.insert(accounts).values({ id: accountId, name: 'Test', plan: 'free', createdAt: Date.now() });
  const keyHash = await addKey(accountId);
  const account = env.ACCOUNT.getByName(accountId);
  const senders: Awaited<ReturnType<typeof connectedNumber>>[] = [];
  for (let index = 0; index < numberCount; index += 1) {
    const sender = await connectedNumber(`62812345678${index}`, accountId);
    await insertNumber(accountId, sender.numberId);
    senders.push(sender);
  }
  await account.refresh();
  // Each number reports itself to the account; a send before that would find no healthy sender.
  if (numberCount > 0) {
    await until(async () => {
      const known = await account.senders();
      return senders.every(({ numberId }) => known[numberId]?.health.status === 'healthy');
    });
  }
  return { accountId, account, keyHash, senders };
}

/** An account of its own whose numbers the account believes to be healthy; stand-ins take the place of them and of its log. */
export async function poolOf(count: number) {
  const { accountId, account, keyHash } = await newAccount(0);
  standInFor(accountId);
  const numberIds = await addSenders(accountId, count);
  return { accountId, account, keyHash, numberIds };
}

/** Sets how much of this month's quota is used, and evicts the account. */
export async function setUsed(account: AccountStub, used: number): Promise<void> {
  const usage = await account.usage();
  await runInDurableObject<Account, void>(account, (_, { storage }) => {
    storage.sql.exec(
      `INSERT INTO sends (day, number_id, used) VALUES (?, '', ?) ON CONFLICT DO UPDATE SET used = used + excluded.used`,
      `${usage.period}-01`,
      used - usage.used,
    );
  });
  await evictDurableObject(account);
}

export async function addKey(
  accountId: string,
  pin: { pinnedNumberId: string; onPinFailure: 'strict' | 'fallback' } | null = null,
): Promise<string> {
  const keyHash = sha256(newUuid());
  await db.insert(apiKeys).values({
    id: newUuid(),
    accountId,
    name: 'Test key',
    keyHash,
    prefix: 'sk_live_test',
    pinnedNumberId: pin?.pinnedNumberId ?? null,
    onPinFailure: pin?.onPinFailure ?? 'strict',
    createdAt: Date.now(),
    scopes: [...defaultKeyScopes],
  });
  return keyHash;
}

/** A number that D1 knows. */
export async function addNumber(accountId: string): Promise<string> {
  const numberId = newUuid();
  await insertNumber(accountId, numberId);
  return numberId;
}

export async function insertNumber(
  accountId: string,
  numberId: string,
  more: Partial<typeof numbers.$inferInsert> = {},
): Promise<void> {
  const row = { id: numberId, accountId, label: 'Test', inPool: true, createdAt: Date.now() };
  await db.insert(numbers).values({ ...row, ...more });
}

/** What a healthy, connected number without limits says of itself. */
function senderReport(more: Partial<SenderReport> = {}): SenderReport {
  return {
    revision: 1_000,
    state: 'connected',
    phoneNumber: null,
    reason: null,
    connectedAt: null,
    lastSeenAt: null,
    health: { status: 'healthy', reason: null, until: null },
    perMinute: 600,
    dailyRemaining: null,
    room: 1_000,
    takenUpTo: 0,
    ...more,
  };
}

/** A report as the number makes it when the network has banned it. */
export const banned: Partial<SenderReport> = {
  state: 'banned',
  revision: 2_000,
  room: 0,
  health: { status: 'unavailable', reason: 'The network banned the number.', until: null },
};

/** A report as the number makes it when its connection is lost. */
export const disconnected: Partial<SenderReport> = {
  state: 'disconnected',
  revision: 2_000,
  room: 0,
  health: { status: 'unavailable', reason: 'The connection to the network was lost.', until: null },
};

export const news = (
  numberId: string,
  more: Partial<SenderReport> = {},
  notes: NumberNews['notes'] = [],
): NumberNews => ({ numberId, report: senderReport(more), notes });

const noteSeqs = new Map<string, number>();

/** Notes of a number under their next sequences, with a report that is older than any other. */
export function noted(numberId: string, ...notes: NumberNote[]): NumberNews {
  const numbered = notes.map((note) => {
    const seq = (noteSeqs.get(numberId) ?? 0) + 1;
    noteSeqs.set(numberId, seq);
    return { seq, note };
  });
  return news(numberId, { revision: 0 }, numbered);
}

export function inbound(from: string, at: number, text: string | null = null): NumberNote {
  return { kind: 'inbound', from, at, text };
}

/** Numbers that the account believes to be connected and to have room. */
export async function addSenders(
  accountId: string,
  count: number,
  more: Partial<typeof numbers.$inferInsert> = {},
): Promise<string[]> {
  const account = env.ACCOUNT.getByName(accountId);
  const numberIds: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const numberId = newUuid();
    await insertNumber(accountId, numberId, more);
    numberIds.push(numberId);
    standInFor(numberId);
  }
  await account.refresh();
  for (const numberId of numberIds) await account.hear(news(numberId));
  return numberIds;
}

/** Changes the account's settings, as a person would. */
export async function changeSettings(
  accountId: string,
  account: AccountStub,
  changes: Partial<AccountSettings>,
): Promise<void> {
  const settings = { ...defaultAccountSettings, ...changes };
  const revision = sql`revision + 1`;
  await db.update(accounts).set({ settings, revision }).where(eq(accounts.id, accountId));
  await account.refresh();
}

/** Does something at another time. */
export async function at<Result>(time: number, act: () => Promise<Result>): Promise<Result> {
  vi.useFakeTimers({ toFake: ['Date'], now: time });
  try {
    return await act();
  } finally {
    vi.useRealTimers();
  }
}

let recipients = 0;
/** A recipient that nobody has written to yet. */
export const newRecipient = () => `62${(8_100_000_000 + recipients++).toString()}`;

export function sendRequest(keyHash: string, more: Partial<SendRequest> = {}): SendRequest {
  const content = more.content ?? { type: 'text', text: 'hello' };
  return {
    keyHash,
    idempotencyKey: null,
    bodyHash: sha256(JSON.stringify(content)),
    to: '628999888777',
    chatType: 'personal',
    senderHint: null,
    ...more,
    content,
  };
}

/** Rows of a table of the account. */
export const rowsOf = (account: AccountStub, table: string) =>
  runInDurableObject<Account, number>(
    account,
    (_, { storage }) => storage.sql.exec<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).one().n,
  );
