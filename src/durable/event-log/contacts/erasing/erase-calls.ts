import type { SegmentKind } from '../../archive/segments/segments.ts';

/** Whom nothing may tell of any more. */
export interface ErasedPerson {
  contactId: string;
  phoneNumber: string | null;
  lid: string | null;
  /** Digits that somebody dialled, where the network has {@link phoneNumber}. Left out where there are none. */
  dialled?: string[];
}

/** All digits that name them. */
export const addressesOfErased = ({ phoneNumber, lid, dialled = [] }: ErasedPerson): string[] =>
  [phoneNumber, lid, ...dialled].filter((address) => address !== null);

/**
 * What a stateless entrypoint of the Worker does for an erasure: it deletes files and writes segments anew, which would take
 * the log's own time and memory. To repeat it changes nothing.
 */
export interface EraseCalls {
  files(accountId: string, mediaIds: readonly string[]): Promise<void>;
  /** The pasts of conversations with them; how many rows those had. */
  pasts(keys: readonly string[]): Promise<number>;
  /** How many lines were about them. */
  segment(kind: SegmentKind, key: string, person: ErasedPerson): Promise<number>;
}
