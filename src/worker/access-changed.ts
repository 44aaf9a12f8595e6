import { logFault } from '../durable/log.ts';
import { openDatabase } from './db/database.ts';
import { accountIdsOf } from './features/people/rows/members.ts';
import { askLog } from './object-calls.ts';

/**
 * Call this after somebody's right to read an account has changed or ended, before the response: open streams ask at once
 * whether they may go on. One that is not told asks within a minute. Never throws.
 */
export async function accessChanged(env: Env, accountId: string): Promise<void> {
  try {
    await askLog(env, accountId, (log) => log.accessMoved());
  } catch (error) {
    logFault('access.not_told', error, { accountId });
  }
}

/** The same after sessions of a person have ended: they may have streams of each of their accounts open. */
export async function sessionsEnded(env: Env, userId: string): Promise<void> {
  const accountIds = await accountIdsOf(openDatabase(env.DB), userId);
  await Promise.all(accountIds.map((accountId) => accessChanged(env, accountId)));
}
