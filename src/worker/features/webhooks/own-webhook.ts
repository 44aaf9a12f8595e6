import type { Context } from 'hono';
import type { WebhookState } from '../../../durable/event-log/deliveries/deliveries.ts';
import type { AppEnv } from '../../app-env.ts';
import { openDatabase } from '../../db/database.ts';
import { notFound, uuidPathId } from '../../http/request/path-id.ts';
import { askLog } from '../../object-calls.ts';
import { findWebhook, type WebhookRow } from './rows.ts';

export const noSuchWebhook = notFound('webhook');
export const webhookPath = uuidPathId('id', 'webhook');

/** The webhook that the path names, when it belongs to the caller's account. */
export const ownWebhook = (c: Context<AppEnv>): Promise<WebhookRow | null> =>
  findWebhook(openDatabase(c.env.DB), c.get('caller').accountId, c.req.param('id') ?? '');

/** How these webhooks do, by id; one that its log does not know yet has done nothing. */
export async function webhookStates(
  c: Context<AppEnv>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, WebhookState>> {
  if (ids.length === 0) return new Map();
  const states = await askLog(c.env, c.get('caller').accountId, (log) => log.webhookStates(ids));
  return new Map(states.map((state) => [state.webhookId, state]));
}
