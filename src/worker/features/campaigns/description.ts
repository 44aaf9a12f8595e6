import { example } from '../../openapi/examples/example-values.ts';
import { answer, chapter, type Described, pageAnswer } from '../../openapi/operation.ts';
import { sendFields } from '../messages/sending/send-fields.ts';
import { campaignExample, runningExample, startedExample, summaryExample } from './example-campaign.ts';
import { campaignListSchema, campaignPreviewSchema, campaignSchema } from './records.ts';

const { name, message, window, timeZone, ratePerHour } = campaignExample;

const { to, contactId, senderHint, clientReference, sendAt, quotedMessageId, text, ...kinds } = sendFields;
const messageFields: Record<string, string> = {
  ...kinds,
  text: 'The text, 1 to 4,096 characters; may contain variables.',
};

/** The fields of a message, below the field that holds it. */
const fieldsBelow = (path: string) =>
  Object.fromEntries(Object.entries(messageFields).map(([name, meaning]) => [`${path}.${name}`, meaning]));

const fields = {
  ...fieldsBelow('message'),
  ...fieldsBelow('variants'),
  'winner.testPercent': 'Percentage of recipients in the test group.',
  'winner.afterMinutes': 'How long to wait for replies.',
  'audience.contactIds': 'These contacts, by ID. Two IDs that became one contact are one recipient.',
  'audience.label': 'Contacts with this label.',
  'audience.segmentId': 'Contacts in this segment, which must exist.',
  'audience.csv':
    'Everyone in this contact import (the `importId` of `POST /v1/contacts/import`), new or already known. It must ' +
    'be finished.',
  'audience.all': 'All contacts.',
  'audience.coldContacts': 'Also contacts who have never written to one of your numbers.',
  'window.days': 'Days of the week, in lowercase English.',
  'window.from': 'Start of the sending window, as `HH:MM`.',
  'window.to': 'End of the sending window, as `HH:MM`.',
  'window.timeZone': '`recipient`, or an IANA zone.',
  name: 'For your own use; recipients never see it.',
  message:
    'As a send without `to`. Its text, or the caption of its file, may contain `{{name}}`, `{{phone}}` and ' +
    '`{{attributes.city}}`; `{{name|there}}` sets a fallback for unknown values. A file is stored once for all.',
  variants:
    'Up to three other messages to test beside the first. Each recipient is assigned one at random, and keeps it.',
  winner:
    'With variants: only `testPercent` of the recipients try them, and `afterMinutes` after the last of those the ' +
    'others get the one that was answered most. Null: everybody gets one of them, evenly.',
  audience:
    'One of `contactIds`, `label`, `segmentId`, `csv` and `all: true`. Contacts who have never written to one of ' +
    'your numbers are skipped unless `coldContacts` is true: numbers get banned for messaging strangers.',
  numberIds: 'The numbers that send it, or "pool".',
  startAt: 'When it begins sending, once it was started; null: immediately.',
  window:
    'Days (`monday` …), and hours from `from` to `to`; past midnight if `to` is earlier. `timeZone`: `recipient` for ' +
    "each recipient's own (the contact's, else the country's: in a country with several, the window must be open in " +
    'all of them), or an IANA zone for everyone.',
  timeZone: 'For recipients whose own time zone is unknown.',
  ratePerHour: 'Maximum messages per hour; null: as fast as the pacing of the numbers allows.',
  stopAfterFailures:
    'It pauses automatically after this many failures. It also pauses at the first error 463, when more than 30 % of ' +
    'the last messages failed, when more than 5 % of those who received it opt out, when less than half of what was ' +
    'sent more than ten minutes ago was delivered, and when its segment is deleted before all recipients are added.',
  whenQuotaEnds: 'Whether the remaining recipients wait for the next month, or are skipped.',
  replyDays: 'For this many days, what a recipient writes to the number counts as a reply.',
};

const verb = (
  id: string,
  path: string,
  summary: string,
  description: string,
  example: unknown = runningExample,
): Described => ({
  id,
  route: `POST /v1/campaigns/:id/${path}`,
  summary,
  description,
  answers: [answer(200, 'The campaign as it is now.', campaignSchema, example)],
  errors: ['CONFLICT'],
});

export const campaignOperations = chapter('Campaigns', [
  {
    id: 'createCampaign',
    route: 'POST /v1/campaigns',
    summary: 'Create a campaign',
    description: 'A draft: nothing is sent before it is started. Preview it, and send yourself a test.',
    fields,
    examples: {
      label: {
        summary: 'To everyone with a label, on working days',
        value: {
          name,
          message,
          audience: { label: 'wholesale' },
          window,
          timeZone,
          ratePerHour,
        },
      },
      variants: {
        summary: 'Two texts, the better one for the rest',
        value: {
          name,
          message,
          variants: [{ text: 'Hello {{name|there}}, may we show you something new?' }],
          winner: { testPercent: 20, afterMinutes: 120 },
          audience: { all: true },
        },
      },
    },
    answers: [answer(201, 'The draft.', campaignSchema, campaignExample)],
  },
  {
    id: 'listCampaigns',
    route: 'GET /v1/campaigns',
    summary: 'List campaigns',
    description: 'The campaigns of the account, newest first.',
    answers: [pageAnswer('A page of campaigns.', campaignListSchema, [summaryExample])],
  },
  {
    id: 'getCampaign',
    route: 'GET /v1/campaigns/:id',
    summary: 'Get a campaign',
    description: 'What it sends, and its progress.',
    answers: [answer(200, 'The campaign.', campaignSchema, runningExample)],
  },
  {
    id: 'updateCampaign',
    route: 'PATCH /v1/campaigns/:id',
    summary: 'Change a campaign',
    description: 'Changes the fields you send, of a draft or of a scheduled campaign that has not begun.',
    fields,
    examples: { later: { summary: 'At another time', value: { startAt: '2026-02-02T08:00:00Z' } } },
    answers: [answer(200, 'The campaign as it is now.', campaignSchema, campaignExample)],
    errors: ['CONFLICT'],
  },
  {
    id: 'deleteCampaign',
    route: 'DELETE /v1/campaigns/:id',
    summary: 'Delete a campaign',
    description:
      'Deletes a draft, or a campaign that is over, with all data about its recipients. Its messages stay.',
    answers: [{ status: 204, description: 'The campaign is deleted.' }],
    errors: ['CONFLICT'],
  },
  {
    id: 'previewCampaign',
    route: 'POST /v1/campaigns/:id/preview',
    summary: 'Preview a campaign',
    description:
      'Who would receive it now, who would be skipped and why, how it reads, and how long it would take with its ' +
      'numbers and their pacing. Sends nothing.',
    answers: [
      answer(200, 'The preview.', campaignPreviewSchema, {
        recipients: 1200,
        willGet: 1182,
        skipped: { opted_out: 6, never_wrote: 12 },
        cold: 0,
        isPartial: false,
        examples: [
          {
            to: example.recipient,
            contactId: example.contactId,
            name: 'Budi Santoso',
            variant: 0,
            text: 'Hello Budi Santoso, the spring collection is here.',
          },
        ],
        left: [],
        numbers: [],
        quota: { left: 8400, resetAt: '2026-02-01T00:00:00.000Z' },
        startsAt: '2026-01-31T09:30:00.000Z',
        finishesAt: '2026-01-31T15:24:00.000Z',
        warnings: [],
      }),
    ],
  },
  verb(
    'startCampaign',
    'start',
    'Start a campaign',
    'Adds its recipients as they are now, and begins, or waits for a later `startAt` (status `scheduled`). Nobody ' +
      'receives it twice, whatever fails in between.',
    startedExample,
  ),
  verb(
    'pauseCampaign',
    'pause',
    'Pause a campaign',
    'Within two seconds nothing more is sent: messages that no number has been given yet are withdrawn (they end as ' +
      'failed with `cancelled`, and their recipients wait again). Messages about to leave are counted as `queued`. A ' +
      'scheduled campaign becomes a draft again.',
    { ...runningExample, status: 'paused', reason: 'by_person' },
  ),
  verb(
    'resumeCampaign',
    'resume',
    'Resume a campaign',
    'Continues with the recipients who have not received it.',
  ),
  verb(
    'cancelCampaign',
    'cancel',
    'Cancel a campaign',
    'Ends it: recipients who have not received it will not.',
    {
      ...runningExample,
      status: 'cancelled',
      reason: 'cancelled',
      endedAt: '2026-01-31T10:00:00.000Z',
    },
  ),
  verb(
    'retryFailedRecipients',
    'retry-failed',
    'Retry failed recipients',
    'Recipients whose message failed get another one, unless the first may have arrived (`unknown_outcome`). A ' +
      'finished campaign runs again. `CONFLICT` if there is nobody to retry.',
  ),
  {
    id: 'duplicateCampaign',
    route: 'POST /v1/campaigns/:id/duplicate',
    summary: 'Duplicate a campaign',
    description: 'A new draft with the same content.',
    answers: [answer(201, 'The new draft.', campaignSchema, campaignExample)],
  },
]);
