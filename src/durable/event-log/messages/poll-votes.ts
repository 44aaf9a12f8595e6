import { createDecipheriv, createHmac, hash } from 'node:crypto';

/** A vote as the network seals it: AES-256-GCM under a key that follows from the poll's secret and both addresses. */
export interface SealedVote {
  pollId: string;
  /** 32 bytes, base64. */
  secret: string;
  payload: string;
  iv: string;
  /** Every form in which the two may have been named. */
  creators: readonly string[];
  voters: readonly string[];
}

const hmac = (key: Uint8Array, data: Uint8Array) => createHmac('sha256', key).update(data).digest();
const tagBytes = 16;

/** The SHA-256 of each option that was chosen; null for a vote that the secret does not open. */
export function openVote({ pollId, secret, payload, iv, creators, voters }: SealedVote): Buffer[] | null {
  const sealed = Buffer.from(payload, 'base64');
  const prk = hmac(Buffer.alloc(32), Buffer.from(secret, 'base64'));
  for (const creator of creators) {
    for (const voter of voters) {
      const info = Buffer.concat([Buffer.from(`${pollId}${creator}${voter}Poll Vote`), Buffer.from([1])]);
      try {
        const decipher = createDecipheriv('aes-256-gcm', hmac(prk, info), Buffer.from(iv, 'base64'));
        decipher.setAAD(Buffer.from(`${pollId}\0${voter}`));
        decipher.setAuthTag(sealed.subarray(-tagBytes));
        return chosenHashes(
          Buffer.concat([decipher.update(sealed.subarray(0, -tagBytes)), decipher.final()]),
        );
      } catch {
        // Another form of the addresses was used.
      }
    }
  }
  return null;
}

/** The protobuf of a vote has one repeated field of bytes. */
function chosenHashes(vote: Buffer): Buffer[] {
  const hashes: Buffer[] = [];
  for (let at = 0; at + 1 < vote.length; ) {
    const length = vote[at + 1] ?? 0;
    // Field 1, with a length of less than 128: nothing else belongs here.
    if (vote[at] !== 0x0a || length > 127) break;
    hashes.push(vote.subarray(at + 2, at + 2 + length));
    at += 2 + length;
  }
  return hashes;
}

/** The options of a poll that these hashes name, in the order of the poll. */
export function optionsOf(options: readonly string[], hashes: readonly Buffer[]): string[] {
  const chosen = new Set(hashes.map((one) => one.toString('hex')));
  return options.filter((option) => chosen.has(hash('sha256', option)));
}
