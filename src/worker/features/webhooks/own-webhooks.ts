import type { Context } from 'hono';
import { type Refusal, refuse } from '../../../contract/errors.ts';
import type { WebhookState } from '../../../durable/event-log/deliveries/deliveries.ts';
import { settingsOf } from '../../../settings/worker-settings.ts';
import type { AppEnv } from '../../app-env.ts';
import { openDatabase } from '../../db/database.ts';
import { notFound, uuidPathId } from '../../http/request/shared-fields.ts';
import { askLog } from '../../object-calls.ts';
import { findWebhook, type WebhookRow, webhookTargets } from './rows.ts';

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

/** The host of a URL that was found valid; of what was stored before there were rules, the text itself. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : url);
const normalOf = (url: string): string => (URL.canParse(url) ? new URL(url).href : url);

/**
 * The refusal of another webhook on the same URL, or on the same host: each event would be sent there once more, and the
 * receiver may belong to anybody. `except`: the webhook that is to move there. Null: it is allowed.
 */
export async function targetCap(c: Context<AppEnv>, url: string, except?: string): Promise<Refusal | null> {
  const { WEBHOOKS_PER_URL, WEBHOOKS_PER_HOST } = settingsOf(c.env);
  const all = await webhookTargets(openDatabase(c.env.DB), c.get('caller').accountId);
  const others = all.filter(({ id }) => id !== except);
  const onUrl = others.filter((other) => normalOf(other.url) === normalOf(url)).length;
  if (onUrl >= WEBHOOKS_PER_URL) return tooMany('URL', WEBHOOKS_PER_URL);
  const onHost = others.filter((other) => hostOf(other.url) === hostOf(url)).length;
  return onHost >= WEBHOOKS_PER_HOST ? tooMany('host', WEBHOOKS_PER_HOST) : null;
}

function tooMany(what: 'URL' | 'host', limit: number): Refusal {
  const message = `An account can have ${limit} webhooks on one ${what}.`;
  return refuse('CONFLICT', message, { details: [{ path: 'url', limit, message }] });
}
