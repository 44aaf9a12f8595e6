import { and, desc, eq, getTableColumns, gte, lt, type SQL, sql } from 'drizzle-orm';
import { type MessageStatus, statusRank } from '../../contract/message.ts';
import { messages } from '../../database/schema.ts';
import type { MessageProjection } from '../../durable/relayed-events.ts';
import { type Database, jsonSlices, type Statement } from './database.ts';

export type MessageRow = typeof messages.$inferSelect;

/** The columns of a row that comes as JSON, in the table's order. */
const told = sql.join(
  Object.keys(getTableColumns(messages)).map((name) => sql.raw(`told.value ->> '${name}'`)),
  sql`, `,
);

/** The rung of a status, in SQL; an inbound message has one status only and never moves. */
const rank = (status: SQL) =>
  sql`case ${status} ${sql.join(
    Object.entries(statusRank).map(([name, rung]) => sql.raw(`when '${name}' then ${rung}`)),
    sql` `,
  )} else 0 end`;

const failed: MessageStatus = 'failed';
const excluded = (column: string) => sql.raw(`excluded.${column}`);
/** What is there stays; what was missing is filled. */
const filled = (column: string) => sql.raw(`coalesce(messages.${column}, excluded.${column})`);

/**
 * Brings whole message rows into the read model. A row that has come further replaces the status of the one that is
 * there; everything else changes nothing and writes nothing. Failure never replaces a delivery.
 */
export function upsertMessages(db: Database, rows: readonly MessageProjection[]): Statement[] {
  return jsonSlices(rows).map((json) =>
    db
      .insert(messages)
      // Without a condition SQLite would take the conflict clause for part of a join.
      .select(sql`select ${told} from json_each(${json}) as told where true`)
      .onConflictDoUpdate({
        target: [messages.accountId, messages.messageId],
        set: {
          status: excluded('status'),
          // A message that waited may have moved to another number.
          numberId: excluded('number_id'),
          from: sql.raw('coalesce(nullif(excluded."from", \'\'), messages."from")'),
          senderSource: excluded('sender_source'),
          errorMessage: excluded('error_message'),
          providerMessageId: filled('provider_message_id'),
          queuedAt: filled('queued_at'),
          sentAt: filled('sent_at'),
          deliveredAt: filled('delivered_at'),
          readAt: filled('read_at'),
          failedAt: filled('failed_at'),
        },
        setWhere: sql`${rank(excluded('status'))} > ${rank(sql.raw('messages.status'))}
          and not (excluded.status = ${sql.raw(`'${failed}'`)} and messages.status = 'delivered')`,
      }),
  );
}

export async function findMessage(
  db: Database,
  accountId: string,
  messageId: string,
): Promise<MessageRow | null> {
  const rows = await db
    .select()
    .from(messages)
    .where(and(eq(messages.accountId, accountId), eq(messages.messageId, messageId)))
    .limit(1);
  return rows[0] ?? null;
}

export interface MessageFilter {
  status?: MessageRow['status'] | undefined;
  direction?: MessageRow['direction'] | undefined;
  numberId?: string | undefined;
  to?: string | undefined;
  from?: string | undefined;
  /** Milliseconds, inclusive: when it was queued or received. */
  since?: number | undefined;
  /** Milliseconds, exclusive. */
  until?: number | undefined;
}

/** Newest first, one more than the page holds. Ids sort by time, so the primary key is the only index needed. */
export function listMessages(
  db: Database,
  accountId: string,
  filter: MessageFilter,
  limit: number,
  before: string | undefined,
) {
  const { status, direction, numberId, to, from, since, until } = filter;
  const at = sql`coalesce(${messages.queuedAt}, ${messages.receivedAt})`;
  return db
    .select()
    .from(messages)
    .where(
      and(
        eq(messages.accountId, accountId),
        status === undefined ? undefined : eq(messages.status, status),
        direction === undefined ? undefined : eq(messages.direction, direction),
        numberId === undefined ? undefined : eq(messages.numberId, numberId),
        to === undefined ? undefined : eq(messages.to, to),
        from === undefined ? undefined : eq(messages.from, from),
        since === undefined ? undefined : gte(at, since),
        until === undefined ? undefined : lt(at, until),
        before === undefined ? undefined : lt(messages.messageId, before),
      ),
    )
    .orderBy(desc(messages.messageId))
    .limit(limit + 1);
}
