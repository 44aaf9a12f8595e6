import { z } from 'zod';
import { filtersSchema, openFilters } from './sender-settings.ts';
import {
  comparableWord,
  currentOptOutWords,
  defaultOptOutWords,
  optOutCharactersMax,
} from './texts/opt-out-words.ts';

const wordSchema = z
  .string()
  .transform(comparableWord)
  .refine((word) => word.length >= 1 && word.length <= optOutCharactersMax, '1 to 32 characters.');

/** An inbound message that is exactly one of these words puts its author on the account's opt-out list, or takes it off. */
const optOutSchema = z
  .strictObject({
    stopWords: z.array(wordSchema).max(100).describe('Put their author on the opt-out list.'),
    startWords: z.array(wordSchema).max(100).describe('Take their author off it.'),
    confirmation: z
      .string()
      .max(1000)
      .refine((text) => text.trim() !== '', 'Must not be blank.')
      .nullable()
      .describe(
        'A text that whoever opts out gets once, from the number that they wrote to; null for none. No event tells of it.',
      ),
  })
  .refine(({ stopWords, startWords }) => !stopWords.some((word) => startWords.includes(word)), {
    path: ['startWords'],
    message: 'A word cannot be a stop word and a start word.',
  });

/** How long the account's log keeps things itself; what is older goes to the archive. */
const retentionSchema = z.strictObject({
  messagesMonths: z
    .int()
    .min(1)
    .max(120)
    .describe('Months that messages are kept at hand. Older ones are archived, and can still be read.'),
  eventsDays: z
    .int()
    .min(1)
    .max(365)
    .describe(
      'Days that events, and the attempts to deliver them, are kept. Then the event stream ends there.',
    ),
});
export type Retention = z.infer<typeof retentionSchema>;

/** How the account's people answer: all of it is off until somebody sets it. */
const supportSchema = z.strictObject({
  reports: z
    .boolean()
    .describe(
      'Keeps when conversations were opened, answered and resolved, for the support report. An SLA policy or a survey does so by itself.',
    ),
  autoResolveHours: z
    .int()
    .min(1)
    .max(8_760)
    .nullable()
    .describe(
      'Resolves an open conversation after so many hours in which nobody has written and nobody waits for an answer. Null: never.',
    ),
  survey: z
    .strictObject({
      question: z
        .string()
        .max(1000)
        .refine((text) => text.trim() !== '', 'Must not be blank.')
        .refine((text) => !text.includes('\0'), 'Must not contain a NUL character.')
        .describe('What is asked. Say in it that a number from 1 to 5 is the answer.'),
      everyDays: z.int().min(1).max(365).describe('Nobody is asked again within so many days.'),
    })
    .nullable()
    .describe(
      'Asks a person who was answered once their conversation is resolved, through the chat, for a rating from 1 to 5. Null: nobody is asked.',
    ),
});

export type SupportSettings = z.infer<typeof supportSchema>;

/** What holds for all numbers of an account. */
export const accountSettingsSchema = z.strictObject({
  filters: filtersSchema,
  stickyHours: z
    .int()
    .min(0)
    .max(720)
    .describe(
      'A recipient hears from the number that it last talked with, when that is so many hours ago at most; 0 turns it off.',
    ),
  rerouteAfterMs: z
    .int()
    .min(0)
    .max(86_400_000)
    .describe(
      'How long a number may be away, or rest after failures, before the messages that wait for it go to another one, in milliseconds. Those of strictly pinned keys wait for it.',
    ),
  optOut: optOutSchema,
  retention: retentionSchema,
  networkChecksPerDay: z
    .int()
    .min(0)
    .max(10_000)
    .describe(
      'Recipients that one number may look up on the network a day (UTC); beyond it sends pass unchecked.',
    ),
  support: supportSchema,
});
export type AccountSettings = z.infer<typeof accountSettingsSchema>;

export const defaultAccountSettings: AccountSettings = {
  filters: openFilters,
  stickyHours: 24,
  rerouteAfterMs: 120_000,
  optOut: {
    ...defaultOptOutWords,
    confirmation: null,
  },
  retention: { messagesMonths: 12, eventsDays: 30 },
  networkChecksPerDay: 200,
  support: { reports: false, autoResolveHours: null, survey: null },
};

/** What an account has stored, with the defaults for what it never set. */
export const withDefaultSettings = (stored: AccountSettings | null): AccountSettings => {
  const settings = { ...defaultAccountSettings, ...stored };
  return { ...settings, optOut: currentOptOutWords(settings.optOut) };
};
