import { WorkerEntrypoint } from 'cloudflare:workers';

/*
 * Vectorize as it is documented, for an index of 5 numbers by cosine with an index over the metadata `assistant`: what is
 * written is seen later (here: once a test says so), and what is beyond a limit is refused as a whole.
 */
const dimensions = 5;
const indexedFields = ['assistant'];
const idBytesMax = 64;
const upsertMax = 1000;
const deleteMax = 100;

/** What queries see, and what was written and is not seen yet, in its order. */
const seen = new Map();
const waiting = [];
/** Errors that the next calls of a method end with. */
const failures = new Map();

const bytes = (text) => new TextEncoder().encode(text).length;

const failure = (method) => {
  const left = failures.get(method) ?? 0;
  if (left > 0) failures.set(method, left - 1);
  return left > 0;
};

function write(change) {
  waiting.push(change);
  return { mutationId: crypto.randomUUID() };
}

const cosine = (a, b) => {
  const dot = a.reduce((sum, value, index) => sum + value * b[index], 0);
  const length = (vector) => Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return dot / (length(a) * length(b));
};

export class VectorizeStandIn extends WorkerEntrypoint {
  describe() {
    return { dimensions, vectorCount: seen.size, processedUpToDatetime: 0, processedUpToMutation: 0 };
  }

  upsert(vectors) {
    if (failure('upsert')) throw new Error('VECTOR_UPSERT_ERROR (code = 40004): try again');
    if (vectors.length > upsertMax) throw new Error('VECTOR_UPSERT_ERROR (code = 40008): too many vectors');
    for (const { id, namespace = '', values, metadata = {} } of vectors) {
      if (bytes(id) > idBytesMax || bytes(namespace) > idBytesMax) {
        throw new Error('VECTOR_UPSERT_ERROR (code = 40010): an id or a namespace is too long');
      }
      if (values.length !== dimensions || !values.every(Number.isFinite)) {
        throw new Error(`VECTOR_UPSERT_ERROR (code = 40012): expected ${dimensions} dimensions`);
      }
      if (Object.keys(metadata).some((key) => key === '' || /[."]|^\$/.test(key))) {
        throw new Error('VECTOR_UPSERT_ERROR (code = 40011): a key of the metadata is not allowed');
      }
    }
    return write(() => {
      for (const vector of vectors) seen.set(vector.id, vector);
    });
  }

  deleteByIds(ids) {
    if (failure('deleteByIds')) throw new Error('VECTOR_DELETE_ERROR (code = 40004): try again');
    if (ids.length > deleteMax) {
      throw new Error(
        `VECTOR_DELETE_ERROR (code = 40007): too many ids in payload; max id count is ${deleteMax}`,
      );
    }
    return write(() => {
      for (const id of ids) seen.delete(id);
    });
  }

  query(vector, { topK = 5, namespace, filter = {}, returnValues = false, returnMetadata = 'none' } = {}) {
    if (failure('query')) throw new Error('VECTOR_QUERY_ERROR (code = 40004): try again');
    if (vector.length !== dimensions) {
      throw new Error(`VECTOR_QUERY_ERROR (code = 40006): expected ${dimensions} dimensions`);
    }
    const topKMax = returnValues || returnMetadata === 'all' ? 20 : 100;
    if (topK > topKMax) throw new Error(`VECTOR_QUERY_ERROR (code = 40025): topK is at most ${topKMax}`);
    const fits = ({ metadata = {} }) =>
      Object.entries(filter).every(
        ([field, value]) => indexedFields.includes(field) && metadata[field] === value,
      );
    const matches = [...seen.values()]
      .filter((one) => (namespace === undefined || one.namespace === namespace) && fits(one))
      .map(({ id, namespace: of, values }) => ({ id, namespace: of, score: cosine(vector, values) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, topK);
    return { matches, count: matches.length };
  }

  // --- for tests -----------------------------------------------------------------------------------------------------

  /** A few seconds go by: what was written is seen. Other accounts' tests write too, so it is counted by namespace. */
  settle(namespace) {
    for (const change of waiting.splice(0)) change();
    return [...seen.values()].filter((one) => one.namespace === namespace).map(({ id }) => id);
  }

  fail(method, times) {
    failures.set(method, times);
  }
}

export default { fetch: () => new Response(null, { status: 404 }) };
