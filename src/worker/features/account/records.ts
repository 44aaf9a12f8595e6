import { z } from 'zod';
import { timestampSchema, uuidSchema } from '../../../contract/ids.ts';
import { keyScopeSchema } from '../../../contract/key-scopes.ts';
import { listOf, optionalTimestamp, record } from '../../openapi/schemas.ts';
import { openToNewUsersSchema } from '../people/records.ts';

export const usageSchema = record(
  'Usage',
  'The monthly quota, and the stored files. A message that fails before it leaves is returned to the quota.',
  {
    period: z.string().describe('The calendar month (UTC): `2026-01`.'),
    used: z.int().describe('Messages accepted, minus those returned to the quota.'),
    limit: z.int().nullable().describe('Null: unlimited.'),
    resetAt: timestampSchema.describe('When the count resets.'),
    byNumber: z
      .array(z.object({ numberId: uuidSchema, used: z.int() }))
      .describe('Usage by number; numbers that sent nothing are left out.'),
    byDay: z
      .array(z.object({ day: z.string().describe('A day (UTC): `2026-01-31`.'), used: z.int() }))
      .describe('Usage by day; days without accepted messages are left out.'),
    storage: z
      .object({
        used: z.int().describe('In bytes. A file counts until it is deleted, 30 days at most.'),
        limit: z.int().nullable().describe('In bytes. Null: unlimited.'),
      })
      .describe('Files the account has stored: uploaded, sent, received and imported.'),
  },
);

/** Null: no limit. */
const cap = z.int().nullable();

export const accountPlanSchema = record('AccountPlan', 'The plan of an account.', {
  accountId: uuidSchema,
  name: z.string(),
  plan: z.string().describe('`free`, or a name of the variable `PLANS`.'),
  messagesAMonth: cap.describe('The quota per calendar month (UTC) on this plan.'),
  storageBytes: cap.describe('How many bytes of files it may store at a time; more gets `402`.'),
  caps: z
    .object({
      numbers: cap,
      webhooks: cap,
      keys: cap.describe('API keys that are neither revoked nor expired.'),
      members: cap.describe('Members and open invitations together.'),
      pairings: cap.describe('Pairings in progress at once.'),
    })
    .describe('The limits of this plan; exceeding one gets `409`.'),
});

export const accountSchema = record('Account', 'The account that the token is for.', {
  ...accountPlanSchema.shape,
  used: z
    .object({
      numbers: z.int(),
      webhooks: z.int(),
      keys: z.int(),
      members: z.int().describe('Members and open invitations together.'),
    })
    .describe('Usage of what the plan limits.'),
  createdAt: timestampSchema,
  openToNewUsers: openToNewUsersSchema,
});

export const apiKeySchema = record('ApiKey', 'An API key, without its secret.', {
  id: uuidSchema,
  name: z.string(),
  prefix: z.string().describe('The first characters of the key, to recognise it.'),
  mode: z.enum(['pool', 'pinned']),
  pinnedNumberId: uuidSchema.nullable().describe('The number that the key always sends through.'),
  onPinFailure: z
    .enum(['strict', 'fallback'])
    .describe('When the pinned number is unavailable: answer 503, or send through the pool.'),
  scopes: z.array(keyScopeSchema).describe('What the key may do.'),
  createdAt: timestampSchema,
  lastUsedAt: optionalTimestamp.describe('Exact to the second.'),
  expiresAt: timestampSchema.optional().describe('Only on keys that expire.'),
  allowedAddresses: z
    .array(z.string())
    .optional()
    .describe('Only on keys that are restricted to IP addresses.'),
});

export const apiKeyListSchema = listOf(apiKeySchema, 'ApiKeyList');

export const createdApiKeySchema = record('CreatedApiKey', 'A new API key.', {
  ...apiKeySchema.shape,
  key: z.string().describe('The key itself: shown this once.'),
});

const figures = {
  queued: z.int().describe('Messages that were accepted.'),
  sent: z.int().describe('Messages that the network took.'),
  delivered: z.int().describe("Messages that reached the recipient's phone."),
  read: z.int(),
  failed: z.int(),
  received: z.int().describe('Messages that came in.'),
};

const series = z
  .array(z.object({ at: timestampSchema.describe('When the interval begins.'), ...figures }))
  .describe('Oldest first, without gaps: if nothing happened, all figures are 0.');

export const trafficSchema = record(
  'Traffic',
  'How many messages reached each step in each interval. One that is accepted in one hour and read in the next ' +
    'counts in both.',
  {
    interval: z.enum(['hour', 'day']),
    since: timestampSchema.describe('When the first interval begins.'),
    until: timestampSchema.describe('When the last interval ends.'),
    data: series,
    byNumber: z
      .array(z.object({ numberId: uuidSchema, total: z.object(figures), data: series }))
      .optional()
      .describe(
        'Only with `groupBy=number`: the busiest numbers first, at most 200; numbers without messages are left out.',
      ),
  },
);
