import { z } from 'zod';
import { timeOfDaySchema, timeZoneSchema } from '../clock-fields.ts';
import { phoneNumberSchema } from '../ids.ts';

/** How fast a number speaks. Every field may be left out and then keeps its value. */
export const pacingSchema = z
  .strictObject({
    minDelayMs: z
      .int()
      .min(0)
      .max(600_000)
      .describe(
        'Shortest wait between two messages, in milliseconds. Each wait is random between the two; 0 for both turns pacing off.',
      ),
    maxDelayMs: z.int().min(0).max(600_000).describe('Longest wait between two messages, in milliseconds.'),
    dailyLimit: z
      .int()
      .min(0)
      .max(1_000_000)
      .nullable()
      .describe('Messages per calendar day in `timeZone`. Null: no limit.'),
    warmUp: z
      .array(z.int().min(0).max(1_000_000))
      .min(1)
      .max(90)
      .nullable()
      .describe('Daily limits of a new number, one for each day from the day of the pairing. Null: no ramp.'),
    recipientIntervalMs: z
      .int()
      .min(0)
      .max(86_400_000)
      .describe('Shortest wait between two messages to the same recipient, in milliseconds.'),
    typing: z.boolean().describe('Shows "typing" before a text, for a time in proportion to its length.'),
    quietHours: z
      .strictObject({
        start: timeOfDaySchema.describe('When they begin, as `HH:MM` in `timeZone`.'),
        end: timeOfDaySchema.describe('When they end, as `HH:MM` in `timeZone`.'),
      })
      .nullable()
      .describe('Nothing is sent from `start` to `end`, past midnight if `end` is earlier. Null: none.'),
    timeZone: timeZoneSchema.describe('The IANA time zone of the days and hours, such as `Asia/Jakarta`.'),
  })
  .refine((pacing) => pacing.minDelayMs <= pacing.maxDelayMs, {
    path: ['maxDelayMs'],
    message: 'Must not be less than minDelayMs.',
  });
export type Pacing = z.infer<typeof pacingSchema>;

export const defaultPacing: Pacing = {
  minDelayMs: 800,
  maxDelayMs: 2400,
  dailyLimit: null,
  warmUp: null,
  recipientIntervalMs: 0,
  typing: false,
  quietHours: null,
  timeZone: 'UTC',
};

const prefixSchema = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, 'Must be digits with the country code, without a plus sign.');

/** Whom a number, or a whole account, may write to. An empty `allowPrefixes` allows everybody. */
export const filtersSchema = z.strictObject({
  allowPrefixes: z
    .array(prefixSchema)
    .max(1000)
    .describe('Only recipients whose phone number begins with one of these. Empty: all.'),
  blockPrefixes: z
    .array(prefixSchema)
    .max(1000)
    .describe('No recipients whose phone number begins with one of these.'),
  blockNumbers: z
    .array(phoneNumberSchema)
    .max(10_000)
    .describe('Excluded recipients: digits with the country code.'),
  checkOnNetwork: z
    .boolean()
    .describe('Checks that a recipient is on the network before the first message to them.'),
});
export type Filters = z.infer<typeof filtersSchema>;

export const openFilters: Filters = {
  allowPrefixes: [],
  blockPrefixes: [],
  blockNumbers: [],
  checkOnNetwork: false,
};

/** Why a message is still waiting: a closed list, shown as `heldReason`. */
export const heldReasons = {
  scheduled: 'Its `sendAt` has not come yet.',
  not_connected: 'The number is not connected.',
  resting: 'The number rests after failures.',
  restricted: 'The network restricts new chats for this number.',
  quiet_hours: 'It is quiet hours for this number.',
  daily_limit: 'The number has reached its limit for today.',
  warm_up: 'The number is new and has reached its limit for today.',
  recipient_interval: 'The recipient was written to a moment ago.',
  pacing: 'The number pauses between messages.',
  in_flight: 'Messages before it are under way.',
} as const;
export type HeldReason = keyof typeof heldReasons;

/** How a sender is, as `health` shows it. */
export const healthStatuses = ['healthy', 'resting', 'restricted', 'unavailable'] as const;
export type HealthStatus = (typeof healthStatuses)[number];
