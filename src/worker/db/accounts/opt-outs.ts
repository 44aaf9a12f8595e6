import { type AuditContext, auditEntry } from '../audit-log.ts';
import { batch, type Database } from '../database.ts';

/** The entry of somebody who was put on the opt-out list, or taken off it, by hand; the list is the account's object's. */
export async function auditOptOut(
  db: Database,
  action: 'opt_out.added' | 'opt_out.removed',
  phoneNumber: string,
  audit: AuditContext,
): Promise<void> {
  await batch(db, [auditEntry(db, audit, action, `opt_out:${phoneNumber}`, null)]);
}
