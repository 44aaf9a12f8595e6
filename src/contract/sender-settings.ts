import { z } from 'zod';
import { timeOfDaySchema, timeZoneSchema } from './clock-fields.ts';
import { phoneNumberSchema } from './ids.ts';

/** How fast a number speaks. Every field may be left out and then keeps its value. */
export const pacingSchema = z
  .strictObject({
    minDelayMs: z
      .int()
      .min(0)
      .max(600_000)
      .describe(
        'Shortest wait between two messages, in milliseconds; each wait is drawn at random. 0 and 0 turn it off.',
      ),
    maxDelayMs: z.int().min(0).max(600_000).describe('Longest wait between two messages, in milliseconds.'),
    dailyLimit: z
      .int()
      .min(0)
      .max(1_000_000)
      .nullable()
      .describe('Messages a calendar day in `timeZone`; null for no limit.'),
    warmUp: z
      .array(z.int().min(0).max(1_000_000))
      .min(1)
      .max(90)
      .nullable()
      .describe(
        'Day limits of a new number: the first holds on the day of the pairing, the last one ends the ramp. Null for none.',
      ),
    recipientIntervalMs: z
      .int()
      .min(0)
      .max(86_400_000)
      .describe('Shortest wait between two messages to the same recipient, in milliseconds.'),
    typing: z.boolean().describe('Shows "typing" before a text, in proportion to its length.'),
    quietHours: z
      .strictObject({
        start: timeOfDaySchema.describe('When they begin, as `HH:MM` in `timeZone`.'),
        end: timeOfDaySchema.describe('When they end, as `HH:MM` in `timeZone`.'),
      })
      .nullable()
      .describe('From `start` to `end` nothing leaves; over midnight when `end` comes first. Null for none.'),
    timeZone: timeZoneSchema.describe('The IANA time zone of the days and hours: `Asia/Jakarta`.'),
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
    .describe('Only recipients whose phone number begins with one of these; empty for all.'),
  blockPrefixes: z
    .array(prefixSchema)
    .max(1000)
    .describe('No recipients whose phone number begins with one of these.'),
  blockNumbers: z
    .array(phoneNumberSchema)
    .max(10_000)
    .describe('Not these recipients: digits with country code.'),
  checkOnNetwork: z
    .boolean()
    .describe('Asks the network whether a recipient is there before the first message to it.'),
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
