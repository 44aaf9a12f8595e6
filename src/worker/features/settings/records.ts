import { z } from 'zod';
import { accountSettingsSchema } from '../../../contract/account-settings.ts';
import { timestampSchema, uuidSchema } from '../../../contract/ids.ts';
import { filtersSchema } from '../../../contract/numbers/sender-settings.ts';
import { listOf, record } from '../../openapi/schemas.ts';

const { stickyHours, rerouteAfterMs, retention, networkChecksPerDay, support } = accountSettingsSchema.shape;
const words = z
  .array(z.string())
  .describe('As they are compared: in capitals, without spaces, punctuation and symbols around them.');

/** Words are shown as they were understood, so this is not the schema that a change is validated with. */
export const settingsSchema = record('Settings', 'What applies to every number of the account.', {
  filters: filtersSchema.describe('Whom no number of the account may message.'),
  stickyHours,
  rerouteAfterMs,
  optOut: z
    .object({
      stopWords: words,
      startWords: words,
      confirmation: z
        .string()
        .nullable()
        .describe('The reply to an opt-out, sent once; null: nothing. No event reports it.'),
    })
    .describe('What a recipient writes, and nothing else, to opt out or to opt in again.'),
  retention: retention.describe('How long data is kept before it is archived.'),
  networkChecksPerDay,
  support: support.describe('How your team replies.'),
});

export const optOutSchema = record(
  'OptOut',
  'A recipient who opted out: sends to them are refused with `RECIPIENT_FILTERED`.',
  {
    phoneNumber: z
      .string()
      .nullable()
      .describe('The recipient; null if only an alias is known: then `contactId` is there.'),
    contactId: uuidSchema.nullable().describe('Their contact; null: none.'),
    name: z.string().nullable().describe('The name of the contact, if known.'),
    optedOutAt: timestampSchema.describe('When they sent the word, or were added.'),
    numberId: uuidSchema.nullable().describe('The number they sent it to; null if they were added by hand.'),
    word: z.string().nullable().describe('What they wrote; null if they were added by hand.'),
  },
);

export const optOutListSchema = listOf(optOutSchema, 'OptOutList');
