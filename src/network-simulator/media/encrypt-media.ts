import { createCipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { getMediaKeys, type MediaType } from '@whiskeysockets/baileys';
import type { Network } from '../network.ts';

/** The fields of an image, video, audio or document message that say where its bytes are and how they are sealed. */
type SealedMedia = {
  url: string;
  directPath: string;
  mediaKey: Uint8Array;
  mimetype: string;
  fileSha256: Uint8Array;
  fileEncSha256: Uint8Array;
  fileLength: number;
  mediaKeyTimestamp: number;
};

const macBytes = 10;

/** A phone uploads a file: AES-256-CBC, followed by the first bytes of an HMAC over it. */
export async function encryptMedia(
  network: Network,
  plain: Uint8Array,
  kind: MediaType,
  mimetype: string,
): Promise<SealedMedia> {
  const mediaKey = randomBytes(32);
  const { iv, cipherKey, macKey } = await getMediaKeys(mediaKey, kind);
  if (!macKey) throw new Error('media keys without a MAC key');
  const cipher = createCipheriv('aes-256-cbc', cipherKey, iv);
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  const mac = createHmac('sha256', macKey).update(iv).update(sealed).digest().subarray(0, macBytes);
  const body = Buffer.concat([sealed, mac]);
  const put = await network.media.put(Readable.from([body]));
  if (put === null) throw new Error('a phone could not upload');
  const directPath = put.path;
  return {
    url: `https://${network.mediaHost()}${directPath}`,
    directPath,
    mediaKey,
    mimetype,
    fileSha256: createHash('sha256').update(plain).digest(),
    fileEncSha256: put.hash,
    fileLength: plain.length,
    mediaKeyTimestamp: Math.floor(Date.now() / 1000),
  };
}
