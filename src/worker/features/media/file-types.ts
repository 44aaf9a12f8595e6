import { fileTypeFromBuffer } from 'file-type';
import { imageSize } from 'image-size';
import { z } from 'zod';
import { mimetypeSchema } from '../../../contract/messages/media.ts';
import type { MediaKind } from '../../../contract/messages/media-kinds.ts';

/** What nobody knows better. */
export const anyType = 'application/octet-stream';

/** Types that stand for the same bytes: other names of one type, and containers that hold sound as well as pictures. */
const families = [
  ['image/jpeg', 'image/jpg', 'image/pjpeg'],
  ['audio/mpeg', 'audio/mp3', 'audio/mpeg3'],
  ['audio/wav', 'audio/x-wav', 'audio/vnd.wave', 'audio/wave'],
  ['audio/ogg', 'audio/opus', 'video/ogg', 'application/ogg'],
  [
    'audio/mp4',
    'audio/m4a',
    'audio/x-m4a',
    'video/mp4',
    'video/x-m4v',
    'video/quicktime',
    'video/3gpp',
    'audio/3gpp',
  ],
  ['audio/aac', 'audio/x-aac', 'audio/aacp'],
  ['audio/webm', 'video/webm', 'video/matroska', 'video/x-matroska'],
  ['audio/flac', 'audio/x-flac'],
];

/** The name by which the network knows a type of ours. */
const usualNames: Record<string, string> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'audio/mp3': 'audio/mpeg',
  'audio/mpeg3': 'audio/mpeg',
  'audio/x-wav': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/opus': 'audio/ogg',
  'application/ogg': 'audio/ogg',
  'audio/m4a': 'audio/mp4',
  'audio/x-m4a': 'audio/mp4',
  'video/x-m4v': 'video/mp4',
  'audio/x-aac': 'audio/aac',
  'audio/aacp': 'audio/aac',
  'text/x-vcard': 'text/vcard',
};

/** Containers of which only what is packed into them tells what they are. */
const containers = [
  'application/zip',
  'application/x-cfb',
  'application/xml',
  'application/gzip',
  'text/xml',
];

/** Kinds of which every file has a mark at its beginning. */
const isMarked = (type: string) => /^(image|video|audio)\//.test(type) && !type.endsWith('+xml');

/** The table of types is large, and few files need it. */
const table = async () => (await import('mime')).default;

/** The type that the ending of a file's name stands for; null where it stands for none. */
export async function typeOfName(fileName: string | undefined): Promise<string | null> {
  if (fileName === undefined || !fileName.includes('.')) return null;
  const type = typeNamed((await table()).getType(fileName));
  return type === null ? null : usual(type);
}

/** What a file without a name is called. */
export async function nameOfType(type: string): Promise<string | undefined> {
  if (type === anyType) return undefined;
  const ending = (await table()).getExtension(type);
  return ending === null ? undefined : `document.${ending}`;
}

/** What hosts and programs say that know no type. */
const unknownTypes = [anyType, 'binary/octet-stream', 'application/force-download', 'application/download'];

/** A type that says something; null where it says nothing, as where there is none. */
export const tellingType = (type: string | null): string | null =>
  type === null || unknownTypes.includes(type) || type === 'application/x-download' ? null : type;

/**
 * The type that a file name suggests, if that can be believed without the bytes. A type with a signature at its beginning is
 * left out, since the signature would have been found.
 */
export async function believableType(fileName: string | undefined): Promise<string | null> {
  const type = await typeOfName(fileName);
  return type === null || isMarked(type) || type === 'application/pdf' ? null : type;
}

/** Whether bytes are a page for a browser. */
export function isWebPage(head: Uint8Array): boolean {
  if (!isText(head)) return false;
  const begin = new TextDecoder().decode(head.subarray(0, 4_096));
  return /^\s*(?:<\?xml[^>]*>\s*|<!--[\s\S]*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b/i.test(begin);
}

/** The type that the first bytes tell, or null. */
export async function typeSeen(head: Uint8Array): Promise<string | null> {
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  return typeNamed(found?.mime);
}

/**
 * The type of a file that is called `named` and looks like `seen`; null when these cannot be the same. A name that says
 * nothing is no claim.
 */
export function agreedType(named: string | null, seen: string | null, head: Uint8Array): string | null {
  if (named === null || named === anyType) return usual(seen ?? anyType);
  if (named === seen) return usual(named);
  if (seen === null) return isMarked(named) || named === 'application/pdf' ? null : named;
  const family = families.find((it) => it.includes(named));
  if (family?.includes(seen)) return usual(named);
  // Text may begin with anything.
  if (named.startsWith('text/') && isText(head)) return named;
  return !isMarked(named) && containers.includes(seen) ? named : null;
}

const usual = (type: string) => usualNames[type] ?? type;

function isText(head: Uint8Array): boolean {
  if (head.includes(0)) return false;
  try {
    // The last character may be cut.
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** The kind whose limit holds for a file of this type that nobody has said the use of. */
export function kindOfType(type: string): MediaKind {
  const [main] = type.split('/');
  return main === 'image' || main === 'video' || main === 'audio' ? main : 'document';
}

/** Width and height of a picture in pixels, where its header tells them. */
export function pictureSize(type: string, head: Uint8Array): { width?: number; height?: number } {
  if (!type.startsWith('image/')) return {};
  try {
    const { width, height } = imageSize(head);
    return width > 0 && height > 0 ? { width: Math.round(width), height: Math.round(height) } : {};
  } catch {
    return {};
  }
}

/** Seconds of an Ogg file of Opus, from the position that its last page tells (RFC 7845: 48,000 a second). */
export function voiceSeconds(type: string, tail: Uint8Array): { durationSeconds?: number } {
  if (type !== 'audio/ogg') return {};
  const view = new DataView(tail.buffer, tail.byteOffset, tail.byteLength);
  for (let at = tail.byteLength - 27; at >= 0; at -= 1) {
    if (view.getUint32(at) !== 0x4f676753) continue;
    const position = view.getBigUint64(at + 6, true);
    // A page on which no packet ends has no position.
    if (position < 2n ** 53n) return { durationSeconds: Math.round(Number(position) / 48_000) };
  }
  return {};
}

/**
 * A media type as HTTP writes it (RFC 9110, 8.3.1), without its parameters; null when there is none, or when it is not a type.
 */
export function typeNamed(contentType: string | null | undefined): string | null {
  const essence = (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return mimetypeSchema.safeParse(essence).success ? essence : null;
}

/** A media type as a field of a body, perhaps with parameters: its essence. */
export const mediaTypeField = z.string().transform((text, context) => {
  const type = typeNamed(text);
  if (type === null) context.addIssue({ code: 'custom', message: 'Not a media type, such as image/jpeg.' });
  return type ?? z.NEVER;
});
