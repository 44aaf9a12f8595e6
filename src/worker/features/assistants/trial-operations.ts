import { Hono } from 'hono';
import { z } from 'zod';
import { assistantShape } from '../../../contract/assistants/assistant.ts';
import { madeUpContact } from '../../../contract/assistants/run.ts';
import { phoneNumberSchema } from '../../../contract/ids.ts';
import { cutText, withoutNul } from '../../../contract/texts/text.ts';
import type { TurnContext } from '../../../durable/event-log/assistants/turns/turn-orders.ts';
import { settingsOf } from '../../../settings/worker-settings.ts';
import type { AppEnv } from '../../app-env.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { emptyBody, jsonBody } from '../../http/request/body/json-body.ts';
import { askKnowledge } from '../../object-calls.ts';
import { searchKnowledge } from './knowledge/search-knowledge.ts';
import { assistantPath, noSuchAssistant, ownAssistant } from './own-assistant.ts';
import type { providerTestSchema, trialSchema } from './records.ts';
import type { AssistantRow } from './rows.ts';
import { failureDetail, failureWords } from './thinking/failure-words.ts';
import { modelOf } from './thinking/model.ts';
import { think } from './thinking/think.ts';
import { openSecrets } from './written-definition.ts';

export const assistantTrialRoutes = new Hono<AppEnv>();

const messagesMax = 40;

const trialBody = z.strictObject({
  messages: z
    .array(
      z.strictObject({
        from: z.enum(['contact', 'assistant', 'business']).default('contact'),
        text: z.string().min(1).max(4096),
      }),
    )
    .min(1)
    .max(messagesMax),
  /** What is not saved yet, in place of what is. */
  instructions: assistantShape.instructions.optional(),
  contact: z
    .strictObject({
      name: z.string().max(200).nullable().optional(),
      phoneNumber: phoneNumberSchema.optional(),
      labels: z.array(z.string().max(50)).max(50).optional(),
    })
    .optional(),
});

assistantTrialRoutes.post('/:id/try', assistantPath, jsonBody(trialBody), async (c) => {
  const row = await ownAssistant(c);
  if (row === null) return renderRefusal(c, noSuchAssistant);
  const { messages, instructions, contact } = c.req.valid('json');
  const context: TurnContext = {
    ...madeUpContact,
    phoneNumber: contact?.phoneNumber ?? madeUpContact.phoneNumber,
    name: contact?.name ?? null,
    labels: contact?.labels ?? [],
    attributes: {},
    conversationLabels: [],
    messages: messages.map(({ from, text }, index) => ({ id: index, from, text, at: 0 })),
    summary: null,
    isIntroduced: messages.some(({ from }) => from !== 'contact'),
    unsummarised: [],
  };
  return c.json<z.infer<typeof trialSchema>>(
    await trial(c.env, instructions === undefined ? row : { ...row, instructions }, context),
  );
});

/** Whether the provider answers at all: one short question, without tools or knowledge. */
assistantTrialRoutes.post('/:id/test-provider', assistantPath, emptyBody, async (c) => {
  const row = await ownAssistant(c);
  if (row === null) return renderRefusal(c, noSuchAssistant);
  const { generateText } = await import('ai');
  const startedAt = Date.now();
  let apiKey: string | null = null;
  try {
    ({ apiKey } = await openSecrets(c.env, row));
    const { text } = await generateText({
      model: await modelOf(c.env, row.provider, apiKey),
      prompt: 'Answer with the one word OK.',
      maxOutputTokens: 50,
      maxRetries: 0,
      abortSignal: AbortSignal.timeout(20_000),
    });
    const answer = cutText(withoutNul(text), 200);
    return c.json<z.infer<typeof providerTestSchema>>({
      ok: true,
      answer,
      error: null,
      durationMs: Date.now() - startedAt,
    });
  } catch (error) {
    return c.json<z.infer<typeof providerTestSchema>>({
      ok: false,
      answer: null,
      error: failureDetail(error, apiKey),
      durationMs: Date.now() - startedAt,
    });
  }
});

/** What an assistant would say, and why. Nothing is sent, and nothing of the account changes. */
async function trial(env: Env, row: AssistantRow, context: TurnContext) {
  const nothing = { outcome: 'failed' as const, text: null, note: null };
  try {
    const { apiKey, headers } = await openSecrets(env, row);
    const model = await modelOf(env, row.provider, apiKey);
    const known = await askKnowledge(env, row.accountId, (knowledge) => knowledge.summary([row.id]));
    const thought = await think(row, context, model, {
      env,
      search: (words, limit) => searchKnowledge(env, row, words, limit),
      headers,
      hasKnowledge: (known[row.id]?.chunks ?? 0) > 0,
      isTrial: true,
      answerMs: settingsOf(env).ASSISTANT_ANSWER_SECONDS * 1000,
    });
    const { detail, tokens, cost, labels } = thought;
    return {
      outcome: thought.outcome,
      text:
        thought.outcome === 'answer'
          ? thought.text
          : thought.outcome === 'hand_off'
            ? row.handOff.message
            : null,
      note: thought.outcome === 'hand_off' ? thought.note : null,
      labels: thought.outcome === 'hand_off' ? [...new Set([...labels, ...row.handOff.labels])] : labels,
      tokens,
      cost,
      ...detail,
    };
  } catch (error) {
    const detail = {
      model: row.provider.model,
      durationMs: 0,
      sources: [],
      toolCalls: [],
      error: failureWords(error),
    };
    return { ...nothing, labels: [], tokens: { input: 0, output: 0 }, cost: null, ...detail };
  }
}
