import { and, eq, gt, lte, sql } from 'drizzle-orm';
import { alertMutes } from '../../../../database/alert-schema.ts';
import { accountRows } from '../../../db/account-rows.ts';
import { batch, type Database } from '../../../db/database.ts';
import { insertWhere } from '../../account/rows/caps.ts';
import { raiseRevision } from '../../account/rows/revision.ts';
import { type AuditContext, auditEntry } from '../../audit-log/rows.ts';

export type AlertMuteRow = typeof alertMutes.$inferSelect;

const { own, find, list } = accountRows(alertMutes);

/** An account has so many at a time. */
export const alertMutesMax = 100;

/** What is muted, for the audit log. */
const namedAs = ({ kind, numberId }: AlertMuteRow) =>
  [kind ?? 'all kinds', numberId ?? 'all numbers'].join(', ');

/** False when the account has as many as it may. Those that are over go. */
export async function insertAlertMute(row: AlertMuteRow, audit: AuditContext): Promise<boolean> {
  const { db } = audit;
  const { accountId, id } = row;
  const count = sql`(select count(*) from alert_mutes where account_id = ${accountId})`;
  await batch(db, [
    db
      .delete(alertMutes)
      .where(and(eq(alertMutes.accountId, accountId), lte(alertMutes.until, row.createdAt))),
    insertWhere(db, alertMutes, row, sql`${count} < ${alertMutesMax}`),
    auditEntry(audit, 'alerts.muted', `alert_mute:${id}`, namedAs(row), true),
    raiseRevision(db, accountId),
  ]);
  return (await find(db, accountId, id)) !== null;
}

/** Those that are in force, newest first, one more than the page holds. */
export const listAlertMutes = (
  db: Database,
  accountId: string,
  now: number,
  limit: number,
  before: string | undefined,
) => list(db, accountId, limit, before, gt(alertMutes.until, now));

/** False: there is none (any more). */
export async function deleteAlertMute(accountId: string, id: string, audit: AuditContext): Promise<boolean> {
  const { db } = audit;
  const row = await find(db, accountId, id);
  if (row === null) return false;
  await batch(db, [
    db.delete(alertMutes).where(own(accountId, id)),
    auditEntry(audit, 'alerts.unmuted', `alert_mute:${id}`, namedAs(row), true),
    raiseRevision(db, accountId),
  ]);
  return true;
}
