import { campaigns } from '../../../database/schema.ts';
import { accountRows } from '../../db/account-rows.ts';
import { batch, type Database } from '../../db/database.ts';
import { type AuditContext, auditEntry } from '../audit-log/rows.ts';

export type CampaignRow = typeof campaigns.$inferSelect;

const { own, find, list } = accountRows(campaigns);

export { find as findCampaign, list as listCampaigns };

export async function insertCampaign(db: Database, row: CampaignRow, audit: AuditContext): Promise<void> {
  await batch(db, [
    db.insert(campaigns).values(row).onConflictDoNothing(),
    auditEntry(db, audit, 'campaign.created', `campaign:${row.id}`, row.name),
  ]);
}

/** What somebody has done to a campaign: the change itself is in its object. */
export async function auditCampaign(
  db: Database,
  { id, name }: Pick<CampaignRow, 'id' | 'name'>,
  action: `campaign.${string}`,
  audit: AuditContext,
): Promise<void> {
  await batch(db, [auditEntry(db, audit, action, `campaign:${id}`, name)]);
}

export async function deleteCampaign(db: Database, row: CampaignRow, audit: AuditContext): Promise<void> {
  await batch(db, [
    db.delete(campaigns).where(own(row.accountId, row.id)),
    auditEntry(db, audit, 'campaign.deleted', `campaign:${row.id}`, row.name, true),
  ]);
}
