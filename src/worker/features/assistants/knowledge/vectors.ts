import { type EmbeddingModel, embedMany } from 'ai';
import {
  indexIsGone,
  type VectorsDone,
  type VectorWork,
  vectorId,
} from '../../../../durable/knowledge/vectors.ts';
import { log, logFault } from '../../../../durable/log.ts';
import { openDatabase } from '../../../db/database.ts';
import { type AssistantRow, findAssistant } from '../rows.ts';
import { failureWords, isFinal } from '../thinking/failure-words.ts';
import { guardedModelFetch, ModelProblem } from '../thinking/model.ts';
import { openSecrets } from '../written-definition.ts';

/** Speaks a hundred languages; its vectors have 1,024 numbers. */
const workersAiDefault = '@cf/baai/bge-m3';
/** Vectors are long when they are written out. */
const answerBytesMax = 16 * 1024 * 1024;

type Embedding = Pick<AssistantRow, 'id' | 'provider' | 'sealedSecrets'>;

const workersAiOf = (env: Env): unknown => (env as { AI?: unknown }).AI;

/**
 * The name of the model that creates the vectors of an assistant. If it changes, existing vectors cannot be compared any more.
 * Null: there is none, and knowledge is found by words only.
 */
export function embedderName(env: Env, { provider }: Pick<AssistantRow, 'provider'>): string | null {
  if (vectorIndexOf(env) === null) return null;
  const { kind, baseUrl, embeddingModel = null } = provider;
  if (embeddingModel === null)
    return workersAiOf(env) === undefined ? null : `workers_ai ${workersAiDefault}`;
  return [kind, baseUrl, embeddingModel].filter((part) => part !== null).join(' ');
}

async function modelOf(env: Env, assistant: Embedding): Promise<EmbeddingModel> {
  const { kind, baseUrl, embeddingModel = null } = assistant.provider;
  if (embeddingModel === null || kind === 'workers_ai') {
    const binding = workersAiOf(env);
    if (binding === undefined) throw new ModelProblem('This gateway has no Workers AI.');
    const { createWorkersAI } = await import('workers-ai-provider');
    return createWorkersAI({ binding: binding as never }).embedding(
      (embeddingModel ?? workersAiDefault) as never,
    );
  }
  if (baseUrl === null) throw new ModelProblem('The provider has no address.');
  const { apiKey } = await openSecrets(env, assistant);
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const server = createOpenAICompatible({
    name: 'provider',
    baseURL: baseUrl.replace(/\/+$/, ''),
    ...(apiKey !== null && { apiKey }),
    fetch: guardedModelFetch(env, answerBytesMax),
  });
  return server.embeddingModel(embeddingModel);
}

/** The vectors of some texts, in their order. Throws. */
export async function vectorsFor(
  env: Env,
  assistant: Embedding,
  texts: string[],
  signal: AbortSignal,
): Promise<number[][]> {
  const model = await modelOf(env, assistant);
  const { embeddings } = await embedMany({ model, values: texts, maxRetries: 0, abortSignal: signal });
  return embeddings;
}

/** The index of meanings, where the deployment has bound one; else null, and words alone are looked for. */
export const vectorIndexOf = (env: Env): Vectorize | null =>
  (env as { VECTORIZE?: Vectorize }).VECTORIZE ?? null;

/** Under this name each vector says whose it is; wants an index of its own in Vectorize (docs/features/assistants.md). */
export const assistantField = 'assistant';

const embedMs = 45_000;
/** Before the lease is over the index has to have answered. */
const storeMs = 15_000;

type Added = Omit<VectorsDone, 'removed'>;

/** Makes vectors of pieces, and takes away those of pieces that are gone. */
export async function bringVectors(env: Env, accountId: string, work: VectorWork): Promise<VectorsDone> {
  const index = vectorIndexOf(env);
  if (index === null || !(await remove(index, accountId, work.remove))) return indexIsGone;
  const outcome = await add(env, index, accountId, work);
  const { added, problem } = outcome;
  log('knowledge.vectors', { accountId, added: added.length, removed: work.remove.length, problem });
  return { ...outcome, removed: work.remove };
}

const nothingAdded: Added = { added: [], problem: null };

/** False: the index did not answer. */
async function remove(index: Vectorize, accountId: string, vectors: number[]): Promise<boolean> {
  if (vectors.length === 0) return true;
  try {
    await index.deleteByIds(vectors.map((vector) => vectorId(accountId, vector)));
    return true;
  } catch (error) {
    logFault('knowledge.vectors_not_removed', error, { accountId, vectors: vectors.length });
    return false;
  }
}

/** Pieces of one assistant. What fails is said to its owner; nothing is stored once somebody else may have the work. */
async function add(
  env: Env,
  index: Vectorize,
  accountId: string,
  { add: asked, until }: VectorWork,
): Promise<Added> {
  if (asked === null) return nothingAdded;
  const { assistantId, pieces } = asked;
  const assistant = await findAssistant(openDatabase(env.DB), accountId, assistantId);
  const embedder = assistant && embedderName(env, assistant);
  if (assistant === null || embedder === null) return { ...nothingAdded, embedder: null };
  let vectors: number[][];
  try {
    const texts = pieces.map(({ text }) => text);
    vectors = await vectorsFor(env, assistant, texts, AbortSignal.timeout(embedMs));
    const { dimensions } = await index.describe();
    const made = vectors.find(({ length }) => length !== dimensions)?.length;
    if (vectors.length !== pieces.length)
      throw new ModelProblem('The model returned too few vectors.', false);
    if (made !== undefined) {
      throw new ModelProblem(
        `The index of this gateway takes vectors of ${dimensions} numbers, and the model makes ${made}.`,
      );
    }
  } catch (error) {
    return { added: [], problem: failureWords(error), isFinal: isFinal(error), embedder };
  }
  if (Date.now() > until - storeMs) return { added: [], problem: 'The model took too long.', embedder };
  try {
    await index.upsert(
      pieces.map(({ vector }, position) => ({
        id: vectorId(accountId, vector),
        namespace: accountId,
        values: vectors[position] ?? [],
        metadata: { [assistantField]: assistantId },
      })),
    );
    return { added: pieces.map(({ vector }) => vector), problem: null, embedder };
  } catch (error) {
    logFault('knowledge.vectors_not_stored', error, { accountId, vectors: pieces.length });
    return {
      added: [],
      problem: 'The index of this gateway did not take them.',
      embedder,
      isIndexGone: true,
    };
  }
}
