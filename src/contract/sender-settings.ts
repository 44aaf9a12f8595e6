import { z } from 'zod';
import { phoneNumberSchema } from './ids.ts';

const timeOfDaySchema = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'A time of day as HH:MM.');

/** An IANA time zone that this runtime knows. */
const timeZoneSchema = z.string().refine((zone) => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}, 'Not an IANA time zone, such as Asia/Jakarta.');

/** How fast a number speaks. Every field may be left out and then keeps its value. */
export const pacingSchema = z
  .strictObject({
    /** Random wait between two messages, in milliseconds; 0 and 0 turn it off. */
    minDelayMs: z.int().min(0).max(600_000),
    maxDelayMs: z.int().min(0).max(600_000),
    /** Messages a calendar day in `timeZone`; null for no limit. */
    dailyLimit: z.int().min(0).max(1_000_000).nullable(),
    /** Day limits by age: the first entry holds on the day of the pairing, the last one ends the ramp. Null: none. */
    warmUp: z.array(z.int().min(0).max(1_000_000)).min(1).max(90).nullable(),
    /** Between two messages to the same recipient, in milliseconds. */
    recipientIntervalMs: z.int().min(0).max(86_400_000),
    /** Shows "typing" before a text, in proportion to its length. */
    typing: z.boolean(),
    /** From `start` to `end` nothing leaves; over midnight when `end` comes first. Null: always open. */
    quietHours: z.strictObject({ start: timeOfDaySchema, end: timeOfDaySchema }).nullable(),
    timeZone: timeZoneSchema,
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

const prefixSchema = z.string().regex(/^[1-9]\d{0,14}$/, 'Digits with country code, no plus sign.');

/** Whom a number, or a whole account, may write to. An empty `allowPrefixes` allows everybody. */
export const filtersSchema = z.strictObject({
  allowPrefixes: z.array(prefixSchema).max(1000),
  blockPrefixes: z.array(prefixSchema).max(1000),
  blockNumbers: z.array(phoneNumberSchema).max(10_000),
  /** Asks the network whether a recipient is there before the first message to it. */
  checkOnNetwork: z.boolean(),
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
