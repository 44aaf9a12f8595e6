import type { ObjectMigration } from '../storage/object-migrations.ts';
import { vectorTablesSql } from './vectors.ts';

/** Append only. */
export const knowledgeMigrations: readonly ObjectMigration[] = [
  {
    id: '1-initial',
    sql: `
      -- due_at: when it is to be read (again); null: never. ring_at: when a bell for that is sent (again).
      CREATE TABLE documents (
        id INTEGER PRIMARY KEY,
        document_id TEXT NOT NULL UNIQUE,
        assistant_id TEXT NOT NULL,
        kind TEXT NOT NULL,
        name TEXT NOT NULL,
        url TEXT,
        state TEXT NOT NULL,
        error TEXT,
        characters INTEGER NOT NULL,
        chunks INTEGER NOT NULL,
        pages INTEGER NOT NULL,
        sha256 TEXT,
        reread_hours INTEGER,
        attempts INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        read_at INTEGER,
        ring_at INTEGER
      );
      CREATE INDEX documents_to_read ON documents (ring_at) WHERE ring_at IS NOT NULL;

      -- The pieces of documents. owner: the assistant, as one word.
      CREATE TABLE chunks (
        id INTEGER PRIMARY KEY,
        document INTEGER NOT NULL,
        owner TEXT NOT NULL,
        url TEXT,
        heading TEXT NOT NULL,
        text TEXT NOT NULL
      );
      CREATE INDEX chunks_of_document ON chunks (document);
      CREATE VIRTUAL TABLE chunk_words USING fts5(
        owner, heading, text,
        content = 'chunks', content_rowid = 'id',
        tokenize = 'unicode61 remove_diacritics 2', prefix = '3 4 5'
      );

      CREATE TABLE knowledge_state (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    `,
  },
  { id: '2-vectors', sql: vectorTablesSql },
  {
    id: '3-search-terms',
    sql: `
      -- How a piece is indexed. 0: as it was written; 1: by its terms.
      ALTER TABLE chunks ADD COLUMN form INTEGER NOT NULL DEFAULT 0;
      CREATE INDEX chunks_as_written ON chunks (id) WHERE form = 0;
    `,
  },
];
