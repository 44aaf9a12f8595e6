import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { AccountSettings } from '../contract/account-settings.ts';
import type { AutomationDefinition } from '../contract/automations/automation.ts';
import type { StoredSessionSettings } from '../contract/bridge/session-settings.ts';
import type { CampaignCounts, CampaignStatus } from '../contract/campaigns/campaign.ts';
import type { CannedReply, Label, Team } from '../contract/conversations/team.ts';
import type { EventName } from '../contract/events.ts';
import type { KeyScope } from '../contract/key-scopes.ts';
import type { Filters, Pacing } from '../contract/numbers/sender-settings.ts';
import type { BusinessHours } from '../contract/support/business-hours.ts';
import type { SlaPolicy } from '../contract/support/sla-policy.ts';

/*
 * D1: configuration, a few rows an account whatever it sends. Messages, events and deliveries are in the accounts' logs,
 * how a number does is in its object. Times are integers, milliseconds since 1970.
 */

export const accounts = sqliteTable(
  'accounts',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    /** `free`, or a name in the operator's `PLANS`. */
    plan: text().notNull(),
    createdAt: integer('created_at').notNull(),
    /** Null: the defaults. */
    settings: text({ mode: 'json' }).$type<AccountSettings>(),
    /** Raised by each change of the account's keys, numbers, webhooks, settings or plan, in the batch of the change. */
    revision: integer().notNull().default(0),
    /** The revision that the account's objects are known to have read; the cron tells them again of a later one. */
    refreshedRevision: integer('refreshed_revision').notNull().default(0),
  },
  (table) => [index('accounts_to_refresh').on(table.id).where(sql`revision > refreshed_revision`)],
);

export const users = sqliteTable(
  'users',
  {
    id: text().primaryKey(),
    /** Lower case. */
    email: text().notNull(),
    name: text().notNull(),
    /** scrypt, with its parameters and salt in front. */
    passwordHash: text('password_hash').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [uniqueIndex('users_email').on(table.email)],
);

export const memberships = sqliteTable(
  'memberships',
  {
    userId: text('user_id').notNull(),
    accountId: text('account_id').notNull(),
    role: text().$type<'owner' | 'admin' | 'agent'>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.accountId] })],
);

export const apiKeys = sqliteTable(
  'api_keys',
  {
    id: text().primaryKey(),
    accountId: text('account_id').notNull(),
    name: text().notNull(),
    /** Lower-case hex SHA-256 of the whole key: the secret part is 190 random bits, so no salt is needed. */
    keyHash: text('key_hash').notNull(),
    /** `sk_live_` and the first characters: enough to recognise a key by. */
    prefix: text().notNull(),
    /** Null: the key uses the pool. */
    pinnedNumberId: text('pinned_number_id'),
    onPinFailure: text('on_pin_failure').$type<'strict' | 'fallback'>().notNull(),
    createdAt: integer('created_at').notNull(),
    lastUsedAt: integer('last_used_at'),
    /** Null: it lives until it is revoked. */
    expiresAt: integer('expires_at'),
    revokedAt: integer('revoked_at'),
    scopes: text({ mode: 'json' }).$type<KeyScope[]>().notNull(),
    /** Addresses and CIDRs from which it is accepted; null: all. */
    allowedAddresses: text('allowed_addresses', { mode: 'json' }).$type<string[]>(),
  },
  (table) => [index('api_keys_account').on(table.accountId)],
);

export const numbers = sqliteTable(
  'numbers',
  {
    id: text().primaryKey(),
    accountId: text('account_id').notNull(),
    label: text().notNull(),
    inPool: integer('in_pool', { mode: 'boolean' }).notNull(),
    createdAt: integer('created_at').notNull(),
    /** Null: the defaults, here and in `filters` and `session`. */
    pacing: text({ mode: 'json' }).$type<Pacing>(),
    filters: text({ mode: 'json' }).$type<Filters>(),
    session: text({ mode: 'json' }).$type<StoredSessionSettings>(),
    /** The teams that its conversations are for alone. */
    teamIds: text('team_ids', { mode: 'json' }).$type<string[]>(),
  },
  (table) => [index('numbers_account').on(table.accountId)],
);

export const webhooks = sqliteTable(
  'webhooks',
  {
    id: text().primaryKey(),
    accountId: text('account_id').notNull(),
    url: text().notNull(),
    description: text(),
    /** Null: all numbers, also those to come. */
    numberIds: text('number_ids', { mode: 'json' }).$type<string[]>(),
    /** Null: all events, also those to come. */
    events: text({ mode: 'json' }).$type<EventName[]>(),
    /** AES-256-GCM under the Worker's sealing key: base64 of nonce and ciphertext. */
    sealedSecret: text('sealed_secret').notNull(),
    /** The secret before this one, which signs too until `previousSecretUntil`. */
    previousSealedSecret: text('previous_sealed_secret'),
    previousSecretUntil: integer('previous_secret_until'),
    /** Of the receiver's own headers the names; null: it has none. */
    headerNames: text('header_names', { mode: 'json' }).$type<string[]>(),
    /** Sealed as the secret is: names and values, as JSON. */
    sealedHeaders: text('sealed_headers'),
    /** What a person has decided; whether its circuit is open is the log's to know. */
    enabled: integer({ mode: 'boolean' }).notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('webhooks_account').on(table.accountId)],
);

/** The campaigns of an account, as their list shows them. What they are to do, and how far they are, is in their objects. */
export const campaigns = sqliteTable(
  'campaigns',
  {
    id: text().primaryKey(),
    accountId: text('account_id').notNull(),
    name: text().notNull(),
    /** This and the counts as the campaign has told them last. */
    status: text().$type<CampaignStatus>().notNull(),
    counts: text({ mode: 'json' }).$type<CampaignCounts>().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('campaigns_account').on(table.accountId, table.id)],
);

/** Rules that answer by themselves. What they have done is in the accounts' logs. */
export const automations = sqliteTable(
  'automations',
  {
    id: text().primaryKey(),
    accountId: text('account_id').notNull(),
    name: text().notNull(),
    enabled: integer({ mode: 'boolean' }).notNull(),
    definition: text({ mode: 'json' }).$type<Omit<AutomationDefinition, 'name' | 'enabled'>>().notNull(),
    /** Counted from 0: the first one is asked first. */
    position: integer().notNull(),
    /** Signs the callbacks of the rule; as those of webhooks. */
    sealedSecret: text('sealed_secret').notNull(),
    previousSealedSecret: text('previous_sealed_secret'),
    previousSecretUntil: integer('previous_secret_until'),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('automations_account').on(table.accountId, table.position)],
);

/**
 * Entries of the audit log, written in the batch of the change that they tell of. They wait here until the account's
 * `AuditLog` has put them into its chain, which is the log.
 */
export const auditOutbox = sqliteTable(
  'audit_outbox',
  {
    accountId: text('account_id').notNull(),
    id: text().notNull(),
    at: integer().notNull(),
    /** `user:<id>`, `key:<id>` or `operator`. */
    actor: text().notNull(),
    /** The actor's name at that time: a person's e-mail address. */
    actorName: text('actor_name'),
    action: text().notNull(),
    /** What it was done to, by kind and id: `api_key:<id>`. */
    target: text().notNull(),
    /** The target's name at that time. */
    targetName: text('target_name'),
    /** The network address that the request came from. */
    address: text(),
    requestId: text('request_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.id] }), index('audit_outbox_at').on(table.at)],
);

/** What people define of an account as a whole, and change as a whole. */
const definitionColumns = <Definition>() => ({
  id: text().primaryKey(),
  accountId: text('account_id').notNull(),
  definition: text({ mode: 'json' }).$type<Definition>().notNull(),
  createdAt: integer('created_at').notNull(),
});

export const businessHours = sqliteTable('business_hours', definitionColumns<BusinessHours>(), (table) => [
  index('business_hours_account').on(table.accountId),
]);

export const slaPolicies = sqliteTable('sla_policies', definitionColumns<SlaPolicy>(), (table) => [
  index('sla_policies_account').on(table.accountId),
]);

export const teams = sqliteTable('teams', definitionColumns<Team>(), (table) => [
  index('teams_account').on(table.accountId),
]);

export const labels = sqliteTable('labels', definitionColumns<Label>(), (table) => [
  index('labels_account').on(table.accountId),
]);

export const cannedReplies = sqliteTable('canned_replies', definitionColumns<CannedReply>(), (table) => [
  index('canned_replies_account').on(table.accountId),
]);
