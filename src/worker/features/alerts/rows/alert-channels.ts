import { and, eq, gt, or, sql } from 'drizzle-orm';
import { alertChannels } from '../../../../database/alert-schema.ts';
import { memberships, users } from '../../../../database/schema.ts';
import { accountRows } from '../../../db/account-rows.ts';
import { batch, type Database } from '../../../db/database.ts';
import { insertWhere } from '../../account/rows/caps.ts';
import { raiseRevision } from '../../account/rows/revision.ts';
import { type AuditContext, auditEntry } from '../../audit-log/rows.ts';

export type AlertChannelRow = typeof alertChannels.$inferSelect;
export type AlertChannelChanges = Partial<Omit<AlertChannelRow, 'id' | 'accountId' | 'kind' | 'createdAt'>>;

/** An account has so many. */
export const alertChannelsMax = 20;

const { own, find, list } = accountRows(alertChannels);

export { find as findAlertChannel, list as listAlertChannels };

/** What stands in the audit log: whoever reads it there cannot use it. */
const namedAs = ({ kind, name }: Pick<AlertChannelRow, 'kind' | 'name'>) => name ?? kind;

const target = ({ id }: Pick<AlertChannelRow, 'id'>) => `alert_channel:${id}`;

/** False when the account has as many as it may. */
export async function insertAlertChannel(
  db: Database,
  row: AlertChannelRow,
  audit: AuditContext,
): Promise<boolean> {
  const count = sql`(select count(*) from alert_channels where account_id = ${row.accountId})`;
  await batch(db, [
    insertWhere(db, alertChannels, row, sql`${count} < ${alertChannelsMax}`),
    auditEntry(db, audit, 'alert_channel.created', target(row), namedAs(row), true),
    raiseRevision(db, row.accountId),
  ]);
  return (await find(db, row.accountId, row.id)) !== null;
}

export async function hasRoomForAlertChannel(db: Database, accountId: string): Promise<boolean> {
  const rows = await list(db, accountId, alertChannelsMax, undefined);
  return rows.length < alertChannelsMax;
}

/** Changes a channel; returns it as it is then, or null when it is gone. */
export async function updateAlertChannel(
  db: Database,
  row: AlertChannelRow,
  changes: AlertChannelChanges,
  audit: AuditContext,
): Promise<AlertChannelRow | null> {
  if (Object.keys(changes).length === 0) return row;
  const [updated] = await batch(db, [
    db.update(alertChannels).set(changes).where(own(row.accountId, row.id)).returning(),
    auditEntry(db, audit, 'alert_channel.updated', target(row), namedAs({ ...row, ...changes }), true),
    raiseRevision(db, row.accountId),
  ]);
  return (updated as AlertChannelRow[])[0] ?? null;
}

/** What signs is another; null where the channel is not as it was read any more. */
export async function rotateChannelSecret(
  db: Database,
  row: AlertChannelRow,
  sealedTarget: string,
  audit: AuditContext,
): Promise<AlertChannelRow | null> {
  const { accountId, id } = row;
  // A repeated batch finds its own change, and answers as it did the first time.
  const isAsRead = or(
    eq(alertChannels.sealedTarget, row.sealedTarget ?? ''),
    eq(alertChannels.sealedTarget, sealedTarget),
  );
  const [rotated] = await batch(db, [
    db
      .update(alertChannels)
      .set({ sealedTarget })
      .where(and(own(accountId, id), isAsRead))
      .returning(),
    auditEntry(db, audit, 'alert_channel.secret_rotated', target(row), namedAs(row), true),
    raiseRevision(db, accountId),
  ]);
  return (rotated as AlertChannelRow[])[0] ?? null;
}

export async function deleteAlertChannel(
  db: Database,
  row: AlertChannelRow,
  audit: AuditContext,
): Promise<void> {
  await batch(db, [
    db.delete(alertChannels).where(own(row.accountId, row.id)),
    auditEntry(db, audit, 'alert_channel.deleted', target(row), namedAs(row), true),
    raiseRevision(db, row.accountId),
  ]);
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
      .where(own(accountId, id)),
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
  db: Database,
  row: AlertChannelRow,
  now: number,
  audit: AuditContext,
): Promise<void> {
  await batch(db, [
    db
      .update(alertChannels)
      .set({ confirmedAt: now, confirmationHash: null, confirmationExpiresAt: null })
      .where(and(own(row.accountId, row.id), eq(alertChannels.confirmationHash, row.confirmationHash ?? ''))),
    auditEntry(db, audit, 'alert_channel.confirmed', target(row), namedAs(row), true),
    raiseRevision(db, row.accountId),
  ]);
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
