/** What is known here of the index of meanings, which is outside of the object. Empty where the deployment has none. */
export const vectorTablesSql = `
  -- The vectors of pieces. id: never used twice, so that what is taken away late meets no newer one. chunk: null once the
  -- piece is gone, and its vector has to go too. stored: 1 once the index has it.
  CREATE TABLE chunk_vectors (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    chunk INTEGER UNIQUE,
    owner TEXT NOT NULL,
    stored INTEGER NOT NULL
  );
  CREATE INDEX chunk_vectors_missing ON chunk_vectors (owner, id) WHERE stored = 0 AND chunk IS NOT NULL;
  CREATE INDEX chunk_vectors_gone ON chunk_vectors (id) WHERE chunk IS NULL;

  -- What makes the vectors of an assistant: those of another model cannot be compared. again_at: after a failure, not before.
  CREATE TABLE embedders (
    owner TEXT PRIMARY KEY,
    assistant_id TEXT NOT NULL,
    name TEXT NOT NULL,
    failures INTEGER NOT NULL,
    problem TEXT,
    again_at INTEGER NOT NULL
  ) WITHOUT ROWID;
`;
