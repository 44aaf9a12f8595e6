import type { DocumentKind, DocumentState } from '../../contract/assistants/document.ts';

/** A document as the object keeps it. Times are milliseconds since 1970. */
export interface KnowledgeDocument {
  documentId: string;
  assistantId: string;
  kind: DocumentKind;
  name: string;
  url: string | null;
  state: DocumentState;
  /** Why it could not be read, the last time. */
  error: string | null;
  characters: number;
  chunks: number;
  /** Pages of a sitemap that were read; 1 of anything else. */
  pages: number;
  rereadHours: number | null;
  createdAt: number;
  readAt: number | null;
  nextReadAt: number | null;
}

export interface NewDocument {
  documentId: string;
  assistantId: string;
  kind: DocumentKind;
  name: string;
  /** Null: the text comes with it. */
  url: string | null;
  rereadHours: number | null;
}

/** A piece of a document. */
export interface Chunk {
  url: string | null;
  heading: string;
  text: string;
}

/** What was read. */
export interface ReadText {
  chunks: Chunk[];
  characters: number;
  pages: number;
  /** Of all of the text: what is the same as before is not written again. */
  sha256: string;
  /** The title of the page, for a document that has no name of its own yet. */
  title?: string;
}

export type ReadOutcome = { ok: true; read: ReadText } | { ok: false; error: string; isPassing: boolean };

/** A piece that was found; the first is the best. */
export interface Passage {
  documentId: string;
  name: string;
  url: string | null;
  heading: string;
  text: string;
  /** Higher is better; only good for comparing passages of one search. */
  score: number;
}
