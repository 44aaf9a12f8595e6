import { and, desc, eq, lt } from 'drizzle-orm';
import { campaigns } from '../../../database/schema.ts';
import { batch, type Database } from '../../db/database.ts';
import { type AuditContext, auditEntry } from '../audit-log/rows.ts';

export type CampaignRow = typeof campaigns.$inferSelect;

const ownCampaign = (accountId: string, id: string) =>
  and(eq(campaigns.accountId, accountId), eq(campaigns.id, id));

export async function insertCampaign(db: Database, row: CampaignRow, audit: AuditContext): Promise<void> {
  await batch(db, [
    db.insert(campaigns).values(row).onConflictDoNothing(),
    auditEntry(db, audit, 'campaign.created', `campaign:${row.id}`, row.name),
  ]);
}

export async function findCampaign(db: Database, accountId: string, id: string): Promise<CampaignRow | null> {
  return (await db.select().from(campaigns).where(ownCampaign(accountId, id)).limit(1))[0] ?? null;
}

/** Newest first, one more than the page holds. */
export function listCampaigns(db: Database, accountId: string, limit: number, before: string | undefined) {
  return db
    .select()
    .from(campaigns)
    .where(
      and(eq(campaigns.accountId, accountId), before === undefined ? undefined : lt(campaigns.id, before)),
    )
    .orderBy(desc(campaigns.id))
    .limit(limit + 1);
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
    db.delete(campaigns).where(ownCampaign(row.accountId, row.id)),
    auditEntry(db, audit, 'campaign.deleted', `campaign:${row.id}`, row.name, true),
  ]);
}
