import { parse } from 'content-disposition';
import { fileNameOf, isFileName } from '../../../contract/messages/file-name.ts';

/** Endings of what makes a file, and is not the file. */
const programEndings = /\.(php\d?|phtml|aspx?|ashx|jspx?|do|action|cgi|cfm|pl|py|rb|dll|exe)$/i;

/**
 * The name of a file that the path of a URL ends with; undefined where it ends with none, as with no extension, or with
 * that of a program on the server.
 */
export function fileNameIn(url: string): string | undefined {
  const encoded = new URL(url).pathname.split('/').at(-1) ?? '';
  try {
    const name = decodeURIComponent(encoded);
    return /.\.[A-Za-z0-9]{1,10}$/.test(name) && !programEndings.test(name) && isFileName(name)
      ? name
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The name that a `Content-Disposition` gives a file (RFC 6266), also in other letters (`filename*`, RFC 8187): the last part
 * of it, where it is a path. Undefined where there is none.
 */
export function fileNameOfDisposition(header: string | null): string | undefined {
  if (header === null) return undefined;
  const { filename = '' } = parse(header).parameters;
  return fileNameOf(utf8Of(filename).split(/[/\\]/).at(-1));
}

/** Hosts send UTF-8 as it is, too, which is read as Latin-1. */
function utf8Of(text: string): string {
  const codes = [...text].map((character) => character.codePointAt(0) ?? 0);
  if (!codes.some((code) => code > 0x7f) || codes.some((code) => code > 0xff)) return text;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(Uint8Array.from(codes));
  } catch {
    return text;
  }
}
