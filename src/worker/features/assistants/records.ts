import { z } from 'zod';
import { assistantHours, providerKinds } from '../../../contract/assistants/assistant.ts';
import { documentKinds, documentStates } from '../../../contract/assistants/document.ts';
import { sourceSchema, tokensSchema, toolCallSchema } from '../../../contract/assistants/run.ts';
import { timestampSchema, uuidSchema } from '../../../contract/ids.ts';
import { listOf, optionalTimestamp, record } from '../../openapi/schemas.ts';

const providerSchema = z.object({
  kind: z.enum(providerKinds),
  baseUrl: z.string().nullable(),
  model: z.string(),
  hasApiKey: z.boolean().describe('Whether there is a key. The key itself is never shown.'),
  prices: z.object({ inputPerMillion: z.number(), outputPerMillion: z.number() }).nullable(),
  seesPictures: z.boolean(),
  embeddingModel: z.string().nullable(),
});

const httpToolSchema = z.object({
  name: z.string(),
  description: z.string(),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  url: z.string(),
  parameters: z.array(
    z.object({
      name: z.string(),
      type: z.enum(['string', 'number', 'integer', 'boolean']),
      description: z.string(),
      required: z.boolean(),
      from: z.enum(['model', 'contact_phone_number', 'contact_id', 'conversation_id']),
    }),
  ),
  headers: z.array(z.object({ name: z.string() })).describe('Their values are never shown.'),
  approved: z.boolean(),
});

export const assistantSchema = record('Assistant', 'An AI that answers conversations until a person does.', {
  assistantId: uuidSchema,
  name: z.string(),
  enabled: z.boolean(),
  numberIds: z.union([z.literal('all'), z.array(uuidSchema)]),
  provider: providerSchema,
  instructions: z.string(),
  introduction: z.string().nullable(),
  knowledge: z
    .object({
      documents: z.int(),
      chunks: z.int(),
      meaning: z
        .object({
          isOn: z.boolean().describe('Whether anything creates vectors for it.'),
          vectors: z.int().describe('Chunks that have a vector.'),
          problem: z.string().nullable().describe('Why the last attempt to create the others failed.'),
        })
        .nullable()
        .describe(
          'How much of its knowledge can be found by meaning, besides words; null: this gateway has no index for that.',
        ),
    })
    .describe('How many documents it has, and how many chunks they consist of.'),
  tools: z.object({
    lookUpContact: z.boolean(),
    labels: z.array(z.string()),
    http: z.array(httpToolSchema),
  }),
  handOff: z.object({
    labels: z.array(z.string()),
    teamId: uuidSchema.nullable(),
    message: z.string().nullable(),
  }),
  hours: z.enum(assistantHours),
  dailyTokenBudget: z.int(),
  conversationTokenBudget: z.int(),
  debounceSeconds: z.int(),
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
});

export const assistantListSchema = listOf(assistantSchema, 'AssistantList');

export const documentSchema = record('KnowledgeDocument', "A document in an assistant's knowledge.", {
  documentId: uuidSchema,
  assistantId: uuidSchema,
  kind: z.enum(documentKinds),
  name: z.string(),
  url: z.string().nullable(),
  state: z
    .enum(documentStates)
    .describe('`pending`: it is being read; the previous version is used until then.'),
  error: z.string().nullable().describe('Why the last attempt to read it failed.'),
  characters: z.int(),
  chunks: z.int().describe('Number of chunks.'),
  pages: z.int().describe('Pages of a sitemap that were read.'),
  rereadHours: z.int().nullable(),
  createdAt: timestampSchema,
  readAt: optionalTimestamp,
  nextReadAt: optionalTimestamp,
});

export const documentListSchema = listOf(documentSchema, 'KnowledgeDocumentList');

export const passagesSchema = record(
  'KnowledgePassages',
  'The chunks of documents that match a query best, as the assistant finds them.',
  {
    data: z
      .array(
        z.object({
          documentId: uuidSchema,
          name: z.string(),
          url: z.string().nullable(),
          heading: z.string(),
          text: z.string(),
          score: z.number().describe('Higher is better; only comparable within one search.'),
        }),
      )
      .describe('Best match first.'),
  },
);

export const thoughtShape = {
  model: z.string().nullable(),
  sources: z.array(sourceSchema).describe('The documents it used.'),
  toolCalls: z.array(toolCallSchema).describe('Its tool calls, in order.'),
  error: z.string().nullable().describe('What went wrong, in plain words.'),
  tokens: tokensSchema,
  cost: z.number().nullable().describe("By the provider's prices; null if none are set."),
  durationMs: z.int().nullable(),
};

export const trialSchema = record(
  'AssistantTrial',
  'What an assistant would reply, and why. Nothing was sent.',
  {
    outcome: z.enum(['answer', 'hand_off', 'failed']),
    text: z.string().nullable().describe('What would be sent; null: nothing.'),
    note: z.string().nullable().describe('The note for the people who take over the conversation.'),
    labels: z.array(z.string()).describe('Labels it would add to the conversation.'),
    ...thoughtShape,
  },
);

export const providerTestSchema = record('AssistantProviderTest', 'Whether the provider answers.', {
  ok: z.boolean(),
  answer: z.string().nullable().describe("The beginning of the model's reply."),
  error: z.string().nullable().describe('What went wrong, in plain words.'),
  durationMs: z.int(),
});
