import { createDecipheriv, createHmac, hash } from 'node:crypto';
import { emojiUnitsMax } from '../../../contract/messages/changes.ts';
import { textUnitsMax } from '../../../contract/messages/content.ts';
import { bytesField, protobufFields } from '../../../contract/messages/protobuf-field.ts';
import { withoutNul } from '../../../contract/texts/text.ts';

/**
 * Changes of a message that the network's clients have sealed: AES-256-GCM under a key derived from the message's secret, its
 * id, its author, and the person who makes the change. Only somebody who can read the message can make one, and only in their
 * own name.
 */
interface SealedDeed {
  targetId: string;
  /** 32 bytes, base64. */
  secret: string;
  payload: string;
  iv: string;
  /** Every form in which the author of the message, and who does something to it, may have been named. */
  authors: readonly string[];
  doers: readonly string[];
}

/** What it is sealed for, as it stands in the key. */
type SealedFor = 'Poll Vote' | 'Message Edit' | 'Enc Reaction';

const hmac = (key: Uint8Array, data: Uint8Array) => createHmac('sha256', key).update(data).digest();
const tagBytes = 16;

/** The plaintext; null for what the secret does not open. */
function openSealed(sealedFor: SealedFor, deed: SealedDeed): Buffer | null {
  const { targetId, secret, payload, iv, authors, doers } = deed;
  const sealed = Buffer.from(payload, 'base64');
  if (sealed.length < tagBytes) return null;
  const prk = hmac(Buffer.alloc(32), Buffer.from(secret, 'base64'));
  for (const author of authors) {
    for (const doer of doers) {
      const info = Buffer.concat([Buffer.from(`${targetId}${author}${doer}${sealedFor}`), Buffer.from([1])]);
      try {
        const decipher = createDecipheriv('aes-256-gcm', hmac(prk, info), Buffer.from(iv, 'base64'));
        // Of all these only votes bear associated data.
        if (sealedFor === 'Poll Vote') decipher.setAAD(Buffer.from(`${targetId}\0${doer}`));
        decipher.setAuthTag(sealed.subarray(-tagBytes));
        return Buffer.concat([decipher.update(sealed.subarray(0, -tagBytes)), decipher.final()]);
      } catch {
        // Another form of the addresses was used.
      }
    }
  }
  return null;
}

/** Fields of the network's messages that hold nothing but another message, which is their first field. */
const wrapperFields = [40, 37, 55, 59, 53, 58, 62, 67, 91];
/** `protocolMessage`, and the edited message in it. */
const protocolField = 12;
const editedField = 14;
/** Fields of files that have captions: the file, the caption in it, and the hash by which it is whole. */
const fileFields = [
  { file: 3, caption: 3, sha256: 4 },
  { file: 9, caption: 7, sha256: 3 },
  { file: 66, caption: 7, sha256: 3 },
  { file: 7, caption: 20, sha256: 4 },
];
const depthMax = 8;

/** The text, or the caption, that a sealed edit makes of its message; null where it does not open or has neither. */
export function openEdit(deed: SealedDeed): string | null {
  const plaintext = openSealed('Message Edit', deed);
  const text = plaintext && editedText(plaintext, 0);
  return text === null ? null : textOf(text, textUnitsMax);
}

/** The emoji of a sealed reaction, empty where it was taken back; null where it does not open. */
export function openReaction(deed: SealedDeed): string | null {
  const plaintext = openSealed('Enc Reaction', deed);
  return plaintext && textOf(bytesField(plaintext, 2) ?? new Uint8Array(), emojiUnitsMax);
}

/** The definitions of messages are the network's client's; of an edit the words alone are of interest. */
function editedText(message: Uint8Array, depth: number): Uint8Array | null {
  if (depth > depthMax) return null;
  const protocol = bytesField(message, protocolField);
  const edited = protocol && bytesField(protocol, editedField);
  const wrapped = wrapperFields.map((field) => bytesField(message, field)).find((found) => found !== null);
  const inner = edited ?? (wrapped && bytesField(wrapped, 1));
  if (inner) return editedText(inner, depth + 1);
  const text = bytesField(message, 1) ?? bytesField(bytesField(message, 6) ?? new Uint8Array(), 1);
  if (text?.length) return text;
  for (const { file, caption, sha256 } of fileFields) {
    const part = bytesField(message, file);
    if (part) return bytesField(part, caption) ?? (bytesField(part, sha256) && new Uint8Array());
  }
  return null;
}

const textOf = (bytes: Uint8Array, unitsMax: number) =>
  withoutNul(Buffer.from(bytes).toString('utf8')).slice(0, unitsMax).toWellFormed();

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
