import { exampleContactId, exampleRecipient } from '../../openapi/examples/example-values.ts';
import type { Operation } from '../../openapi/operation.ts';
import { sendFields } from '../messages/sending/send-fields.ts';
import { campaignExample, runningExample, startedExample, summaryExample } from './example-campaign.ts';
import { campaignListSchema, campaignPreviewSchema, campaignSchema } from './records.ts';

const common = { tag: 'Campaigns' } as const;

const { to, contactId, senderHint, clientReference, sendAt, quotedMessageId, text, ...kinds } = sendFields;
const messageFields: Record<string, string> = {
  ...kinds,
  text: 'The text, 1 to 4,096 characters; may hold variables.',
};

/** The fields of a message, below the field that holds it. */
const fieldsBelow = (path: string) =>
  Object.fromEntries(Object.entries(messageFields).map(([name, meaning]) => [`${path}.${name}`, meaning]));

const fields = {
  ...fieldsBelow('message'),
  ...fieldsBelow('variants'),
  'winner.testPercent': 'Of 100 recipients, how many try the texts.',
  'winner.afterMinutes': 'How long answers are waited for.',
  'audience.contactIds': 'These contacts, by their ids.',
  'audience.label': 'Contacts that have this label.',
  'audience.segmentId': 'Contacts of this segment, which must exist.',
  'audience.csv':
    'Everybody who came in by this import of contacts (the `importId` of `POST /v1/contacts/import`), new or known before. It must be finished.',
  'audience.all': 'Every contact.',
  'audience.coldContacts': 'Also those who have never written to one of your numbers.',
  'window.days': 'Days of the week, in English and lower case.',
  'window.from': 'From this time of day on, as `HH:MM`.',
  'window.to': 'Up to this time of day, as `HH:MM`.',
  'window.timeZone': '`recipient`, or an IANA zone.',
  name: 'For you; nobody who gets it sees it.',
  message:
    'As a send without `to`. Its text, or the caption of its file, may hold `{{name}}`, `{{phone}}` and ' +
    '`{{attributes.city}}`; `{{name|there}}` says what stands there where nothing is known. A file is stored once for all.',
  variants: 'Up to three other messages, tried beside the first: who gets which is drawn once and stays.',
  winner:
    'With variants: only `testPercent` of the recipients try them, and `afterMinutes` after the last of those the ' +
    'others get the one that was answered most. Null: everybody gets one of them, evenly.',
  audience:
    'One of `contactIds`, `label`, `segmentId`, `csv` and `all: true`. Those who have never written to one of your numbers ' +
    'are left out unless `coldContacts` is true: to write to strangers is what numbers are banned for.',
  numberIds: 'The numbers that send it, or "pool".',
  startAt: 'When it starts, once it was started; null: at once.',
  window:
    'Days (`monday` …), and hours from `from` to `to`; over midnight where `to` comes first. `timeZone`: `recipient` for ' +
    "each one's own (the contact's, else the country's: where a country has several, it is open in all of them), or an " +
    'IANA zone for everybody.',
  timeZone: 'Of recipients whose own zone is not known.',
  ratePerHour: 'At most so many an hour; null: as the pacing of the numbers lets it.',
  stopAfterFailures:
    'It pauses by itself after so many failures. It does so too at the first error 463, when more than 30 % of the last ' +
    'messages failed, when more than 5 % of those who got it opt out, when less than half of what was sent more than ten ' +
    'minutes ago has arrived, and when its segment is deleted before all its recipients are written down.',
  whenQuotaEnds: 'Whether those who are left wait for the next month, or are skipped.',
  replyDays: 'For so many days what a recipient writes to the number counts as an answer.',
};

const verb = (
  id: string,
  path: string,
  summary: string,
  description: string,
  example: unknown = runningExample,
): Operation => ({
  ...common,
  id,
  method: 'post',
  path: `/v1/campaigns/:id/${path}`,
  summary,
  description,
  answers: [{ status: 200, description: 'The campaign as it is now.', schema: campaignSchema, example }],
  errors: ['CONFLICT'],
});

export const campaignOperations: Operation[] = [
  {
    ...common,
    id: 'createCampaign',
    method: 'post',
    path: '/v1/campaigns',
    summary: 'Make a campaign',
    description: 'A draft: nobody gets anything before it is started. Preview it, and test it on yourself.',
    fields,
    examples: {
      label: {
        summary: 'To everybody with a label, on working days',
        value: {
          name: 'Spring collection',
          message: { text: 'Hello {{name|there}}, the spring collection is here.' },
          audience: { label: 'wholesale' },
          window: {
            days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
            from: '09:00',
            to: '17:00',
            timeZone: 'recipient',
          },
          timeZone: 'Asia/Jakarta',
          ratePerHour: 200,
        },
      },
      variants: {
        summary: 'Two texts, the better one for the rest',
        value: {
          name: 'Spring collection',
          message: { text: 'Hello {{name|there}}, the spring collection is here.' },
          variants: [{ text: 'Hello {{name|there}}, may we show you something new?' }],
          winner: { testPercent: 20, afterMinutes: 120 },
          audience: { all: true },
        },
      },
    },
    answers: [{ status: 201, description: 'The draft.', schema: campaignSchema, example: campaignExample }],
  },
  {
    ...common,
    id: 'listCampaigns',
    method: 'get',
    path: '/v1/campaigns',
    summary: 'List campaigns',
    description: 'The campaigns of the account, newest first.',
    answers: [
      {
        status: 200,
        description: 'A page of campaigns.',
        schema: campaignListSchema,
        example: { data: [summaryExample], nextCursor: null },
      },
    ],
  },
  {
    ...common,
    id: 'getCampaign',
    method: 'get',
    path: '/v1/campaigns/:id',
    summary: 'Get a campaign',
    description: 'What it is to do, and how far it is.',
    answers: [{ status: 200, description: 'The campaign.', schema: campaignSchema, example: runningExample }],
  },
  {
    ...common,
    id: 'updateCampaign',
    method: 'patch',
    path: '/v1/campaigns/:id',
    summary: 'Change a campaign',
    description: 'Changes the fields that are sent: of a draft, or of one that is planned and has not begun.',
    fields,
    examples: { later: { summary: 'At another time', value: { startAt: '2026-02-02T08:00:00Z' } } },
    answers: [
      {
        status: 200,
        description: 'The campaign as it is now.',
        schema: campaignSchema,
        example: campaignExample,
      },
    ],
    errors: ['CONFLICT'],
  },
  {
    ...common,
    id: 'deleteCampaign',
    method: 'delete',
    path: '/v1/campaigns/:id',
    summary: 'Delete a campaign',
    description: 'A draft, or one that is over, with everything about its recipients. Its messages stay.',
    answers: [{ status: 204, description: 'It is gone.' }],
    errors: ['CONFLICT'],
  },
  {
    ...common,
    id: 'previewCampaign',
    method: 'post',
    path: '/v1/campaigns/:id/preview',
    summary: 'See what would come of it',
    description:
      'Who would get it as things are now, who would not and why, how it reads, and how long it would take with its ' +
      'numbers and their pacing. Sends nothing.',
    answers: [
      {
        status: 200,
        description: 'What would come of it.',
        schema: campaignPreviewSchema,
        example: {
          recipients: 1200,
          willGet: 1182,
          skipped: { opted_out: 6, never_wrote: 12 },
          cold: 0,
          isPartial: false,
          examples: [
            {
              to: exampleRecipient,
              contactId: exampleContactId,
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
        },
      },
    ],
  },
  verb(
    'startCampaign',
    'start',
    'Start a campaign',
    'Its recipients are written down as they are now, and it begins; at `startAt` where that is to come (status ' +
      '`scheduled`). Nobody gets it twice, whatever fails in between.',
    startedExample,
  ),
  verb(
    'pauseCampaign',
    'pause',
    'Pause a campaign',
    'Within two seconds nothing more leaves: what no number has been given yet is taken back (it ends as failed with ' +
      '`cancelled`, and the recipient waits again). What is about to leave is counted as `queued`. One that is planned is ' +
      'a draft again.',
    { ...runningExample, status: 'paused', reason: 'by_person' },
  ),
  verb('resumeCampaign', 'resume', 'Resume a campaign', 'It goes on with those who have not got it.'),
  verb('cancelCampaign', 'cancel', 'Cancel a campaign', 'It ends: whoever has not got it does not get it.', {
    ...runningExample,
    status: 'cancelled',
    reason: 'cancelled',
    endedAt: '2026-01-31T10:00:00.000Z',
  }),
  verb(
    'retryFailedRecipients',
    'retry-failed',
    'Send again what failed',
    'Whose message failed gets another one; not where it may have arrived (`unknown_outcome`). One that is finished runs ' +
      'again. `CONFLICT` where there is nobody to send it to again.',
  ),
  {
    ...common,
    id: 'duplicateCampaign',
    method: 'post',
    path: '/v1/campaigns/:id/duplicate',
    summary: 'Duplicate a campaign',
    description: 'A new draft that is to do the same.',
    answers: [
      { status: 201, description: 'The new draft.', schema: campaignSchema, example: campaignExample },
    ],
  },
];
