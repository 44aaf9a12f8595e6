import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, onTestFinished, vi } from 'vitest';
import type { AutomationDefinition } from '../../../src/contract/automations/automation.ts';
import type { ActionReport } from '../../../src/durable/event-log/automations/actions/planned.ts';
import type { EventLog } from '../../../src/durable/event-log/event-log.ts';
import type { Fact } from '../../../src/durable/event-log/facts.ts';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { WakeUps } from '../../../src/durable/event-log/wake-ups.ts';
import { NamedTimers } from '../../../src/durable/named-timers.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { sealSecret } from '../../../src/durable/sealed-secret.ts';
import { newWebhookSecret } from '../../../src/worker/features/webhooks/delivery/signature.ts';

export type Definition = Partial<AutomationDefinition>;

/** An account that exists nowhere else, with these rules; its log knows them. */
export async function accountWithRules(...definitions: Definition[]) {
  const accountId = newUuid();
  await env.DB.prepare(
    `insert into accounts (id, name, plan, created_at) values (?, 'Example Ltd', 'free', 0)`,
  )
    .bind(accountId)
    .run();
  const automationIds: string[] = [];
  for (const definition of definitions) automationIds.push(await addRule(accountId, definition));
  await changed(accountId);
  return { accountId, automationIds, log: logOf(env, accountId), numberId: newUuid() };
}

export async function addRule(accountId: string, more: Definition): Promise<string> {
  const id = newUuid();
  const { name = 'Rule', enabled = true, ...rest } = more;
  const definition = {
    on: 'message.received',
    waitingMinutes: null,
    inGroups: false,
    conditions: [],
    actions: [{ type: 'reply', text: 'Hello' }],
    cooldownSeconds: 0,
    ...rest,
  };
  await env.DB.prepare(
    `insert into automations (id, account_id, name, enabled, definition, position, sealed_secret, created_at)
     values (?, ?, ?, ?, ?, (select count(*) from automations where account_id = ?), ?, 0)`,
  )
    .bind(
      id,
      accountId,
      name,
      enabled ? 1 : 0,
      JSON.stringify(definition),
      accountId,
      await sealSecret(env, id, newWebhookSecret()),
    )
    .run();
  return id;
}

/** What a route does after a change of D1. */
export async function changed(accountId: string): Promise<void> {
  await env.DB.prepare('update accounts set revision = revision + 1 where id = ?').bind(accountId).run();
  await logOf(env, accountId).refresh();
}

const ownPhone = '15550000001';

/** Somebody writes to a number, now. */
export function wrote(
  numberId: string,
  text: string,
  { from = '628123456789', at = Date.now(), groupId }: { from?: string; at?: number; groupId?: string } = {},
): Fact {
  return {
    kind: 'message.received',
    numberId,
    to: ownPhone,
    message: {
      providerMessageId: crypto.randomUUID(),
      at: new Date(at).toISOString(),
      chatType: groupId === undefined ? 'personal' : 'group',
      ...(groupId !== undefined && { groupId }),
      from,
      pushName: 'Budi',
      content: { type: 'text', text },
    },
  };
}

/** The runs of a rule, newest first. */
export const runsOf = (accountId: string, automationId: string) =>
  logOf(env, accountId).automationRuns(automationId, 100, null, null);

/** When it resolves, the rules have read everything that is in the log. */
export const allRead = (accountId: string): Promise<void> => logOf(env, accountId).refresh();

/** Rows of a table of the log. */
export const rowsIn = (accountId: string, table: string) =>
  runInDurableObject<EventLog, number>(
    logOf(env, accountId),
    (_, { storage }) => storage.sql.exec<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).one().n,
  );

/** In this file the test is who carries the actions out. */
export function carriedOutByTests(): void {
  beforeEach(() => {
    const wakeUps = vi.spyOn(WakeUps.prototype, 'automations').mockResolvedValue();
    onTestFinished(() => void wakeUps.mockRestore());
  });
}

const done: ActionReport = { kind: 'done' };

/** A rule that is tried on what has happened. */
export const dryRule = {
  automationId: '',
  name: 'Rule',
  enabled: true,
  on: 'message.received' as const,
  waitingMinutes: null,
  inGroups: false,
  conditions: [],
  actions: [{ type: 'reply' as const, text: 'Hi {{name}}' }],
  cooldownSeconds: 0,
};

/** A condition on the words of a message. */
export const text = (operator: 'contains' | 'equals', value: string) => ({
  field: 'text' as const,
  operator,
  value,
});

/** Takes what is due, and says that all of it is done; the replies. */
export async function carryOut(accountId: string, report: ActionReport = done) {
  const log = logOf(env, accountId);
  const orders = await log.takeAutomationActions(100);
  await log.settleAutomationActions(orders.map((order) => ({ order, report })));
  return orders;
}

export const evict = (accountId: string) => evictDurableObject(logOf(env, accountId));

/** From now on the test says what time it is. */
export function stopClock() {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  return { pass: (seconds: number) => void vi.setSystemTime(Date.now() + seconds * 1000) };
}

/** From now on no alarm does anything. */
export function keepAlarmsStill() {
  const ring = vi.spyOn(NamedTimers.prototype, 'ring').mockResolvedValue();
  onTestFinished(() => void ring.mockRestore());
}
