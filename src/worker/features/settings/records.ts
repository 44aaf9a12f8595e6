import { z } from 'zod';
import { accountSettingsSchema } from '../../../contract/account-settings.ts';
import { timestampSchema, uuidSchema } from '../../../contract/ids.ts';
import { filtersSchema } from '../../../contract/sender-settings.ts';
import { answerSchemas, pageOf } from '../../openapi/schemas.ts';

const { stickyHours, rerouteAfterMs, retention, networkChecksPerDay, support } = accountSettingsSchema.shape;
const words = z
  .array(z.string())
  .describe('As they are compared: in capitals, without spaces, punctuation and symbols around them.');

/** Words are shown as they were understood, so this is not the schema that a change is validated with. */
export const settingsSchema = z
  .object({
    filters: filtersSchema.describe('Whom no number of the account may write to.'),
    stickyHours,
    rerouteAfterMs,
    optOut: z
      .object({
        stopWords: words,
        startWords: words,
        confirmation: z
          .string()
          .nullable()
          .describe('What whoever opts out is answered, once; null: nothing. No event tells of it.'),
      })
      .describe('What a recipient writes, and nothing else, to hear no more, or to hear again.'),
    retention: retention.describe('How long things are kept at hand.'),
    networkChecksPerDay,
    support: support.describe("How the account's people answer."),
  })
  .describe('What holds for every number of the account.')
  .register(answerSchemas, { id: 'Settings' });

export const optOutSchema = z
  .object({
    phoneNumber: z
      .string()
      .nullable()
      .describe('Who does not want to be written to; null where only an alias of theirs is known.'),
    contactId: uuidSchema
      .nullable()
      .describe(
        'The contact that they are; null: none. With `phoneNumber` null too, the contact was erased.',
      ),
    name: z.string().nullable().describe('What the contact is called, where that is known.'),
    optedOutAt: timestampSchema.describe('When they wrote the word, or were put on the list.'),
    numberId: uuidSchema
      .nullable()
      .describe('The number that they wrote it to; null where somebody put them on the list.'),
    word: z.string().nullable().describe('What they wrote; null where somebody put them on the list.'),
  })
  .describe('A recipient who has opted out: sends to them are refused as `RECIPIENT_FILTERED`.')
  .register(answerSchemas, { id: 'OptOut' });

export const optOutListSchema = pageOf(optOutSchema).register(answerSchemas, { id: 'OptOutList' });
