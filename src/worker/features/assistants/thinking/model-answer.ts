import type { LanguageModelUsage } from 'ai';
import type { RunTokens } from '../../../../contract/assistants/run.ts';
import { withoutNul } from '../../../../contract/texts/text.ts';

/**
 * What a model says, without what it thinks first: many open models write their thoughts into the answer, between
 * `<think>` and `</think>`. Some servers leave out the first mark, and an answer that was cut short has no last one.
 */
export const saidText = (answer: string): string =>
  withoutNul(answer)
    .replaceAll(/<think(?:ing)?>(?:(?!<think(?:ing)?>)[\s\S])*?<\/think(?:ing)?>/gi, '')
    .replace(/^[\s\S]*<\/think(?:ing)?>/i, '')
    .replace(/<think(?:ing)?>[\s\S]*$/i, '')
    .trim();

/** A server may say anything of what it has counted: what is no count is none. */
const count = (tokens: number | undefined): number =>
  Number.isSafeInteger(tokens) ? Math.max(0, tokens ?? 0) : 0;

export const tokensOf = ({
  inputTokens,
  outputTokens,
}: Pick<LanguageModelUsage, 'inputTokens' | 'outputTokens'>): RunTokens => ({
  input: count(inputTokens),
  output: count(outputTokens),
});
