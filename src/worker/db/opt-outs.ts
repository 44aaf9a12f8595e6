import { type AuditContext, auditEntry } from './audit-log.ts';
import { batch, type Database } from './database.ts';

/** The entry of somebody who was taken off the opt-out list by hand; the list itself is the account's object's. */
export async function auditOptOutRemoval(
  db: Database,
  phoneNumber: string,
  audit: AuditContext,
): Promise<void> {
  await batch(db, [auditEntry(db, audit, 'opt_out.removed', `opt_out:${phoneNumber}`, null)]);
}
