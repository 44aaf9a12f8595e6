import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { createHash } from 'node:crypto';
import { drizzle } from 'drizzle-orm/d1';
import { accounts, apiKeys, numbers } from '../../src/database/schema.ts';
import type { Account } from '../../src/durable/account/account.ts';
import type { SendRequest } from '../../src/durable/account/admission-types.ts';
import type { SenderReport } from '../../src/durable/account/sender-report.ts';
import { newUuid } from '../../src/durable/new-ids.ts';
import type { AdmittedMessage } from '../../src/durable/phone-number/outbound-message.ts';
import { connectedNumber, phoneNumber } from './fake-bridge.ts';
import { until } from './until.ts';

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
    await db.insert(numbers).values({
      id: sender.numberId,
      accountId,
      label: 'Test',
      inPool: true,
      createdAt: Date.now(),
      state: 'connected',
    });
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

/** Sets how much of this month's quota is used, and evicts the account. */
export async function setUsed(account: DurableObjectStub<Account>, used: number): Promise<void> {
  const usage = await account.usage();
  await runInDurableObject<Account, void>(account, (_, { storage }) => {
    // What was counted before numbers were.
    storage.sql.exec(
      `INSERT INTO sends (day, number_id, used) VALUES (?, '', ?) ON CONFLICT DO UPDATE SET used = used + excluded.used`,
      `${usage.period}-00`,
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
  });
  return keyHash;
}

/** A report as a healthy, connected number without limits makes it. */
export function senderReport(numberId: string, more: Partial<SenderReport> = {}): SenderReport {
  return {
    numberId,
    state: 'connected',
    phoneNumber: null,
    revision: 1_000,
    health: { status: 'healthy', reason: null, until: null },
    dailyRemaining: null,
    asOf: 0,
    perMinute: 600,
    ...more,
  };
}

/** Numbers that the account believes to be connected; each takes messages, and hands them to nobody. */
export async function addSenders(
  accountId: string,
  count: number,
  more: Partial<typeof numbers.$inferInsert> = {},
): Promise<string[]> {
  const numberIds: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const numberId = newUuid();
    await phoneNumber(numberId).provision({ accountId, numberId });
    await db.insert(numbers).values({
      id: numberId,
      accountId,
      label: 'Test',
      inPool: true,
      createdAt: Date.now(),
      state: 'connected',
      ...more,
    });
    await env.ACCOUNT.getByName(accountId).reportSender(senderReport(numberId));
    numberIds.push(numberId);
  }
  await env.ACCOUNT.getByName(accountId).refresh();
  return numberIds;
}

/** How a number that stands in for a real one takes messages, one alone or several together, by what it does with each. */
export function standInVerbs(enqueue: (message: AdmittedMessage) => Promise<unknown>) {
  const enqueueMany = async (messages: readonly AdmittedMessage[]) => ({
    taken: await Promise.all(messages.map(enqueue)),
    missing: [],
  });
  return { enqueue, enqueueMany };
}

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
