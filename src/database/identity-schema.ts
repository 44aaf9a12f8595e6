import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/*
 * D1: how people prove who they are. Secrets stand here as hashes, or sealed; of a token that was mailed only its hash.
 * Times are integers, milliseconds since 1970.
 */

/** A sign-in, from the password to its end. Its refresh cookie names the generation: the next use raises it. */
export const sessions = sqliteTable(
  'sessions',
  {
    id: text().primaryKey(),
    userId: text('user_id').notNull(),
    /** The account that the next token is for. */
    accountId: text('account_id').notNull(),
    generation: integer().notNull(),
    createdAt: integer('created_at').notNull(),
    lastUsedAt: integer('last_used_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
    endedAt: integer('ended_at'),
    address: text(),
    userAgent: text('user_agent'),
    /** When the person has last shown that it is them: at sign-in, and before a dangerous act. */
    confirmedAt: integer('confirmed_at'),
  },
  (table) => [index('sessions_user').on(table.userId), index('sessions_expiry').on(table.expiresAt)],
);

/** A token that was mailed to somebody; using it deletes it. */
export const mailedTokens = sqliteTable(
  'mailed_tokens',
  {
    /** Lower-case hex SHA-256: the token is 256 random bits, so no salt is needed. */
    tokenHash: text('token_hash').primaryKey(),
    purpose: text().$type<'sign_up' | 'password_reset'>().notNull(),
    /** To whom; lower case. */
    email: text().notNull(),
    /** Whose password it resets. */
    userId: text('user_id'),
    /** Who signs up, until the address has proved to be theirs. */
    signUp: text('sign_up', { mode: 'json' }).$type<PendingSignUp>(),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [
    // The next one to the same address ends the one before.
    uniqueIndex('mailed_tokens_email').on(table.email, table.purpose),
    index('mailed_tokens_expiry').on(table.expiresAt),
  ],
);

/** No password: it is chosen by who opens the mail. */
export interface PendingSignUp {
  name: string;
  accountName: string;
}

/** An open invitation; accepting or withdrawing it deletes it. */
export const invitations = sqliteTable(
  'invitations',
  {
    id: text().primaryKey(),
    accountId: text('account_id').notNull(),
    /** Lower case. */
    email: text().notNull(),
    role: text().$type<'owner' | 'admin' | 'agent'>().notNull(),
    /** The user who has invited: what they may not do any more, their invitation cannot either. */
    invitedBy: text('invited_by').notNull(),
    tokenHash: text('token_hash').notNull(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [
    uniqueIndex('invitations_token').on(table.tokenHash),
    // Inviting somebody again replaces the first invitation.
    uniqueIndex('invitations_email').on(table.accountId, table.email),
    index('invitations_expiry').on(table.expiresAt),
  ],
);

export const twoFactors = sqliteTable('two_factors', {
  userId: text('user_id').primaryKey(),
  /** The TOTP secret in base32, sealed under the Worker's sealing key. */
  sealedSecret: text('sealed_secret').notNull(),
  /** Null until a first code has shown that the person's app has the secret. */
  confirmedAt: integer('confirmed_at'),
  /** The time step of the last code that was accepted: none is accepted twice. */
  lastStep: integer('last_step').notNull(),
});

/** Each is used once, in place of a code. */
export const recoveryCodes = sqliteTable(
  'recovery_codes',
  {
    userId: text('user_id').notNull(),
    codeHash: text('code_hash').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
);
