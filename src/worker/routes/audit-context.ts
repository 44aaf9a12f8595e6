import type { Context } from 'hono';
import type { AppEnv } from '../app-env.ts';
import type { AuditContext } from '../db/audit-log.ts';

/** Who makes the change of this request, for its entry in the audit log. */
export const auditOf = (c: Context<AppEnv>): AuditContext => ({
  caller: c.get('caller'),
  requestId: c.get('requestId'),
});
