import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { AccountSettings } from '../contract/account-settings.ts';
import type { DeviceState } from '../contract/device.ts';
import type { EventEnvelope, EventName } from '../contract/events.ts';
import type { ChatType, MessageStatus, MessageType, SenderSource } from '../contract/message.ts';
import type { Filters, Pacing } from '../contract/sender-settings.ts';

/*
 * D1: configuration and the read model. Times are integers, milliseconds since 1970.
 * Tables on the path of a message (messages, deliveries, delivery_packs) are WITHOUT ROWID in the migrations, one row
 * written per insert; drizzle cannot say so, so it is added to the generated SQL by hand and a test holds it there.
 */

export const accounts = sqliteTable('accounts', {
  id: text().primaryKey(),
  name: text().notNull(),
  /** `free`, or a name in the operator's `PLANS`. */
  plan: text().notNull(),
  createdAt: integer('created_at').notNull(),
  /** Null: the defaults. */
  settings: text({ mode: 'json' }).$type<AccountSettings>(),
});

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
    /** Null: the defaults, here and in `filters`. */
    pacing: text({ mode: 'json' }).$type<Pacing>(),
    filters: text({ mode: 'json' }).$type<Filters>(),
    /* What follows is projected from the number's object, newest revision wins. */
    phoneNumber: text('phone_number'),
    state: text().$type<DeviceState>().notNull(),
    reason: text(),
    connectedAt: integer('connected_at'),
    lastSeenAt: integer('last_seen_at'),
    revision: integer().notNull().default(0),
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
    enabled: integer({ mode: 'boolean' }).notNull(),
    failureStreak: integer('failure_streak').notNull().default(0),
    disabledReason: text('disabled_reason').$type<'circuit_open'>(),
    lastDeliveryAt: integer('last_delivery_at'),
    /** Its receiver was slow a moment ago: until then its deliveries take the slow lane. */
    slowUntil: integer('slow_until'),
    /** It was switched on again, and what was held for it is on its way out. */
    releasing: integer({ mode: 'boolean' }).notNull().default(false),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    index('webhooks_account').on(table.accountId),
    index('webhooks_releasing').on(table.id).where(sql`releasing = 1`),
  ],
);

/** The read model of messages. Each column is filled once, by the event that brings it; a repeat changes nothing. */
export const messages = sqliteTable(
  'messages',
  {
    accountId: text('account_id').notNull(),
    messageId: text('message_id').notNull(),
    direction: text().$type<'outbound' | 'inbound'>().notNull(),
    status: text().$type<MessageStatus | 'received'>().notNull(),
    numberId: text('number_id').notNull(),
    to: text().notNull(),
    from: text().notNull(),
    chatType: text('chat_type').$type<ChatType>().notNull(),
    messageType: text('message_type').$type<MessageType>().notNull(),
    text: text(),
    groupId: text('group_id'),
    providerMessageId: text('provider_message_id'),
    senderSource: text('sender_source').$type<SenderSource>(),
    errorMessage: text('error_message'),
    queuedAt: integer('queued_at'),
    sentAt: integer('sent_at'),
    deliveredAt: integer('delivered_at'),
    readAt: integer('read_at'),
    failedAt: integer('failed_at'),
    receivedAt: integer('received_at'),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.messageId] })],
);

/**
 * One row a delivery: an event on its way to one webhook. `nextAttemptAt` is null once it is over, and while it is held
 * because its webhook is off. Both indexes are partial: what is over is in neither. What the receiver took at the first
 * attempt is not here but in a pack.
 */
export const deliveries = sqliteTable(
  'deliveries',
  {
    webhookId: text('webhook_id').notNull(),
    deliveryId: text('delivery_id').notNull(),
    accountId: text('account_id').notNull(),
    eventId: text('event_id').notNull(),
    event: text().$type<EventName>().notNull(),
    /** The exact bytes of the callback's body. */
    body: text().notNull(),
    status: text().$type<'pending' | 'held' | 'delivered' | 'failed'>().notNull(),
    attempts: text({ mode: 'json' }).$type<DeliveryAttempt[]>().notNull(),
    nextAttemptAt: integer('next_attempt_at'),
  },
  (table) => [
    primaryKey({ columns: [table.webhookId, table.deliveryId] }),
    index('deliveries_due').on(table.nextAttemptAt).where(sql`next_attempt_at is not null`),
    index('deliveries_held').on(table.webhookId, table.deliveryId).where(sql`status = 'held'`),
  ],
);

/**
 * One row for the deliveries of one webhook that the receiver took at the first attempt in one batch of events. A pack
 * spans little time (see `delivery-packs.ts`), so the packs that may hold an id are found in the primary key. A delivery
 * that also has a row is what the row says.
 */
export const deliveryPacks = sqliteTable(
  'delivery_packs',
  {
    webhookId: text('webhook_id').notNull(),
    /** The largest delivery id in it; `firstId` is the smallest. */
    lastId: text('last_id').notNull(),
    /** Tells packs apart that end with the same delivery: a batch that the queue brought twice at the same time. */
    packId: text('pack_id').notNull(),
    firstId: text('first_id').notNull(),
    /** Each name that occurs in it, once. */
    events: text({ mode: 'json' }).$type<EventName[]>().notNull(),
    deliveries: text({ mode: 'json' }).$type<PackedDelivery[]>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.webhookId, table.lastId, table.packId] })],
);

export interface PackedDelivery {
  deliveryId: string;
  attempt: DeliveryAttempt;
  /** What the callback's body says; as text without spaces it is the body's exact bytes. */
  body: EventEnvelope;
}

export interface DeliveryAttempt {
  /** Milliseconds since 1970. */
  at: number;
  statusCode: number | null;
  durationMs: number;
  error: string | null;
  responseSnippet: string | null;
}

/** What the owner of an account has to be told. The row is the alert; `announcedAt` is null until the channels have it. */
export const alerts = sqliteTable(
  'alerts',
  {
    accountId: text('account_id').notNull(),
    /** Derived from what it is about, so that no repetition raises it twice. */
    id: text().notNull(),
    kind: text().$type<AlertKind>().notNull(),
    /** What it is about, by kind and id: `webhook:<id>`. */
    subject: text().notNull(),
    at: integer().notNull(),
    detail: text({ mode: 'json' }).$type<Record<string, string | number>>().notNull(),
    announcedAt: integer('announced_at'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    index('alerts_unannounced').on(table.at).where(sql`announced_at is null`),
  ],
);

export type AlertKind = 'webhook.failing' | 'webhook.disabled';

export const auditLog = sqliteTable(
  'audit_log',
  {
    accountId: text('account_id').notNull(),
    id: text().notNull(),
    at: integer().notNull(),
    /** `user:<id>` or `key:<id>`. */
    actor: text().notNull(),
    action: text().notNull(),
    /** What it was done to, by kind and id: `api_key:<id>`. */
    target: text().notNull(),
    /** The target's name at that time. */
    targetName: text('target_name'),
    requestId: text('request_id').notNull(),
    /** The actor's name at that time: a person's e-mail address, a key's name. */
    actorName: text('actor_name'),
    /** The network address that the request came from. */
    address: text(),
    /** The account's entries are numbered from 1. Null: written before there was a chain. */
    seq: integer(),
    /** The hash of entry `seq - 1`. */
    previousHash: text('previous_hash'),
    /** Lower-case hex SHA-256 of the entry and `previousHash`. */
    hash: text(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    uniqueIndex('audit_log_seq').on(table.accountId, table.seq),
  ],
);
