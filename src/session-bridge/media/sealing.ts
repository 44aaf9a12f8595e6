import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { MediaKind } from '../../contract/messages/media-kinds.ts';

/** What the keys of a file are derived for; stickers are sealed as pictures are. */
const keyNames: Record<MediaKind, string> = {
  image: 'WhatsApp Image Keys',
  sticker: 'WhatsApp Image Keys',
  video: 'WhatsApp Video Keys',
  audio: 'WhatsApp Audio Keys',
  document: 'WhatsApp Document Keys',
};

const keyBytes = 32;
/** How many bytes of the HMAC follow the ciphertext. */
const macBytes = 10;

/** What came is not what was promised: another hash, another MAC, or no ciphertext at all. */
export class CorruptFile extends Error {}

/** A file as the network takes it. */
export interface SealedFile {
  mediaKey: Buffer;
  /** SHA-256 of the file, and of the sealed bytes. */
  sha256: Buffer;
  encSha256: Buffer;
  /** Length of the file. */
  bytes: number;
}

/** The keys that a file's own key stands for. */
export function keysOf(mediaKey: Uint8Array, kind: MediaKind) {
  const derived = Buffer.from(hkdfSync('sha256', mediaKey, new Uint8Array(), keyNames[kind], 80));
  return {
    iv: derived.subarray(0, 16),
    cipherKey: derived.subarray(16, 48),
    macKey: derived.subarray(48, 80),
  };
}

/** Seals the chunks into a new file at `path`: AES-256-CBC, and behind it the MAC. Holds a chunk at a time. */
export async function sealInto(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  kind: MediaKind,
): Promise<SealedFile> {
  const mediaKey = randomBytes(keyBytes);
  const { iv, cipherKey, macKey } = keysOf(mediaKey, kind);
  const cipher = createCipheriv('aes-256-cbc', cipherKey, iv);
  const mac = createHmac('sha256', macKey).update(iv);
  const [plainHash, sealedHash] = [createHash('sha256'), createHash('sha256')];
  let bytes = 0;
  const file = await open(path, 'wx', 0o600);
  try {
    const write = async (sealed: Uint8Array) => {
      sealedHash.update(sealed);
      await file.writeFile(sealed);
    };
    for await (const chunk of chunks) {
      bytes += chunk.byteLength;
      plainHash.update(chunk);
      const sealed = cipher.update(chunk);
      mac.update(sealed);
      await write(sealed);
    }
    const last = cipher.final();
    mac.update(last);
    await write(last);
    await write(mac.digest().subarray(0, macBytes));
  } finally {
    await file.close();
  }
  return { mediaKey, sha256: plainHash.digest(), encSha256: sealedHash.digest(), bytes };
}

export interface Seal {
  mediaKey: Uint8Array;
  kind: MediaKind;
  /** Base64 of 32 bytes. */
  encSha256: string;
  /** Lower-case hex. */
  sha256: string;
}

/**
 * Decrypts a file from its sealed bytes as they arrive. What it yields is not verified until it has ended, so a caller must
 * not use the file before that. Throws {@link CorruptFile} at the end if MAC or hashes do not match.
 */
export async function* unsealed(
  chunks: AsyncIterable<Uint8Array>,
  { mediaKey, kind, encSha256, sha256 }: Seal,
): AsyncGenerator<Uint8Array> {
  const { iv, cipherKey, macKey } = keysOf(mediaKey, kind);
  const decipher = createDecipheriv('aes-256-cbc', cipherKey, iv);
  const mac = createHmac('sha256', macKey).update(iv);
  const [plainHash, sealedHash] = [createHash('sha256'), createHash('sha256')];
  let tail: Uint8Array = new Uint8Array();
  for await (const chunk of chunks) {
    sealedHash.update(chunk);
    const all = tail.byteLength === 0 ? chunk : Buffer.concat([tail, chunk]);
    const sealed = all.subarray(0, Math.max(0, all.byteLength - macBytes));
    tail = all.subarray(sealed.byteLength);
    if (sealed.byteLength === 0) continue;
    mac.update(sealed);
    const plain = decipher.update(sealed);
    plainHash.update(plain);
    if (plain.byteLength > 0) yield plain;
  }
  if (!mac.digest().subarray(0, macBytes).equals(tail)) throw new CorruptFile('the MAC does not fit');
  if (sealedHash.digest('base64') !== encSha256) throw new CorruptFile('the sealed bytes have another hash');
  const last = decipher.final();
  plainHash.update(last);
  if (plainHash.digest('hex') !== sha256) throw new CorruptFile('the file has another hash');
  if (last.byteLength > 0) yield last;
}
