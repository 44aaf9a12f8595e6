import { inArray } from 'drizzle-orm';
import { campaigns } from '../../../database/schema.ts';
import { accountRows } from '../../db/account-rows.ts';
import { batch, type Database } from '../../db/database.ts';
import { type AuditContext, auditEntry } from '../audit-log/rows.ts';

export type CampaignRow = typeof campaigns.$inferSelect;

const { own, find, list } = accountRows(campaigns);

export { find as findCampaign, list as listCampaigns };

/** Those that send, will by themselves, or may be resumed, of all accounts. */
export const campaignsUnderWay = (db: Database): Promise<Pick<CampaignRow, 'id' | 'accountId'>[]> =>
  db
    .select({ id: campaigns.id, accountId: campaigns.accountId })
    .from(campaigns)
    .where(inArray(campaigns.status, ['scheduled', 'running', 'paused']));

export async function insertCampaign(row: CampaignRow, audit: AuditContext): Promise<void> {
  const { db } = audit;
  await batch(db, [
    db.insert(campaigns).values(row).onConflictDoNothing(),
    auditEntry(audit, 'campaign.created', `campaign:${row.id}`, row.name),
  ]);
}

export async function deleteCampaign(row: CampaignRow, audit: AuditContext): Promise<void> {
  const { db } = audit;
  await batch(db, [
    db.delete(campaigns).where(own(row.accountId, row.id)),
    auditEntry(audit, 'campaign.deleted', `campaign:${row.id}`, row.name, true),
  ]);
}
