import type { Passage } from '../../../../durable/knowledge/document.ts';
import { vectorOf } from '../../../../durable/knowledge/vectors.ts';
import { logFault } from '../../../../durable/log.ts';
import { askKnowledge } from '../../../object-calls.ts';
import type { AssistantRow } from '../rows.ts';
import { assistantField, embedderName, vectorIndexOf, vectorsFor } from './vectors.ts';

/** Nobody waits longer than this for meanings: words alone find most of it. */
const meaningMs = 3_000;
/** The index gives this many with whatever is asked of it. */
const nearestMax = 20;
const wordsMax = 2_000;

type Searching = Pick<AssistantRow, 'id' | 'accountId' | 'provider' | 'sealedSecrets'>;

/**
 * What an assistant knows about a question, the best first: found by words, and by meaning if the deployment has a vector
 * index. If that index or its model fails, the search uses words only.
 */
export async function searchKnowledge(
  env: Env,
  assistant: Searching,
  words: string,
  limit: number,
): Promise<Passage[]> {
  const { id, accountId } = assistant;
  const embedder = embedderName(env, assistant);
  const nearest = embedder === null ? [] : await nearestVectors(env, assistant, words);
  // Perhaps nobody has said yet that there is an index: what was taught before it gets its vectors from here on.
  if (embedder !== null && nearest.length === 0) {
    await askKnowledge(env, accountId, (knowledge) => knowledge.setEmbedder(id, embedder));
  }
  return askKnowledge(env, accountId, (knowledge) => knowledge.search(id, words, limit, nearest));
}

async function nearestVectors(env: Env, assistant: Searching, words: string): Promise<number[]> {
  const index = vectorIndexOf(env);
  if (index === null || words.trim() === '') return [];
  const { id: assistantId, accountId } = assistant;
  const signal = AbortSignal.timeout(meaningMs);
  const search = async () => {
    const [vector] = await vectorsFor(env, assistant, [words.slice(0, wordsMax)], signal);
    if (vector === undefined) return [];
    const { matches } = await index.query(vector, {
      topK: nearestMax,
      namespace: accountId,
      filter: { [assistantField]: assistantId },
    });
    return matches.flatMap(({ id }) => vectorOf(accountId, id) ?? []);
  };
  const late = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
  );
  try {
    return await Promise.race([search(), late]);
  } catch (error) {
    logFault('knowledge.meaning_not_found', error, { accountId, assistantId });
    return [];
  }
}
