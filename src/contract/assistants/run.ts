import { z } from 'zod';

/** `running`: it waits for the end of a burst, or is being answered. `dropped`: it was no longer the assistant's to answer. */
export const runOutcomes = ['running', 'answered', 'handed_off', 'dropped'] as const;
export type RunOutcome = (typeof runOutcomes)[number];

/** Why a turn ended without an answer of the assistant's. */
export const runReasons = {
  asked: 'The assistant handed the conversation over.',
  person_asked: 'A person handed the conversation over.',
  person_replied: 'A person replied first.',
  rule_answered: 'A rule answered first.',
  paused: 'The assistant was paused.',
  switched_off: 'The assistant was disabled or deleted.',
  opted_out: 'The contact has opted out.',
  nothing_to_answer: 'What was written was deleted before it was answered.',
  conversation_budget: 'The tokens for this conversation were used up.',
  daily_budget: 'The tokens for this day were used up.',
  model_failed: 'The model gave no answer that could be used.',
  not_sent: 'The answer could not be sent.',
} as const;
export type RunReason = keyof typeof runReasons;

export const sourceSchema = z.object({
  documentId: z.uuid(),
  name: z.string(),
  url: z.string().nullable(),
  excerpt: z.string(),
});
export type RunSource = z.infer<typeof sourceSchema>;

export const toolCallSchema = z.object({
  name: z.string(),
  /** What the model asked for, as JSON, cut short. */
  input: z.string(),
  ok: z.boolean(),
  /** What came of it, in short. */
  output: z.string(),
});
export type RunToolCall = z.infer<typeof toolCallSchema>;

export const tokensSchema = z.object({ input: z.int(), output: z.int() });
export type RunTokens = z.infer<typeof tokensSchema>;

export const noTokens: RunTokens = { input: 0, output: 0 };

export const costOf = (
  tokens: RunTokens,
  prices: { inputPerMillion: number; outputPerMillion: number } | null,
): number | null =>
  prices === null
    ? null
    : (tokens.input * prices.inputPerMillion + tokens.output * prices.outputPerMillion) / 1_000_000;

/** Whom a trial is about, as tools are told: a phone number that nobody has, and ids that are nobody's. */
export const madeUpContact = {
  phoneNumber: '12025550123',
  contactId: '00000000-0000-7000-8000-000000000001',
  conversationId: '00000000-0000-7000-8000-000000000002',
};
