import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { AlertChannelKind, AlertTarget, Digest } from '../contract/alerts/alert-channels.ts';
import type { AlertKind } from '../contract/alerts/alerts.ts';

/* D1: where alerts go, and which are muted. Times are integers, milliseconds since 1970. */

/** Where an account's alerts go. */
export const alertChannels = sqliteTable(
  'alert_channels',
  {
    id: text().primaryKey(),
    accountId: text('account_id').notNull(),
    kind: text().$type<AlertChannelKind>().notNull(),
    name: text(),
    /** As it may be shown: of a secret only its ends. */
    shownTarget: text('shown_target', { mode: 'json' }).$type<AlertTarget>().notNull(),
    /** The target, and what signs, as JSON under the Worker's sealing key; null: what is shown is all there is. */
    sealedTarget: text('sealed_target'),
    /** Null: all kinds, also those to come. */
    kinds: text({ mode: 'json' }).$type<AlertKind[]>(),
    /** Null: all numbers, also those to come. */
    numberIds: text('number_ids', { mode: 'json' }).$type<string[]>(),
    /** Null: none. */
    digest: text({ mode: 'json' }).$type<Digest>(),
    enabled: integer({ mode: 'boolean' }).notNull(),
    /** When whoever reads at an e-mail address has agreed. A member's own address needs that not. */
    confirmedAt: integer('confirmed_at'),
    /** Lower-case hex SHA-256 of the token that was mailed there. */
    confirmationHash: text('confirmation_hash'),
    confirmationExpiresAt: integer('confirmation_expires_at'),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    index('alert_channels_account').on(table.accountId),
    uniqueIndex('alert_channels_confirmation').on(table.confirmationHash),
  ],
);

/** Alerts that nobody is told of for a while. */
export const alertMutes = sqliteTable(
  'alert_mutes',
  {
    id: text().primaryKey(),
    accountId: text('account_id').notNull(),
    /** Null: all kinds. */
    kind: text().$type<AlertKind>(),
    /** Null: all numbers, and what concerns none. */
    numberId: text('number_id'),
    until: integer().notNull(),
    /** The e-mail address of who has said so. */
    createdBy: text('created_by').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('alert_mutes_account').on(table.accountId)],
);
