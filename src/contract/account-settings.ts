import { z } from 'zod';
import { filtersSchema, openFilters } from './numbers/sender-settings.ts';
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
    stopWords: z.array(wordSchema).max(100).describe('Whoever sends one of these is opted out.'),
    startWords: z.array(wordSchema).max(100).describe('Whoever sends one of these is opted in again.'),
    confirmation: z
      .string()
      .max(1000)
      .refine((text) => text.trim() !== '', 'Must not be blank.')
      .nullable()
      .describe(
        'Sent once to whoever opts out, from the number they wrote to. Null: nothing is sent. No event reports it.',
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
    .describe('Months after which messages are archived. Archived messages can still be read.'),
  eventsDays: z
    .int()
    .min(1)
    .max(365)
    .describe(
      'Days that events and the attempts to deliver them are kept. The event stream goes back this far.',
    ),
});
export type Retention = z.infer<typeof retentionSchema>;

/** How the account's people answer: all of it is off until somebody sets it. */
const supportSchema = z.strictObject({
  reports: z
    .boolean()
    .describe(
      'Records when conversations were opened, answered and resolved, for the support report. Always on with an SLA policy or a survey.',
    ),
  autoResolveHours: z
    .int()
    .min(1)
    .max(8_760)
    .nullable()
    .describe(
      'Hours without messages after which an open conversation is resolved, unless someone is waiting for a reply. Counted from the last message, or from when it was opened again, if that was later. Null: never.',
    ),
  survey: z
    .strictObject({
      question: z
        .string()
        .max(1000)
        .refine((text) => text.trim() !== '', 'Must not be blank.')
        .refine((text) => !text.includes('\0'), 'Must not contain a NUL character.')
        .describe('The question. Ask for a number from 1 to 5.'),
      everyDays: z.int().min(1).max(365).describe('Days before the same person is asked again.'),
    })
    .nullable()
    .describe(
      'Asks for a rating from 1 to 5 in the chat when a conversation in which the person got a reply is resolved. Null: nobody is asked.',
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
      'Hours during which a recipient keeps hearing from the number they last talked with. 0 turns this off.',
    ),
  rerouteAfterMs: z
    .int()
    .min(0)
    .max(86_400_000)
    .describe(
      'Milliseconds that a number may be offline, or rest after failures, before its waiting messages move to another number. Messages of strictly pinned keys keep waiting for it.',
    ),
  optOut: optOutSchema,
  retention: retentionSchema,
  networkChecksPerDay: z
    .int()
    .min(0)
    .max(10_000)
    .describe(
      'Recipients that one number may look up on the network per day (UTC). Beyond that, sends are not checked.',
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
