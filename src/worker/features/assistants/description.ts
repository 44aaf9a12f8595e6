import { madeUpContact } from '../../../contract/assistants/trial.ts';
import type { Operation } from '../../openapi/operation.ts';
import { exampleAssistant, exampleInstructions, exampleThought } from './example-assistant.ts';
import { assistantListSchema, assistantSchema, providerTestSchema, trialSchema } from './records.ts';

const fields: Record<string, string> = {
  name: 'What you call it. It hears its name, customers do not.',
  enabled: 'Whether it answers. Left out: it does not yet.',
  numberIds: 'The ids of the numbers that it answers at, or "all".',
  provider: 'Where its model is.',
  'provider.kind':
    '`openai_compatible`: any server that speaks that protocol. `workers_ai`: the models of the platform.',
  'provider.baseUrl':
    'Of an OpenAI-compatible server, up to `/v1`: https, to a public address. Null of Workers AI, which has none.',
  'provider.model': 'The name of the model, as its server calls it.',
  'provider.apiKey':
    'Write only. Left out it stays, null takes it away. It goes to the server of `baseUrl` alone.',
  'provider.prices': 'What tokens cost, so that runs show it; null: they do not.',
  'provider.prices.inputPerMillion': 'A million tokens that the model reads, in your money.',
  'provider.prices.outputPerMillion': 'A million tokens that it writes.',
  'provider.embeddingModel':
    'A model of the same provider that makes vectors of what it knows, where this gateway has an index of meanings. Null: ' +
    'Workers AI makes them, where the gateway has that; else it is found by words alone.',
  'provider.seesPictures':
    'Whether the model is shown pictures that customers send (JPEG, PNG, WebP or GIF to 4 MiB, the newest three); else it is ' +
    'told that there is one. Voice notes and videos are never shown.',
  instructions: 'Who it is, what it may do, and when it hands over, in your words: up to 20,000 characters.',
  introduction:
    'Said before its first answer in a conversation, such as that it is automatic; null: nothing is.',
  tools: 'What it can do beside answering and handing over.',
  'tools.lookUpContact':
    'Read what the account knows of the contact of this conversation, and of nobody else.',
  'tools.labels': 'Put these labels on the conversation; an empty list: none.',
  'tools.http': 'Calls to servers of yours.',
  'tools.http.name': 'What the model calls it: small letters, digits and underscores.',
  'tools.http.description': 'What it is for, as the model reads it.',
  'tools.http.method': 'GET reads. Any other is offered to the model only with `approved`.',
  'tools.http.url':
    'https, to a public address. `{name}` in its path or query is filled by the parameter of that name.',
  'tools.http.parameters':
    'What is sent: those that the URL does not name go into the query, or into a JSON body.',
  'tools.http.parameters.name': 'Its name.',
  'tools.http.parameters.type': 'Its type. Anything else of the model is refused.',
  'tools.http.parameters.description': 'What it means, as the model reads it.',
  'tools.http.parameters.required': 'Whether the call makes sense without it.',
  'tools.http.parameters.from':
    'Who says it. What tells whom the call is about should come from the conversation, which no customer can change.',
  'tools.http.headers': 'Headers of the call, such as your key.',
  'tools.http.headers.name': 'Its name.',
  'tools.http.headers.value': 'Write only. Left out it stays, as long as the host is the same.',
  'tools.http.approved': 'A person has looked at it: it may be called although it changes something.',
  handOff: 'What happens when a person is to take over.',
  'handOff.labels': 'Labels that the conversation gets.',
  'handOff.teamId': 'The team that it goes to.',
  'handOff.message': 'What the customer is told; null: nothing.',
  hours: 'When it answers, by the business hours of the number.',
  dailyTokenBudget: 'Tokens a day (UTC). Used up, it hands over.',
  conversationTokenBudget: 'Tokens of one conversation until that is resolved. Used up, it hands over.',
  debounceSeconds: 'It waits so long for more before it answers, so that several messages get one answer.',
};

export const assistantOperations: Operation[] = [
  {
    id: 'createAssistant',
    method: 'post',
    path: '/v1/assistants',
    tag: 'Assistants',
    summary: 'Make an assistant',
    description: 'It answers once it is enabled. Try it first.',
    fields,
    examples: {
      some: {
        summary: 'With an OpenAI-compatible server',
        value: {
          name: 'Front desk',
          provider: {
            kind: 'openai_compatible',
            baseUrl: 'https://api.example.com/v1',
            model: 'small-1',
            apiKey: 'key-1234',
          },
          instructions: exampleInstructions,
          handOff: { labels: ['needs a person'], message: 'One moment, a person takes over.' },
        },
      },
    },
    answers: [
      { status: 201, description: 'The new assistant.', schema: assistantSchema, example: exampleAssistant },
    ],
    errors: ['CONFLICT'],
  },
  {
    id: 'listAssistants',
    method: 'get',
    path: '/v1/assistants',
    tag: 'Assistants',
    summary: 'List assistants',
    description: 'The assistants of the account, newest first.',
    answers: [
      {
        status: 200,
        description: 'A page of assistants.',
        schema: assistantListSchema,
        example: { data: [exampleAssistant], nextCursor: null },
      },
    ],
  },
  {
    id: 'getAssistant',
    method: 'get',
    path: '/v1/assistants/:id',
    tag: 'Assistants',
    summary: 'Get an assistant',
    description: 'One assistant, without its secrets.',
    answers: [
      { status: 200, description: 'The assistant.', schema: assistantSchema, example: exampleAssistant },
    ],
  },
  {
    id: 'updateAssistant',
    method: 'patch',
    path: '/v1/assistants/:id',
    tag: 'Assistants',
    summary: 'Change an assistant',
    description:
      'Changes the fields that are sent, each as a whole. Answers that are being made are still sent; where it was ' +
      'switched off, none is.',
    fields: { ...fields, enabled: 'Whether it answers.' },
    examples: { enable: { summary: 'Switch it on', value: { enabled: true } } },
    answers: [
      {
        status: 200,
        description: 'The assistant as it is now.',
        schema: assistantSchema,
        example: exampleAssistant,
      },
    ],
    errors: ['CONFLICT'],
  },
  {
    id: 'deleteAssistant',
    method: 'delete',
    path: '/v1/assistants/:id',
    tag: 'Assistants',
    summary: 'Delete an assistant',
    description: 'Removes it with all that it knows. Conversations that it was in wait for people.',
    answers: [{ status: 204, description: 'It is gone.' }],
  },
  {
    id: 'tryAssistant',
    method: 'post',
    path: '/v1/assistants/:id/try',
    tag: 'Assistants',
    summary: 'Try an assistant',
    description:
      'What it would say to a conversation, and why: sources, tools, tokens. No message is sent, no tool that changes ' +
      'something is called. Tools that are called are told of a contact and a conversation that are made up: the ids ' +
      `\`${madeUpContact.contactId}\` and \`${madeUpContact.conversationId}\`. The model is asked, and costs what it costs.`,
    fields: {
      messages: 'The conversation so far, oldest first.',
      'messages.from': 'Who said it: the `contact`, the `assistant`, or anybody else of the `business`.',
      'messages.text': 'What was said.',
      instructions: 'Instructions that are not saved yet, in place of those that are.',
      contact: 'Whom it would talk with.',
      'contact.name': 'Their name.',
      'contact.phoneNumber': `Their phone number, as tools are told it. Left out: \`${madeUpContact.phoneNumber}\`, which is nobody's.`,
      'contact.labels': 'Their labels.',
    },
    examples: {
      question: {
        summary: 'A first question',
        value: { messages: [{ from: 'contact', text: 'Can I send a lamp back?' }] },
      },
    },
    answers: [
      {
        status: 200,
        description: 'What it would say.',
        schema: trialSchema,
        example: {
          outcome: 'answer',
          text: 'Yes, within 30 days.',
          note: null,
          labels: [],
          ...exampleThought,
        },
      },
    ],
  },
  {
    id: 'testAssistantProvider',
    method: 'post',
    path: '/v1/assistants/:id/test-provider',
    tag: 'Assistants',
    summary: 'Test the provider',
    description: 'Asks the model for one word, and says what came of it.',
    answers: [
      {
        status: 200,
        description: 'Whether it answers.',
        schema: providerTestSchema,
        example: { ok: true, answer: 'OK', error: null, durationMs: 412 },
      },
    ],
  },
];
