import { isFileName } from '../../contract/messages/file-name.ts';

/** The name of a file that the path of a URL ends with; undefined where it ends with none, as with no extension. */
export function fileNameIn(url: string): string | undefined {
  const encoded = new URL(url).pathname.split('/').at(-1) ?? '';
  try {
    const name = decodeURIComponent(encoded);
    return /.\.[A-Za-z0-9]{1,10}$/.test(name) && isFileName(name) ? name : undefined;
  } catch {
    return undefined;
  }
}
