import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { AutomationDefinition } from '../../../src/contract/automations/automation.ts';
import type { EventLog } from '../../../src/durable/event-log/event-log.ts';
import type { Fact } from '../../../src/durable/event-log/facts.ts';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
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
