import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type {
  AssistantTools,
  assistantHours,
  HandOffSettings,
  Provider,
} from '../contract/assistants/assistant.ts';

/** AI assistants, as people have made them. What they know is in the account's `Knowledge`, what they did in its log. */
export const assistants = sqliteTable(
  'assistants',
  {
    id: text().primaryKey(),
    accountId: text('account_id').notNull(),
    name: text().notNull(),
    enabled: integer({ mode: 'boolean' }).notNull(),
    /** Null: all numbers, also those to come. */
    numberIds: text('number_ids', { mode: 'json' }).$type<string[]>(),
    /** Without its key. */
    provider: text({ mode: 'json' }).$type<Provider>().notNull(),
    /** The key of the provider, and the headers of tools by tool and header, as JSON: sealed as a webhook's secret is. */
    sealedSecrets: text('sealed_secrets'),
    instructions: text().notNull(),
    introduction: text(),
    /** Without the values of headers. */
    tools: text({ mode: 'json' }).$type<AssistantTools>().notNull(),
    handOff: text('hand_off', { mode: 'json' }).$type<HandOffSettings>().notNull(),
    hours: text().$type<(typeof assistantHours)[number]>().notNull(),
    dailyTokenBudget: integer('daily_token_budget').notNull(),
    conversationTokenBudget: integer('conversation_token_budget').notNull(),
    debounceSeconds: integer('debounce_seconds').notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [index('assistants_account').on(table.accountId)],
);
