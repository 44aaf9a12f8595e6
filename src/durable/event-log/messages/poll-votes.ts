import { hash } from 'node:crypto';
import { protobufFields } from '../../../contract/messages/protobuf-field.ts';
import { openSealed, type SealedDeed } from './sealed-deeds.ts';

/** The SHA-256 of each option that was chosen; null for a vote that the secret does not open. */
export function openVote(vote: SealedDeed): Uint8Array[] | null {
  const plaintext = openSealed('Poll Vote', vote);
  // A vote has one repeated field of bytes.
  const fields = plaintext && protobufFields(plaintext);
  if (fields === null) return null;
  return fields.flatMap(({ number, bytes }) => (number === 1 && bytes !== null ? [bytes] : []));
}

/** The options of a poll that these hashes name, in the order of the poll. */
export function optionsOf(options: readonly string[], hashes: readonly Uint8Array[]): string[] {
  const chosen = new Set(hashes.map((one) => Buffer.from(one).toString('hex')));
  return options.filter((option) => chosen.has(hash('sha256', option)));
}
