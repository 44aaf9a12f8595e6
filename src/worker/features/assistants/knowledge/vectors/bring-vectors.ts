import {
  type VectorsDone,
  type VectorWakeUp,
  type VectorWork,
  vectorId,
} from '../../../../../durable/knowledge/vectors.ts';
import { log, logFault } from '../../../../../durable/log.ts';
import { openDatabase } from '../../../../db/database.ts';
import { askKnowledge } from '../../../../object-calls.ts';
import { findAssistant } from '../../rows.ts';
import { failureWords } from '../../thinking/failure-words.ts';
import { ModelProblem } from '../../thinking/model.ts';
import { assistantField, embedderName, vectorIndexOf, vectorsFor } from './embedder.ts';

/** So long one wake-up is worked for; what is left has a wake-up of its own. */
const workMs = 30_000;
const embedMs = 45_000;
/** Before the lease is over the index has to have answered. */
const storeMs = 15_000;

type Added = Pick<VectorsDone, 'added' | 'problem' | 'embedder' | 'isIndexGone'>;

/** A wake-up of the queue `assistants`: makes vectors of pieces, and takes away those of pieces that are gone. */
export async function bringVectors(env: Env, { accountId }: VectorWakeUp): Promise<void> {
  const index = vectorIndexOf(env);
  if (index === null) return;
  const endsAt = Date.now() + workMs;
  while (Date.now() < endsAt) {
    const work = await askKnowledge(env, accountId, (knowledge) => knowledge.takeVectorWork());
    if (work === null) return;
    const { removed, isIndexGone } = await remove(index, accountId, work.remove);
    const added = isIndexGone ? nothingAdded : await add(env, index, accountId, work);
    const outcome: VectorsDone = {
      ...added,
      removed,
      isIndexGone: isIndexGone || added.isIndexGone === true,
    };
    const assistantId = work.add?.assistantId ?? null;
    const orphans = await askKnowledge(env, accountId, (knowledge) =>
      knowledge.vectorWorkDone(work.lease, isIndexGone ? null : assistantId, outcome),
    );
    if (orphans.length > 0) await remove(index, accountId, orphans);
    const { added: stored, problem } = outcome;
    log('knowledge.vectors', { accountId, added: stored.length, removed: removed.length, problem });
    if (outcome.isIndexGone || problem !== null) return;
  }
}

const nothingAdded: Added = { added: [], problem: null };

async function remove(index: Vectorize, accountId: string, vectors: number[]) {
  if (vectors.length === 0) return { removed: [], isIndexGone: false };
  try {
    await index.deleteByIds(vectors.map((vector) => vectorId(accountId, vector)));
    return { removed: vectors, isIndexGone: false };
  } catch (error) {
    logFault('knowledge.vectors_not_removed', error, { accountId, vectors: vectors.length });
    return { removed: [], isIndexGone: true };
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
    if (vectors.length !== pieces.length) throw new ModelProblem('The model made too few vectors.');
    if (made !== undefined) {
      throw new ModelProblem(
        `The index of this gateway takes vectors of ${dimensions} numbers, and the model makes ${made}.`,
      );
    }
  } catch (error) {
    return { added: [], problem: failureWords(error), embedder };
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
