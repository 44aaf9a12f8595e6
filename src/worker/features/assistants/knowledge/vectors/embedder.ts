import { type EmbeddingModel, embedMany } from 'ai';
import { openSecrets } from '../../definition/secrets.ts';
import type { AssistantRow } from '../../rows.ts';
import { guardedModelFetch, ModelProblem } from '../../thinking/model.ts';

/** Speaks a hundred languages; its vectors have 1,024 numbers. */
const workersAiDefault = '@cf/baai/bge-m3';
/** Vectors are long when they are written out. */
const answerBytesMax = 16 * 1024 * 1024;

type Embedding = Pick<AssistantRow, 'id' | 'provider' | 'sealedSecrets'>;

const workersAiOf = (env: Env): unknown => (env as { AI?: unknown }).AI;

/**
 * What makes the vectors of an assistant, as a name that changes when they can no longer be compared; null: nothing does, so
 * it is found by words alone.
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
