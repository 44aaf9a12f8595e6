import type { Context } from 'hono';
import type { AppEnv } from '../../app-env.ts';
import { openDatabase } from '../../db/database.ts';
import { clientAddress } from '../../http/request/client-address.ts';
import type { AuditContext, AuditSource } from './rows.ts';

/** Where a change comes from, for its entry in the audit log. */
export const auditSource = (c: Context<AppEnv>): AuditSource => ({
  db: openDatabase(c.env.DB),
  requestId: c.get('requestId'),
  address: clientAddress(c),
  accountsToTell: c.get('auditedAccounts'),
});

/** Who makes the change of this request, for its entry in the audit log. */
export const auditOf = (c: Context<AppEnv>): AuditContext => ({ caller: c.get('caller'), ...auditSource(c) });
