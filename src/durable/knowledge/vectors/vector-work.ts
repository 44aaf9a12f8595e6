/** A message of the queue `assistants`: there are vectors to make, or to take away. */
export interface VectorWakeUp {
  kind: 'vectors';
  accountId: string;
}

/** What is to be done in the index of meanings, for whoever holds the lease. */
export interface VectorWork {
  lease: string;
  /** Nothing is stored after this time: somebody else may have the work by then. */
  until: number;
  /** Vectors of pieces that are gone. */
  remove: number[];
  /** Pieces of one assistant that have none yet; null: there are none. */
  add: { assistantId: string; pieces: { vector: number; text: string }[] } | null;
}

/** What came of it. */
export interface VectorsDone {
  removed: number[];
  added: number[];
  /** Why those that were to be added could not be made; null: they were. */
  problem: string | null;
  /** What makes the vectors of the assistant now, where that is another one; null: nothing does. */
  embedder?: string | null;
  /** The index did not answer. */
  isIndexGone?: boolean;
}

/** How much of what an assistant knows can be found by its meaning. */
export interface Meaning {
  /** Whether anything makes vectors of it. */
  isOn: boolean;
  vectors: number;
  problem: string | null;
}

/** An id in the index: the account's own name for a vector is unique in the account alone. */
export const vectorId = (accountId: string, vector: number): string => `${accountId}.${vector}`;

/** The account's own name for it; null: it is another account's. */
export function vectorOf(accountId: string, id: string): number | null {
  const [account, vector] = id.split('.');
  return account === accountId && /^\d{1,15}$/.test(vector ?? '') ? Number(vector) : null;
}
