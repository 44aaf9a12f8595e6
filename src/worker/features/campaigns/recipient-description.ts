import { z } from 'zod';
import { example } from '../../openapi/examples/example-values.ts';
import { answer, chapter } from '../../openapi/operation.ts';
import { campaignTestSchema, recipientListSchema } from './records.ts';

const recipient = {
  phoneNumber: example.recipient,
  contactId: example.contactId,
  name: 'Budi Santoso',
  status: 'read',
  reason: null,
  errorMessage: null,
  variant: 0,
  numberId: example.numberId,
  messageId: example.messageId,
  attempts: 1,
  sentAt: '2026-01-31T09:30:01.200Z',
  deliveredAt: '2026-01-31T09:30:01.912Z',
  readAt: '2026-01-31T09:31:04.000Z',
  failedAt: null,
  repliedAt: null,
  optedOutAt: null,
};

export const campaignRecipientOperations = chapter('Campaigns', [
  {
    id: 'listCampaignRecipients',
    route: 'GET /v1/campaigns/:id/recipients',
    summary: 'List recipients',
    description:
      'The recipients of the campaign and the progress of each, by phone number; those whose number is hidden come ' +
      'last. With `Accept: text/csv`, all of them as a file.',
    parameters: { status: 'Only these; `replied` and `opted_out`: recipients who did.' },
    answers: [
      {
        status: 200,
        description: 'A page of recipients, or all of them as a file.',
        schema: recipientListSchema,
        example: { data: [recipient], nextCursor: null },
        media: {
          'text/csv': {
            schema: z.string(),
            example: `phoneNumber,name,status\r\n${example.recipient},Budi Santoso,read\r\n`,
          },
        },
      },
    ],
  },
  {
    id: 'testCampaign',
    route: 'POST /v1/campaigns/:id/test',
    summary: 'Send a test message',
    description:
      "Sends the campaign's message to one phone number; it does not count in the campaign. Unknown values show the " +
      'name of the variable.',
    fields: { to: 'Your phone number, in any usual format.', variant: 'Which text: 0 for `message`.' },
    examples: { own: { summary: 'To yourself', value: { to: example.recipient } } },
    answers: [
      answer(202, 'The message was accepted.', campaignTestSchema, {
        messageId: example.messageId,
        numberId: example.numberId,
        to: example.recipient,
        text: 'Hello there, the spring collection is here.',
      }),
    ],
    errors: [
      'RECIPIENT_INVALID',
      'RECIPIENT_IS_LID',
      'RECIPIENT_NOT_ON_NETWORK',
      'RECIPIENT_FILTERED',
      'QUOTA_EXCEEDED',
      'NO_HEALTHY_SENDER',
    ],
  },
]);
