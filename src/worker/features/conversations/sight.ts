import type { Context } from 'hono';
import type { AppEnv } from '../../app-env.ts';
import { openDatabase } from '../../db/database.ts';
import { hiddenNumbersOf } from '../support/rows/limited-numbers.ts';

/** The numbers of the account whose conversations are not for the caller: agents see those of their teams, and of no team. */
export async function hiddenNumbers(c: Context<AppEnv>): Promise<string[]> {
  const caller = c.get('caller');
  if (caller.kind !== 'user' || caller.role !== 'agent') return [];
  return hiddenNumbersOf(openDatabase(c.env.DB), caller.accountId, caller.userId);
}
