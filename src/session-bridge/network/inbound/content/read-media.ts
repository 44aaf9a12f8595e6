import type { MediaReference, MediaSource } from '../../../../contract/messages/content.ts';
import { fileNameOf } from '../../../../contract/messages/file-name.ts';
import { clipped, clippedText } from './clipped.ts';

/** What the network's descriptions of files have in common; each kind has a part of it. */
interface FileDescription {
  url?: string | null;
  directPath?: string | null;
  mediaKey?: Uint8Array | null;
  fileSha256?: Uint8Array | null;
  fileEncSha256?: Uint8Array | null;
  mimetype?: string | null;
  fileLength?: unknown;
  fileName?: string | null;
  title?: string | null;
  caption?: string | null;
  seconds?: number | null;
  width?: number | null;
  height?: number | null;
  ptt?: boolean | null;
}

const hashBytes = 32;

/** A file by reference; null where the network does not say which file it is. */
export function readMedia(file: FileDescription, mediaId: string): MediaReference | null {
  if (file.fileSha256?.length !== hashBytes) return null;
  const fileName = fileNameOf(file.fileName) ?? fileNameOf(file.title);
  const source = sourceOf(file);
  return {
    mediaId,
    mimetype: clipped(file.mimetype || 'application/octet-stream', 255),
    bytes: wholeNumber(file.fileLength),
    sha256: Buffer.from(file.fileSha256).toString('hex'),
    ...(fileName && { fileName }),
    ...(file.caption && { caption: clippedText(file.caption) }),
    ...(file.seconds && { durationSeconds: wholeNumber(file.seconds) }),
    ...(file.width && { width: wholeNumber(file.width) }),
    ...(file.height && { height: wholeNumber(file.height) }),
    ...(file.ptt && { voice: true }),
    ...(source ? { status: 'pending', source } : { status: 'unavailable' }),
  };
}

/** Null where it can be opened no more, such as what may be seen only once, and only on the phone. */
function sourceOf({ directPath, url, mediaKey, fileEncSha256 }: FileDescription): MediaSource | null {
  if (!directPath || mediaKey?.length !== hashBytes || fileEncSha256?.length !== hashBytes) return null;
  if (directPath.length > 2048) return null;
  return {
    directPath,
    ...(url && url.length <= 2048 && { url }),
    mediaKey: Buffer.from(mediaKey).toString('base64'),
    encSha256: Buffer.from(fileEncSha256).toString('base64'),
  };
}

function wholeNumber(value: unknown): number {
  const number = Math.trunc(Number(value));
  return Number.isSafeInteger(number) && number > 0 ? number : 0;
}
