import type { Context } from 'hono';
import type { AppEnv } from '../app-env.ts';
import { openDatabase } from '../db/database.ts';
import { findWebhook, type WebhookRow } from '../db/webhooks.ts';
import { notFound, uuidPathId } from '../http/path-id.ts';

export const noSuchWebhook = notFound('webhook');
export const webhookPath = uuidPathId('id', 'webhook');

/** The webhook that the path names, when it belongs to the caller's account. */
export const ownWebhook = (c: Context<AppEnv>): Promise<WebhookRow | null> =>
  findWebhook(openDatabase(c.env.DB), c.get('caller').accountId, c.req.param('id') ?? '');

export const isoTime = (at: number | null): string | null =>
  at === null ? null : new Date(at).toISOString();
