import { batch, openDatabase } from '../../db/database.ts';
import { type AuditContext, auditEntry } from '../audit-log/rows.ts';

/** The entry of something that was done to contacts; these themselves are the log's object's. */
export async function auditContacts(
  env: Pick<Env, 'DB'>,
  audit: AuditContext,
  action: string,
  target: string,
  targetName: string | null = null,
): Promise<void> {
  const db = openDatabase(env.DB);
  await batch(db, [auditEntry(db, audit, action, target, targetName)]);
}
