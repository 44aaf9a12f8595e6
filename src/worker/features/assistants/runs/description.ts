import { example } from '../../../openapi/examples/example-values.ts';
import { answer, chapter, pageAnswer } from '../../../openapi/operation.ts';
import { exampleInstructions, exampleThought } from '../example-assistant.ts';
import {
  assistantReportSchema,
  conversationAssistantSchema,
  instructionVersionListSchema,
  runListSchema,
  runSchema,
  standingSchema,
} from './records.ts';

const run = {
  turnId: example.turnId,
  assistantId: example.assistantId,
  conversationId: example.conversationId,
  outcome: 'answered',
  reason: null,
  question: 'Can I send a lamp back?',
  reply: 'Yes, within 30 days.',
  messageId: example.messageId,
  ...exampleThought,
  instructionsVersion: '3f9a1c04b7de',
  at: '2026-01-31T09:30:00.123Z',
  endedAt: '2026-01-31T09:30:06.456Z',
};

const tokens = { input: 91_200, output: 3_400 };

export const assistantRunOperations = chapter('Assistants', [
  {
    id: 'listAssistantRuns',
    route: 'GET /v1/assistants/:id/runs',
    summary: 'List runs',
    description:
      'What the assistant was asked and the result, newest first: its answer with sources, tools, tokens and cost, or ' +
      'why it said nothing. `outcome=handed_off` lists the questions it could not answer. Runs are kept for 90 days.',
    parameters: {
      outcome: 'Only runs with this outcome.',
      conversationId: 'Only runs in this conversation.',
    },
    answers: [pageAnswer('A page of runs.', runListSchema, [run])],
  },
  {
    id: 'getAssistantRun',
    route: 'GET /v1/assistants/:id/runs/:turnId',
    summary: 'Get a run',
    description: 'One run. Messages by assistants refer to it in their origin.',
    answers: [answer(200, 'The run.', runSchema, run)],
  },
  {
    id: 'listAssistantInstructions',
    route: 'GET /v1/assistants/:id/instructions',
    summary: 'List versions of the instructions',
    description:
      'The instructions the assistant has had so far, newest version first, with how often it answered and handed over ' +
      'with each, to find what changed its quality. A version is listed once a run has used it, and for 400 days after ' +
      'its last run; runs refer to it in `instructionsVersion`.',
    answers: [
      pageAnswer('A page of versions.', instructionVersionListSchema, [
        {
          version: '3f9a1c04b7de',
          instructions: exampleInstructions,
          isCurrent: true,
          answered: 94,
          handedOff: 6,
          firstUsedAt: '2026-01-02T08:00:00.000Z',
          lastUsedAt: '2026-01-31T09:30:06.456Z',
        },
      ]),
    ],
  },
  {
    id: 'getAssistantReport',
    route: 'GET /v1/assistants/:id/report',
    summary: 'Get usage',
    description: 'How often it answered and handed over, and what that cost, in total and by day (UTC).',
    parameters: { days: 'Number of days, including today.' },
    answers: [
      answer(200, 'The counts.', assistantReportSchema, {
        since: '2026-01-02',
        answered: 94,
        handedOff: 6,
        handOffRate: 0.06,
        tokens,
        cost: 0.0157,
        days: [{ day: '2026-01-31', answered: 94, handedOff: 6, tokens, cost: 0.0157 }],
      }),
    ],
  },
  {
    id: 'orderConversationAssistant',
    route: 'POST /v1/conversations/:id/assistant',
    summary: 'Pause, resume or end an assistant',
    description:
      'Decides who answers the conversation. `pause`: any answer in progress is dropped, and it says nothing until it ' +
      'is resumed. `resume`: it answers again, from the next message on. `hand_off`: as if it had handed over itself, ' +
      'with the labels, team and message set for that; without the message if it is not active. `take_over`: it is ' +
      'paused, and the conversation is assigned to the caller. A reply by a person pauses it automatically.',
    fields: {
      action: 'What to do.',
      assistantId: 'Which assistant; omitted: the one in the conversation, else the first of its number.',
    },
    examples: { pause: { summary: 'Pause it', value: { action: 'pause' } } },
    answers: [
      answer(200, 'The current state.', conversationAssistantSchema, {
        conversationId: example.conversationId,
        botState: 'paused',
      }),
    ],
    errors: ['CONFLICT'],
  },
  {
    id: 'getConversationAssistant',
    route: 'GET /v1/conversations/:id/assistant',
    summary: 'Get the assistant of a conversation',
    description: 'Which assistant answers in a conversation, or did last, and which ones could.',
    answers: [
      answer(200, 'The current state.', standingSchema, {
        conversationId: example.conversationId,
        botState: 'active',
        assistant: { assistantId: example.assistantId, name: 'Front desk' },
        isAnswering: false,
        available: [{ assistantId: example.assistantId, name: 'Front desk' }],
      }),
    ],
  },
  {
    id: 'getConversationRun',
    route: 'GET /v1/conversations/:id/assistant/runs/:turnId',
    summary: 'Get a run of a conversation',
    description:
      'How an assistant came to a message of this conversation: the message refers to the run in its origin. For ' +
      'everyone who may see the conversation.',
    answers: [answer(200, 'The run.', runSchema, run)],
  },
]);
