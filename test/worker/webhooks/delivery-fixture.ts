import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { onTestFinished, vi } from 'vitest';
import type { DeliveryAttempt } from '../../../src/durable/event-log/deliveries/delivery-order.ts';
import type { DeliveryRecord } from '../../../src/durable/event-log/deliveries/history/first-deliveries.ts';
import type { Fact } from '../../../src/durable/event-log/facts.ts';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { sealSecret } from '../../../src/durable/sealed-secret.ts';
import { newWebhookSecret } from '../../../src/worker/features/webhooks/delivery/signature.ts';
import { queued, record, takeAll } from '../../durable/event-log/event-log-fixture.ts';

export interface TestWebhook {
  id: string;
  accountId: string;
  secret: string;
}

/** A webhook of an account that exists nowhere else, unless it is named; its log knows it. */
export async function insertWebhook(
  url: string,
  fields: {
    enabled?: boolean;
    numberIds?: string[];
    events?: string[];
    accountId?: string;
    /** Nobody has answered 2xx there yet; else the log believes that somebody has. */
    isUnproven?: boolean;
  } = {},
): Promise<TestWebhook> {
  const [id, accountId] = [newUuid(), fields.accountId ?? newUuid()];
  const secret = newWebhookSecret();
  const json = (list: string[] | undefined) => (list === undefined ? null : JSON.stringify(list));
  await env.DB.batch([
    env.DB.prepare(
      `insert into accounts (id, name, plan, created_at) values (?, 'Example Ltd', 'free', 0) on conflict do nothing`,
    ).bind(accountId),
    env.DB.prepare(
      `insert into webhooks (id, account_id, url, number_ids, events, sealed_secret, enabled, created_at)
       values (?, ?, ?, ?, ?, ?, ?, 0)`,
    ).bind(
      id,
      accountId,
      url,
      json(fields.numberIds),
      json(fields.events),
      await sealSecret(env, id, secret),
      fields.enabled === false ? 0 : 1,
    ),
  ]);
  await changed(accountId);
  if (!fields.isUnproven) await prove({ id, accountId });
  return { id, accountId, secret };
}

/** The log believes from now on that the webhook's URL has answered 2xx. */
async function prove({ id, accountId }: { id: string; accountId: string }): Promise<void> {
  await runInDurableObject(logOf(env, accountId), (_, { storage }) => {
    const set = "UPDATE webhook_readers SET proven_url = configuration ->> '$.url' WHERE webhook_id = ?";
    storage.sql.exec(set, id);
  });
  await evictDurableObject(logOf(env, accountId));
}

/** What a route does after a change of D1. */
export async function changed(accountId: string): Promise<void> {
  await env.DB.prepare('update accounts set revision = revision + 1 where id = ?').bind(accountId).run();
  await logOf(env, accountId).refresh();
}

export async function setColumn(webhook: TestWebhook, column: string, value: string | number | null) {
  await env.DB.prepare(`update webhooks set ${column} = ? where id = ?`).bind(value, webhook.id).run();
  await changed(webhook.accountId);
}

export const tell = (accountId: string, ...facts: Fact[]) => takeAll(logOf(env, accountId), facts);

/** One event of a message of its own. */
export const oneEvent = (): Fact => queued(record());
/** So many events, each of a message of its own. */
export const manyEvents = (count: number): Fact[] => Array.from({ length: count }, oneEvent);

export async function stateOf({ id, accountId }: { id: string; accountId: string }) {
  const [state] = await logOf(env, accountId).webhookStates([id]);
  return state;
}

/** Every delivery of a webhook as its log shows it, newest first. */
export async function deliveriesOf({ id, accountId }: { id: string; accountId: string }) {
  const found: DeliveryRecord[] = [];
  for (let before: string | null = null; ; ) {
    const page = await logOf(env, accountId).webhookDeliveries(id, {}, 200, before);
    found.push(...(page?.data ?? []));
    if (!page?.nextBefore) return found;
    before = page.nextBefore;
  }
}

/** The only delivery there is. */
export async function onlyOf(webhook: { id: string; accountId: string }): Promise<DeliveryRecord> {
  const [delivery, ...others] = await deliveriesOf(webhook);
  if (delivery === undefined || others.length > 0) {
    throw new Error(`${others.length + 1} deliveries instead of one`);
  }
  return delivery;
}

/** How many rows a webhook's deliveries have. What is taken at the first attempt has none. */
export function rowsOf({ id, accountId }: { id: string; accountId: string }): Promise<number> {
  return runInDurableObject(logOf(env, accountId), (_, { storage }) => {
    const select = 'SELECT count(*) AS n FROM deliveries WHERE webhook_id = ?';
    return storage.sql.exec<{ n: number }>(select, id).one().n;
  });
}

/** From now on the test says what time it is. */
export function stopClock() {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  return {
    pass: (seconds: number) => void vi.setSystemTime(Date.now() + seconds * 1000),
  };
}

/** What the queue says when its time has come. */
export const ring = ({ id, accountId }: { id: string; accountId: string }) =>
  logOf(env, accountId).retryDue([id]);

/** Ends the log's life in the middle of what it does: what is in memory is gone, what is stored stays. */
export async function kill(accountId: string): Promise<void> {
  await runInDurableObject(logOf(env, accountId), (_, state) => state.abort('killed by the test')).catch(
    () => undefined,
  );
}

export const evict = (accountId: string) => evictDurableObject(logOf(env, accountId));

export const attemptsOf = ({ attempts }: { attempts: DeliveryAttempt[] }) =>
  attempts.map(({ statusCode }) => statusCode);
