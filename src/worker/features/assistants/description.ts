import { madeUpContact } from '../../../contract/assistants/run.ts';
import { answer, chapter, pageAnswer } from '../../openapi/operation.ts';
import { exampleAssistant, exampleInstructions, exampleThought } from './example-assistant.ts';
import { assistantListSchema, assistantSchema, providerTestSchema, trialSchema } from './records.ts';

const fields: Record<string, string> = {
  name: 'Your name for it. The assistant is told the name, customers are not.',
  enabled: 'Whether it answers. Off by default.',
  numberIds: 'The IDs of the numbers it answers on, or "all".',
  provider: 'Its model.',
  'provider.kind': '`openai_compatible`: any server with that API. `workers_ai`: the models of the platform.',
  'provider.baseUrl':
    'The URL of an OpenAI-compatible server, up to `/v1`: https, at a public address. Null for Workers AI, which has ' +
    'none.',
  'provider.model': 'The name of the model on its server.',
  'provider.apiKey':
    'Write-only. Omitted: unchanged; null removes it. It is sent only to the server of `baseUrl`.',
  'provider.prices': 'The price of tokens, so that runs show their cost; null: no cost is shown.',
  'provider.prices.inputPerMillion': 'Per million input tokens, in your currency.',
  'provider.prices.outputPerMillion': 'Per million output tokens.',
  'provider.embeddingModel':
    "A model of the same provider that embeds the assistant's knowledge, if this gateway has a vector index. Null: " +
    'Workers AI embeds it, if the gateway has that; otherwise knowledge is found by words alone.',
  'provider.seesPictures':
    'Whether the model sees images that customers send (JPEG, PNG, WebP or GIF up to 4 MiB, the newest three); ' +
    'otherwise it is only told that there is one. Voice notes and videos are never shown.',
  instructions: 'Who it is, what it may do, and when to hand over, in your words: up to 20,000 characters.',
  introduction:
    'Sent before its first answer in a conversation, for example to say that it is automatic; null: nothing.',
  tools: 'What it can do besides answering and handing over.',
  'tools.lookUpContact':
    "Read what the account knows about this conversation's contact, and about nobody else.",
  'tools.labels': 'Put these labels on the conversation; an empty list: none.',
  'tools.http': 'Calls to your servers.',
  'tools.http.name': 'The name the model uses: lowercase letters, digits and underscores.',
  'tools.http.description': 'What it is for, as the model reads it.',
  'tools.http.method': 'GET only reads. Other methods are offered to the model only with `approved`.',
  'tools.http.url':
    'https, at a public address. `{name}` in its path or query is replaced with the parameter of that name.',
  'tools.http.parameters':
    'The parameters. Those that the URL does not name go into the query, or into a JSON body.',
  'tools.http.parameters.name': 'Its name.',
  'tools.http.parameters.type': 'Its type. Other values from the model are rejected.',
  'tools.http.parameters.description': 'What it means, as the model reads it.',
  'tools.http.parameters.required': 'Whether the call makes sense without it.',
  'tools.http.parameters.from':
    'Who provides it. What identifies the customer should come from the conversation, because no customer can change ' +
    'that.',
  'tools.http.headers': 'Headers of the call, such as your key.',
  'tools.http.headers.name': 'Its name.',
  'tools.http.headers.value': 'Write-only. Omitted: unchanged, as long as the host stays the same.',
  'tools.http.approved': 'A person has reviewed it: it may be called although it changes something.',
  handOff: 'What happens on a handover to a person.',
  'handOff.labels': 'Labels added to the conversation.',
  'handOff.teamId': 'The team it is assigned to.',
  'handOff.message': 'What the customer is told; null: nothing.',
  hours: "When it answers, by the number's business hours.",
  dailyTokenBudget:
    'Tokens per day (UTC). When they are used up, it hands over. If the provider does not count tokens, they are estimated: ' +
    'one for every four characters sent and received.',
  conversationTokenBudget:
    'Tokens per conversation until it is resolved. When they are used up, it hands over.',
  debounceSeconds:
    'How long it waits for further messages before it answers, so that several messages get one answer.',
};

export const assistantOperations = chapter('Assistants', [
  {
    id: 'createAssistant',
    route: 'POST /v1/assistants',
    summary: 'Create an assistant',
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
    answers: [answer(201, 'The new assistant.', assistantSchema, exampleAssistant)],
    errors: ['CONFLICT'],
  },
  {
    id: 'listAssistants',
    route: 'GET /v1/assistants',
    summary: 'List assistants',
    description: 'The assistants of the account, newest first.',
    answers: [pageAnswer('A page of assistants.', assistantListSchema, [exampleAssistant])],
  },
  {
    id: 'getAssistant',
    route: 'GET /v1/assistants/:id',
    summary: 'Get an assistant',
    description: 'One assistant, without its secrets.',
    answers: [answer(200, 'The assistant.', assistantSchema, exampleAssistant)],
  },
  {
    id: 'updateAssistant',
    route: 'PATCH /v1/assistants/:id',
    summary: 'Change an assistant',
    description:
      'Changes the fields you send, each as a whole. Answers in progress are still sent, unless the assistant was ' +
      'turned off.',
    fields: { ...fields, enabled: 'Whether it answers.' },
    examples: { enable: { summary: 'Turn it on', value: { enabled: true } } },
    answers: [answer(200, 'The assistant as it is now.', assistantSchema, exampleAssistant)],
    errors: ['CONFLICT'],
  },
  {
    id: 'deleteAssistant',
    route: 'DELETE /v1/assistants/:id',
    summary: 'Delete an assistant',
    description: 'Deletes it with all its knowledge. Its conversations wait for people.',
    answers: [{ status: 204, description: 'The assistant is deleted.' }],
  },
  {
    id: 'tryAssistant',
    route: 'POST /v1/assistants/:id/try',
    summary: 'Try an assistant',
    description:
      'What it would reply to a conversation, and why: sources, tools, tokens. No message is sent, and no tool ' +
      'that changes something is called. Tools that are called get a made-up contact and conversation: the IDs ' +
      `\`${madeUpContact.contactId}\` and \`${madeUpContact.conversationId}\`. The model is called, which has ` +
      'its usual cost.',
    fields: {
      messages: 'The conversation so far, oldest first.',
      'messages.from': 'The author: the `contact`, the `assistant`, or anyone else at the `business`.',
      'messages.text': 'What was written.',
      instructions: 'Instructions that are not saved yet, to use instead of the saved ones.',
      contact: 'The contact it would talk with.',
      'contact.name': 'Their name.',
      'contact.phoneNumber':
        `Their phone number, as tools receive it. Omitted: \`${madeUpContact.phoneNumber}\`, which belongs to ` +
        'nobody.',
      'contact.labels': 'Their labels.',
    },
    examples: {
      question: {
        summary: 'A first question',
        value: { messages: [{ from: 'contact', text: 'Can I send a lamp back?' }] },
      },
    },
    answers: [
      answer(200, 'What it would say.', trialSchema, {
        outcome: 'answer',
        text: 'Yes, within 30 days.',
        note: null,
        labels: [],
        ...exampleThought,
      }),
    ],
  },
  {
    id: 'testAssistantProvider',
    route: 'POST /v1/assistants/:id/test-provider',
    summary: 'Test the provider',
    description: 'Asks the model for one word, and returns the result.',
    answers: [
      answer(200, 'Whether the provider answers.', providerTestSchema, {
        ok: true,
        answer: 'OK',
        error: null,
        durationMs: 412,
      }),
    ],
  },
]);
