import { type LanguageModelUsage, wrapLanguageModel } from 'ai';
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

/** Characters of a token, about: for servers that do not count. */
const tokenCharacters = 4;

/** Of what was sent or said, without the bytes of pictures. */
const estimateOf = (value: unknown): number => {
  const written = JSON.stringify(value, (_, part) => (part instanceof Uint8Array ? '' : part));
  return Math.ceil((written?.length ?? 0) / tokenCharacters);
};

const isCount = (tokens: number | undefined): boolean => Number.isSafeInteger(tokens) && (tokens ?? 0) > 0;

/**
 * A model that always says how many tokens it took. A server may count nothing, or say anything: then it is an estimate, since
 * budgets would never end otherwise.
 */
export const counted = (
  model: Parameters<typeof wrapLanguageModel>[0]['model'],
): ReturnType<typeof wrapLanguageModel> =>
  wrapLanguageModel({
    model,
    middleware: {
      async wrapGenerate({ doGenerate, params: { prompt, tools = [] } }) {
        const answer = await doGenerate();
        const { inputTokens, outputTokens } = answer.usage;
        const input = isCount(inputTokens.total) ? inputTokens.total : estimateOf([prompt, tools]);
        const output = isCount(outputTokens.total) ? outputTokens.total : estimateOf(answer.content);
        const usage = {
          inputTokens: { ...inputTokens, total: input },
          outputTokens: { ...outputTokens, total: output },
        };
        return { ...answer, usage };
      },
    },
  });

export const tokensOf = ({
  inputTokens = 0,
  outputTokens = 0,
}: Pick<LanguageModelUsage, 'inputTokens' | 'outputTokens'>): RunTokens => ({
  input: inputTokens,
  output: outputTokens,
});
