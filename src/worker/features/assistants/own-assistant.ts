import type { Context } from 'hono';
import type { AppEnv } from '../../app-env.ts';
import { openDatabase } from '../../db/database.ts';
import { notFound, uuidPathId } from '../../http/request/shared-fields.ts';
import { type AssistantRow, findAssistant } from './rows.ts';

export const noSuchAssistant = notFound('assistant');
export const assistantPath = uuidPathId('id', 'assistant');

/** The assistant that the path names, when it belongs to the caller's account. */
export const ownAssistant = (c: Context<AppEnv>): Promise<AssistantRow | null> =>
  findAssistant(openDatabase(c.env.DB), c.get('caller').accountId, c.req.param('id') ?? '');
