import { z } from 'zod';

/** Bytes in base64, as they are stored and compared: the usual alphabet, padded, without line breaks. */
export interface Base64Bytes {
  base64: string;
  /** What a `data:` URI says of them. */
  mediaType: string | null;
}

const dataUri = /^data:([^,]*),/i;

/**
 * Reads bytes in base64 as programs write them: in lines (RFC 2045), in the alphabet for URLs (RFC 4648, with or without
 * padding), or as a `data:` URI (RFC 2397). Null: they are none of these.
 */
export function readBase64(text: string): Base64Bytes | null {
  // A URI's head is short: what has no comma early on is none.
  const head = dataUri.exec(text.slice(0, 1024));
  const about = head?.[1] ?? '';
  if (head !== null && !/;\s*base64$/i.test(about)) return null;
  const written = head === null ? text : text.slice(head[0].length);
  const digits = written.replaceAll(/\s+/g, '').replace(/={1,2}$/, '');
  if (!/^[A-Za-z0-9+/_-]*$/.test(digits) || digits.length % 4 === 1) return null;
  const base64 = digits.replaceAll('-', '+').replaceAll('_', '/');
  const mediaType = about.replace(/;\s*base64$/i, '').trim();
  return {
    base64: base64.padEnd(Math.ceil(base64.length / 4) * 4, '='),
    mediaType: mediaType === '' ? null : mediaType,
  };
}

/** How many bytes they are. */
const bytesIn = (base64: string): number => (base64.length / 4) * 3 - (/=*$/.exec(base64)?.[0].length ?? 0);

/** A field of a body with bytes in base64; `tooLarge`: what is said where there are more than `bytesMax`. */
export const base64Field = (bytesMax: number, tooLarge: string) =>
  z
    .string()
    .meta({ contentEncoding: 'base64' })
    .transform((text, context): Base64Bytes => {
      const read = readBase64(text);
      if (read === null) context.addIssue({ code: 'custom', message: 'Not base64.' });
      else if (bytesIn(read.base64) > bytesMax) context.addIssue({ code: 'custom', message: tooLarge });
      else return read;
      return z.NEVER;
    });
