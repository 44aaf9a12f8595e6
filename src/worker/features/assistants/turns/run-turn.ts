import { noTokens } from '../../../../contract/assistants/run.ts';
import type {
  Decided,
  SendOrder,
  Thought,
  TurnContext,
  TurnWakeUp,
} from '../../../../durable/event-log/assistants/turns/turn-orders.ts';
import { log } from '../../../../durable/log.ts';
import { settingsOf } from '../../../../settings/worker-settings.ts';
import { openDatabase } from '../../../db/database.ts';
import { askKnowledge, askLog } from '../../../object-calls.ts';
import { openSecrets } from '../definition/secrets.ts';
import { searchKnowledge } from '../knowledge/search-knowledge.ts';
import { findAssistant } from '../rows.ts';
import { failureWords } from '../thinking/failure-words.ts';
import { modelOf } from '../thinking/model.ts';
import { shownPicture } from '../thinking/shown-picture.ts';
import { think } from '../thinking/think.ts';
import { sendOrder } from './send-order.ts';
import { summarise } from './summary.ts';
import { usedInstructions } from './used-instructions.ts';

/**
 * Answers a turn: claims it from the account's log, asks the model, and tells the log what it came to, which decides
 * whether that is said. A crash anywhere means that the log rings again; what was decided is then sent as it was.
 */
export async function runTurn(env: Env, { accountId, turnId }: TurnWakeUp): Promise<void> {
  const claimed = await askLog(env, accountId, (accountLog) => accountLog.claimTurn(turnId));
  if (claimed.todo === 'nothing') return;
  if (claimed.todo === 'send') return sendOrder(env, accountId, claimed.order);
  const { lease, assistantId, context } = claimed;
  const thought = await answerOf(env, accountId, assistantId, context);
  const decided: Decided = await askLog(env, accountId, (accountLog) =>
    accountLog.decideTurn(turnId, lease, thought),
  );
  const { outcome, tokens, detail } = thought;
  log('assistant.answered', {
    accountId,
    turnId,
    assistantId,
    outcome,
    isSent: decided.order !== null,
    inputTokens: tokens.input,
    outputTokens: tokens.output,
    durationMs: detail.durationMs,
    error: detail.error,
  });
  const { order } = decided as { order: SendOrder | null };
  if (order !== null) await sendOrder(env, accountId, order);
  if (outcome === 'answer') await summarise(env, accountId, assistantId, context);
}

async function answerOf(
  env: Env,
  accountId: string,
  assistantId: string,
  context: TurnContext,
): Promise<Thought> {
  const assistant = await findAssistant(openDatabase(env.DB), accountId, assistantId);
  const startedAt = Date.now();
  const failed = (error: string): Thought => ({
    outcome: 'failed',
    tokens: noTokens,
    cost: null,
    labels: [],
    detail: {
      model: assistant?.provider.model ?? '',
      durationMs: Date.now() - startedAt,
      sources: [],
      toolCalls: [],
      error,
    },
  });
  // The log hears of it too, and lets go of the turn when it is asked for the next time.
  if (assistant === null) return failed('The assistant is gone.');
  try {
    const secrets = await openSecrets(env, assistant);
    const model = await modelOf(env, assistant.provider, secrets.apiKey);
    const known = await askKnowledge(env, accountId, (knowledge) => knowledge.summary([assistantId]));
    const thought = await think(assistant, context, model, {
      env,
      search: (words, limit) => searchKnowledge(env, assistant, words, limit),
      headers: secrets.headers,
      hasKnowledge: (known[assistantId]?.chunks ?? 0) > 0,
      isTrial: false,
      picture: (mediaId) => shownPicture(env, accountId, mediaId),
      answerMs: settingsOf(env).ASSISTANT_ANSWER_SECONDS * 1000,
    });
    return { ...thought, instructions: await usedInstructions(assistant.instructions) };
  } catch (error) {
    return failed(failureWords(error));
  }
}
