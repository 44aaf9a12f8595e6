/** The index of meanings, where the deployment has bound one; else null, and words alone are looked for. */
export const vectorIndexOf = (env: Env): Vectorize | null =>
  (env as { VECTORIZE?: Vectorize }).VECTORIZE ?? null;

/** Under this name each vector says whose it is; wants an index of its own in Vectorize (docs/features/assistants.md). */
export const assistantField = 'assistant';
