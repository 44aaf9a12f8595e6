import { example } from '../../openapi/examples/example-values.ts';
import { answer, chapter, pageAnswer } from '../../openapi/operation.ts';
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
  automationId: example.automationId,
  ...definition,
  enabled: true,
  waitingMinutes: null,
  inGroups: false,
  position: 0,
  stats: { runs: 12, lastRunAt: '2026-01-31T09:30:00.123Z' },
  createdAt: '2026-01-30T08:00:00.000Z',
};

const happened = {
  eventId: example.eventId,
  at: '2026-01-31T09:30:00.123Z',
  on: 'message.received',
  numberId: example.numberId,
  conversationId: example.conversationId,
  messageId: example.messageId,
  person: example.recipient,
};

const conditionFields = {
  field:
    '`text`, `from`, `country`, `messageType`, `numberId`, `label`, `status`, `priority`, `assigneeId`, ' +
    '`isFirstMessage`, `hours` (`inside` or `outside`), or `contact.<attribute>`.',
  operator:
    '`matches` takes an RE2 pattern. Text comparison ignores case, kinds of quotes and dashes, and invisible ' +
    'characters; accents count.',
  value:
    'With `in`, `contains` and `starts_with` also a list: any of them. With `exists` true, false or nothing.',
};

const actionFields = {
  type:
    'What to do. `stop`: no later automation runs for the same event; with `conversation.waiting`, none with the ' +
    'same `waitingMinutes`.',
  text: 'For a reply or a note. It may contain `{{name}}`, `{{phone}}`, `{{attributes.x}}`, and `{{name|there}}`.',
  media: 'A file instead of text.',
  'media.type': 'The kind of message it is sent as.',
  'media.url': 'Where the file is downloaded from, each time.',
  'media.mediaId': 'A stored file.',
  'media.caption': 'The caption, with the same variables.',
  'media.fileName': 'For a document.',
  delaySeconds: 'Delay after the event; dropped if a person replies first.',
  assigneeId: 'A member of the account; null to unassign.',
  teamId: 'A team; null for none.',
  add: 'Labels to add.',
  remove: 'Labels to remove.',
  status: 'The new value for the conversation.',
  priority: 'The new value for the conversation.',
  url: 'https. It gets a POST, signed like webhooks, with the event `automation.run`.',
  assistantId: 'Which assistant; omitted: the one of the number.',
};

const under = (prefix: string, fields: Record<string, string>) =>
  Object.fromEntries(Object.entries(fields).map(([name, text]) => [`${prefix}.${name}`, text]));

const fields = {
  name: 'Your name for it.',
  enabled: 'Whether it is on.',
  on:
    '`outside_hours`: a message that arrives outside business hours. `conversation.created`: the first message of ' +
    'someone who has no conversation with the number. `conversation.waiting`: someone has waited this long for a ' +
    'reply.',
  waitingMinutes: 'With `conversation.waiting` alone: how long somebody has to have waited.',
  inGroups: 'Whether it also runs in groups; false by default.',
  conditions: 'All must match; none: always.',
  ...under('conditions', conditionFields),
  actions: 'Carried out in this order.',
  ...under('actions', actionFields),
  cooldownSeconds: 'How long it pauses for a person after it ran for them; 0: no pause.',
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

export const automationOperations = chapter('Automations', [
  {
    id: 'createAutomation',
    route: 'POST /v1/automations',
    summary: 'Create an automation',
    description:
      'A rule: its trigger, its conditions, its actions. It applies to what happens from now on, and runs after the ' +
      'existing ones. Each automation responds to an event once; what an automation sent triggers none. If one replies ' +
      'to a message, no assistant answers it too, unless the automation starts one.',
    fields,
    examples: {
      keyword: { summary: 'Answer a keyword', value: definition },
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
      answer(201, 'The new automation.', createdAutomationSchema, {
        ...automation,
        stats: { runs: 0, lastRunAt: null },
        secret: example.webhookSecret,
      }),
    ],
    errors: ['CONFLICT'],
  },
  {
    id: 'listAutomations',
    route: 'GET /v1/automations',
    summary: 'List automations',
    description: 'The automations of the account, in the order in which they run.',
    answers: [pageAnswer('A page of automations.', automationListSchema, [automation])],
  },
  {
    id: 'getAutomation',
    route: 'GET /v1/automations/:id',
    summary: 'Get an automation',
    description: 'One automation.',
    answers: [answer(200, 'The automation.', automationSchema, automation)],
  },
  {
    id: 'updateAutomation',
    route: 'PATCH /v1/automations/:id',
    summary: 'Change an automation',
    description:
      'Changes the fields you send. Pending actions of an automation that is turned off are dropped.',
    fields: { ...fields, position: 'Its new position, from 0: those after it move down by one.' },
    examples: {
      off: { summary: 'Turn it off', value: { enabled: false } },
      first: { summary: 'Run it first', value: { position: 0 } },
    },
    answers: [answer(200, 'The automation as it is now.', automationSchema, automation)],
  },
  {
    id: 'deleteAutomation',
    route: 'DELETE /v1/automations/:id',
    summary: 'Delete an automation',
    description: 'Deletes it with its log and its pending actions.',
    answers: [{ status: 204, description: 'The automation is deleted.' }],
  },
  {
    id: 'rotateAutomationSecret',
    route: 'POST /v1/automations/:id/rotate-secret',
    summary: 'Rotate the secret of its callbacks',
    description:
      'Creates a new secret, shown only once. For 24 hours callbacks are signed with both, as with webhooks.',
    answers: [
      answer(200, 'The automation, with its new secret.', createdAutomationSchema, {
        ...automation,
        secret: example.webhookSecret,
      }),
    ],
    errors: ['CONFLICT'],
  },
  {
    id: 'listAutomationRuns',
    route: 'GET /v1/automations/:id/runs',
    summary: 'List runs',
    description:
      'Every run, newest first, with the result of each action. If it did not run, the reason is kept, at most once a ' +
      'minute.',
    parameters: { ran: '`true`: only runs. `false`: only the events for which it did not run.' },
    answers: [
      pageAnswer('A page of runs.', automationRunListSchema, [
        {
          runId: example.runId,
          automationId: example.automationId,
          ran: true,
          ...happened,
          actions: [
            { type: 'reply', state: 'done', messageId: example.messageId },
            { type: 'stop', state: 'done' },
          ],
        },
      ]),
    ],
  },
  {
    id: 'dryRunAutomation',
    route: 'POST /v1/automations/:id/dry-run',
    summary: 'Test it on past events',
    description:
      'What it would have done since then, with the reason each time it would not have run. Nothing is done. Messages ' +
      'and times are those of the past; conversations, contacts and labels are those of now. Only current waits are ' +
      'included. The limit of replies to one person is ignored.',
    fields: { since: 'Where to start; events older than 30 days are ignored.' },
    examples: { week: { summary: 'The last week', value: { since: '2026-01-24T00:00:00Z' } } },
    answers: [answer(200, 'What it would have done.', automationDryRunSchema, dryRun)],
  },
  {
    id: 'dryRunDraft',
    route: 'POST /v1/automations/dry-run',
    summary: 'Test one that is not saved',
    description: 'The same for an unsaved automation; with an `automationId`, in place of that one.',
    fields: {
      since: 'Where to start; events older than 30 days are ignored.',
      automation: 'The automation, as it would be saved.',
      'automation.automationId': 'The automation that it would replace.',
      ...under('automation', fields),
    },
    examples: {
      keyword: {
        summary: 'Answer a keyword',
        value: { since: '2026-01-24T00:00:00Z', automation: definition },
      },
    },
    answers: [answer(200, 'What it would have done.', automationDryRunSchema, dryRun)],
  },
]);
