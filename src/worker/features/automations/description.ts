import {
  exampleAutomationId,
  exampleConversationId,
  exampleEventId,
  exampleMessageId,
  exampleNumberId,
  exampleRecipient,
  exampleRunId,
  exampleWebhookSecret,
} from '../../openapi/examples/example-values.ts';
import type { Operation } from '../../openapi/operation.ts';
import {
  automationDryRunSchema,
  automationListSchema,
  automationRunListSchema,
  automationSchema,
  createdAutomationSchema,
} from './records.ts';

const definition = {
  name: 'Prices',
  on: 'message.received',
  conditions: [{ field: 'text', operator: 'contains', value: ['price', 'how much'] }],
  actions: [
    { type: 'reply', text: 'Hi {{name|there}}, our prices are at example.com/prices.' },
    { type: 'stop' },
  ],
  cooldownSeconds: 3600,
};

const automation = {
  automationId: exampleAutomationId,
  ...definition,
  enabled: true,
  waitingMinutes: null,
  inGroups: false,
  position: 0,
  stats: { runs: 12, lastRunAt: '2026-01-31T09:30:00.123Z' },
  createdAt: '2026-01-30T08:00:00.000Z',
};

const happened = {
  eventId: exampleEventId,
  at: '2026-01-31T09:30:00.123Z',
  on: 'message.received',
  numberId: exampleNumberId,
  conversationId: exampleConversationId,
  messageId: exampleMessageId,
  person: exampleRecipient,
};

const conditionFields = {
  field:
    '`text`, `from`, `country`, `messageType`, `numberId`, `label`, `status`, `priority`, `assigneeId`, ' +
    '`isFirstMessage`, `hours` (`inside` or `outside`), or `contact.<attribute>`.',
  operator:
    '`matches` takes a pattern in RE2 syntax. Texts are compared without case, the kind of quotes and dashes, and ' +
    'invisible characters; accents count.',
  value:
    'With `in`, `contains` and `starts_with` also a list: any of them. With `exists` true, false or nothing.',
};

const actionFields = {
  type:
    'What to do. `stop`: no automation behind this one is asked about the same event; with `conversation.waiting`, none ' +
    'with the same `waitingMinutes`.',
  text: 'Of a reply or a note. It may hold `{{name}}`, `{{phone}}`, `{{attributes.x}}`, and `{{name|there}}`.',
  media: 'A file instead of a text.',
  'media.type': 'What it is sent as.',
  'media.url': 'Where it is fetched from, each time.',
  'media.mediaId': 'A file that is stored here.',
  'media.caption': 'Words under it, with the same variables.',
  'media.fileName': 'Of a document.',
  delaySeconds: 'So long after the event; dropped where a person answers before.',
  assigneeId: 'A member of the account; null for nobody.',
  teamId: 'A team; null for none.',
  add: 'Labels to put on.',
  remove: 'Labels to take off.',
  status: 'Of the conversation.',
  priority: 'Of the conversation.',
  url: 'https. It gets a POST, signed as webhooks are, with the event `automation.run`.',
  assistantId: 'Which assistant; left out, the one of the number.',
};

const under = (prefix: string, fields: Record<string, string>) =>
  Object.fromEntries(Object.entries(fields).map(([name, text]) => [`${prefix}.${name}`, text]));

const fields = {
  name: 'For you to know it by.',
  enabled: 'Whether it is on.',
  on:
    '`outside_hours` is a message that comes while you are closed; `conversation.created`, the first one of somebody who ' +
    'has no conversation with the number; `conversation.waiting` comes with time.',
  waitingMinutes: 'With `conversation.waiting` alone: how long somebody has to have waited.',
  inGroups: 'Whether it answers in groups too; false, where it is left out.',
  conditions: 'All of them must hold; none: always.',
  ...under('conditions', conditionFields),
  actions: 'Carried out in this order.',
  ...under('actions', actionFields),
  cooldownSeconds: 'So long it rests for a person that it has run for; 0: it does not rest.',
};

const dryRun = {
  since: '2026-01-24T00:00:00.000Z',
  counts: { events: 40, runs: 1, no: { condition: 39 } },
  isCut: false,
  data: [
    {
      ...happened,
      text: 'How much is it?',
      runs: true,
      replies: ['Hi Budi, our prices are at example.com/prices.'],
    },
  ],
};

export const automationOperations: Operation[] = [
  {
    id: 'createAutomation',
    method: 'post',
    path: '/v1/automations',
    tag: 'Automations',
    summary: 'Make an automation',
    description:
      'A rule: what it waits for, what must hold, what it does. It answers what happens from now on, behind those that ' +
      'are there. Each event is answered once by each automation; what an automation has sent starts none. A message that ' +
      'one replies to is not answered by an assistant too, unless the automation starts one.',
    fields,
    examples: {
      keyword: { summary: 'A word is answered', value: definition },
      away: {
        summary: 'An away message',
        value: {
          name: 'Away',
          on: 'outside_hours',
          actions: [{ type: 'reply', text: 'We are closed, and answer tomorrow.' }],
          cooldownSeconds: 43_200,
        },
      },
    },
    answers: [
      {
        status: 201,
        description: 'The new automation.',
        schema: createdAutomationSchema,
        example: { ...automation, stats: { runs: 0, lastRunAt: null }, secret: exampleWebhookSecret },
      },
    ],
    errors: ['CONFLICT'],
  },
  {
    id: 'listAutomations',
    method: 'get',
    path: '/v1/automations',
    tag: 'Automations',
    summary: 'List automations',
    description: 'The automations of the account, in the order in which they are asked.',
    answers: [
      {
        status: 200,
        description: 'A page of automations.',
        schema: automationListSchema,
        example: { data: [automation], nextCursor: null },
      },
    ],
  },
  {
    id: 'getAutomation',
    method: 'get',
    path: '/v1/automations/:id',
    tag: 'Automations',
    summary: 'Get an automation',
    description: 'One automation.',
    answers: [{ status: 200, description: 'The automation.', schema: automationSchema, example: automation }],
  },
  {
    id: 'updateAutomation',
    method: 'patch',
    path: '/v1/automations/:id',
    tag: 'Automations',
    summary: 'Change an automation',
    description:
      'Changes the fields that are sent. What waits to be done by one that is switched off is not done any more.',
    fields: { ...fields, position: 'Its new place, from 0: those behind it move on by one.' },
    examples: {
      off: { summary: 'Switch it off', value: { enabled: false } },
      first: { summary: 'Ask it first', value: { position: 0 } },
    },
    answers: [
      {
        status: 200,
        description: 'The automation as it is now.',
        schema: automationSchema,
        example: automation,
      },
    ],
  },
  {
    id: 'deleteAutomation',
    method: 'delete',
    path: '/v1/automations/:id',
    tag: 'Automations',
    summary: 'Delete an automation',
    description: 'Removes it with its log and with what waits to be done by it.',
    answers: [{ status: 204, description: 'It is gone.' }],
  },
  {
    id: 'rotateAutomationSecret',
    method: 'post',
    path: '/v1/automations/:id/rotate-secret',
    tag: 'Automations',
    summary: 'Rotate the secret of its callbacks',
    description: 'Makes a new secret, shown this once. For 24 hours both sign, as with webhooks.',
    answers: [
      {
        status: 200,
        description: 'The automation, with its new secret.',
        schema: createdAutomationSchema,
        example: { ...automation, secret: exampleWebhookSecret },
      },
    ],
    errors: ['CONFLICT'],
  },
  {
    id: 'listAutomationRuns',
    method: 'get',
    path: '/v1/automations/:id/runs',
    tag: 'Automations',
    summary: 'List what it has done',
    description:
      'Every run, newest first, and what became of each of its actions. Of the times when it did not run, one a minute ' +
      'is kept, with the reason.',
    parameters: { ran: '`true`: only runs. `false`: only the times when it did not run.' },
    answers: [
      {
        status: 200,
        description: 'A page of runs.',
        schema: automationRunListSchema,
        example: {
          data: [
            {
              runId: exampleRunId,
              automationId: exampleAutomationId,
              ran: true,
              ...happened,
              actions: [
                { type: 'reply', state: 'done', messageId: exampleMessageId },
                { type: 'stop', state: 'done' },
              ],
            },
          ],
          nextCursor: null,
        },
      },
    ],
  },
  {
    id: 'dryRunAutomation',
    method: 'post',
    path: '/v1/automations/:id/dry-run',
    tag: 'Automations',
    summary: 'Try it on what has happened',
    description:
      'What it would have done since then, with the reason for each no. Nothing is done. Messages and times are as they ' +
      'were; conversations, contacts and labels are as they are now. Of waits only those that last are known. The limit ' +
      'of replies to one person is not considered.',
    fields: { since: 'Where to begin; what is older than 30 days is not looked at.' },
    examples: { week: { summary: 'Of a week', value: { since: '2026-01-24T00:00:00Z' } } },
    answers: [
      {
        status: 200,
        description: 'What it would have done.',
        schema: automationDryRunSchema,
        example: dryRun,
      },
    ],
  },
  {
    id: 'dryRunDraft',
    method: 'post',
    path: '/v1/automations/dry-run',
    tag: 'Automations',
    summary: 'Try one that is not saved',
    description:
      'The same for an automation as it may become: with an `automationId`, in the place of that one.',
    fields: {
      since: 'Where to begin; what is older than 30 days is not looked at.',
      automation: 'As it would be saved.',
      'automation.automationId': 'In whose place.',
      ...under('automation', fields),
    },
    examples: {
      keyword: {
        summary: 'A word is answered',
        value: { since: '2026-01-24T00:00:00Z', automation: definition },
      },
    },
    answers: [
      {
        status: 200,
        description: 'What it would have done.',
        schema: automationDryRunSchema,
        example: dryRun,
      },
    ],
  },
];
