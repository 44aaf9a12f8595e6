import { z } from 'zod';
import { numberIdsSchema, uuidSchema } from '../ids.ts';
import { httpToolSchema } from './http-tool.ts';

const plainText = (charactersMax: number) =>
  z
    .string()
    .max(charactersMax)
    .refine((text) => text.isWellFormed() && !text.includes('\0'), 'Not valid text.');
const notBlank = (charactersMax: number) =>
  plainText(charactersMax).refine((text) => text.trim() !== '', 'Must not be blank.');

const instructionsCharactersMax = 20_000;
export const assistantHours = ['always', 'outside_hours', 'inside_hours'] as const;
export const providerKinds = ['openai_compatible', 'workers_ai'] as const;

const price = z.number().min(0).max(10_000);

/** What a million tokens cost, in whatever money the account counts. */
const pricesSchema = z.strictObject({ inputPerMillion: price, outputPerMillion: price });

export const providerSchema = z
  .strictObject({
    kind: z.enum(providerKinds),
    baseUrl: z.string().max(2048).nullable().default(null),
    model: notBlank(200),
    /** Write only; null takes it away, left out keeps it. */
    apiKey: z
      .string()
      .min(1)
      .max(1000)
      .regex(/^[\x21-\x7e]*$/, 'Must be printable ASCII without spaces.')
      .nullable()
      .optional(),
    prices: pricesSchema.nullable().default(null),
    /** Whether the model can be shown pictures; else it is told that there is one. */
    seesPictures: z.boolean().default(false),
    /** Of the same provider: makes vectors of what it knows. Null: Workers AI does, where the deployment has it. */
    embeddingModel: notBlank(200).nullable().default(null),
  })
  .refine(({ kind, baseUrl }) => (kind === 'openai_compatible') === (baseUrl !== null), {
    path: ['baseUrl'],
    message: 'Required for an OpenAI-compatible server, and not allowed for Workers AI.',
  });
/** As it is kept; one that was saved before pictures and vectors were thought of says nothing of them. */
export type Provider = Omit<z.infer<typeof providerSchema>, 'apiKey' | 'seesPictures' | 'embeddingModel'> & {
  seesPictures?: boolean;
  embeddingModel?: string | null;
};

const toolsSchema = z.strictObject({
  lookUpContact: z.boolean().default(true),
  /** Labels of conversations that it may put; none: it labels nothing. */
  labels: z.array(notBlank(50)).max(50).default([]),
  http: z
    .array(httpToolSchema)
    .max(20)
    .default([])
    .refine(
      (tools) => new Set(tools.map(({ name }) => name)).size === tools.length,
      'Each name must be used only once.',
    ),
});
export type AssistantTools = z.infer<typeof toolsSchema>;

const handOffSchema = z.strictObject({
  labels: z.array(notBlank(50)).max(20).default([]),
  teamId: uuidSchema.nullable().default(null),
  message: notBlank(1000).nullable().default(null),
});
export type HandOffSettings = z.infer<typeof handOffSchema>;

/** What a person says about an assistant. */
export const assistantShape = {
  name: notBlank(100),
  enabled: z.boolean(),
  numberIds: numberIdsSchema,
  provider: providerSchema,
  instructions: notBlank(instructionsCharactersMax),
  /** Said once, before its first answer in a conversation; null: nothing is. */
  introduction: notBlank(500).nullable(),
  tools: toolsSchema,
  handOff: handOffSchema,
  hours: z.enum(assistantHours),
  dailyTokenBudget: z.int().min(1_000).max(1_000_000_000),
  conversationTokenBudget: z.int().min(1_000).max(100_000_000),
  debounceSeconds: z.int().min(0).max(60),
};

export const assistantDefaults = {
  enabled: false,
  numberIds: 'all' as const,
  introduction: null,
  hours: 'always' as const,
  dailyTokenBudget: 1_000_000,
  conversationTokenBudget: 100_000,
  debounceSeconds: 4,
};
export const noTools: AssistantTools = { lookUpContact: true, labels: [], http: [] };
export const plainHandOff: HandOffSettings = { labels: [], teamId: null, message: null };
