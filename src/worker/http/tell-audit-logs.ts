import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from '../app-env.ts';
import { askAuditLog } from '../object-calls.ts';
import { afterAnswer } from './after-answer.ts';

/** Behind the answer, the logs that this request has made entries for take them over; the cron repeats it. */
export const tellAuditLogs: MiddlewareHandler<AppEnv> = async (c, next) => {
  const accountIds = new Set<string>();
  c.set('auditedAccounts', accountIds);
  await next();
  for (const accountId of accountIds) {
    afterAnswer(c, 'audit_log.not_told', () => askAuditLog(c.env, accountId, (log) => log.collect()));
  }
};
