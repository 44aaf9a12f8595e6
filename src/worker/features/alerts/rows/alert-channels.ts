import { and, eq, gt, inArray, sql } from 'drizzle-orm';
import { alertChannels } from '../../../../database/alert-schema.ts';
import { memberships, users } from '../../../../database/schema.ts';
import { batch, type Database } from '../../../db/database.ts';
import { configuredRows } from '../../account/rows/configured-rows.ts';
import type { AuditContext } from '../../audit-log/rows.ts';

export type AlertChannelRow = typeof alertChannels.$inferSelect;

/** An account has so many. */
export const alertChannelsMax = 20;

/** Whoever reads its name in the audit log cannot use it. */
const rows = configuredRows(alertChannels, 'alert_channel', ({ kind, name }) => name ?? kind);

export const {
  find: findAlertChannel,
  list: listAlertChannels,
  update: updateAlertChannel,
  delete: deleteAlertChannel,
} = rows;

/** False when the account has as many as it may. */
export const insertAlertChannel = (row: AlertChannelRow, audit: AuditContext) =>
  rows.insert(row, audit, rows.fewerThan(row.accountId, alertChannelsMax));

export async function hasRoomForAlertChannel(db: Database, accountId: string): Promise<boolean> {
  return (await rows.list(db, accountId, alertChannelsMax, undefined)).length < alertChannelsMax;
}

/** What signs is another; null where the channel is not as it was read any more. */
export function rotateChannelSecret(row: AlertChannelRow, sealedTarget: string, audit: AuditContext) {
  // A repeated batch finds its own change, and answers as it did the first time.
  const isAsRead = inArray(alertChannels.sealedTarget, [row.sealedTarget ?? '', sealedTarget]);
  return rows.update(row, { sealedTarget }, audit, isAsRead, 'secret_rotated');
}

/** Another token for the address of a channel; the one before is good no more. */
export async function setConfirmation(
  db: Database,
  { accountId, id }: AlertChannelRow,
  hash: string,
  expiresAt: number,
): Promise<void> {
  await batch(db, [
    db
      .update(alertChannels)
      .set({ confirmationHash: hash, confirmationExpiresAt: expiresAt })
      .where(rows.own(accountId, id)),
  ]);
}

/** The channel that a mailed token belongs to, while it is good. */
export async function findByConfirmation(
  db: Database,
  hash: string,
  now: number,
): Promise<AlertChannelRow | null> {
  const good = and(eq(alertChannels.confirmationHash, hash), gt(alertChannels.confirmationExpiresAt, now));
  return (await db.select().from(alertChannels).where(good).limit(1))[0] ?? null;
}

/** Whoever reads at the address has agreed. */
export async function confirmAlertChannel(
  row: AlertChannelRow,
  now: number,
  audit: AuditContext,
): Promise<void> {
  const changes = { confirmedAt: now, confirmationHash: null, confirmationExpiresAt: null };
  const isAsRead = eq(alertChannels.confirmationHash, row.confirmationHash ?? '');
  await rows.update(row, changes, audit, isAsRead, 'confirmed');
}

/** Which of these are addresses of people of the account. */
export async function memberAddresses(
  db: Database,
  accountId: string,
  emails: readonly string[],
): Promise<ReadonlySet<string>> {
  if (emails.length === 0) return new Set();
  const rows = await db
    .select({ email: users.email })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(
        eq(memberships.accountId, accountId),
        sql`${users.email} in (select value from json_each(${JSON.stringify(emails)}))`,
      ),
    );
  return new Set(rows.map(({ email }) => email));
}
