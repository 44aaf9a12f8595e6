import { fileNameCharactersMax } from '../../contract/messages/media.ts';
import { isPlainText } from '../http/request/shared-fields.ts';

/** A name that a file may bear: no path, nothing invisible. */
export function isFileName(name: unknown): name is string {
  return (
    typeof name === 'string' &&
    name.length >= 1 &&
    name.length <= fileNameCharactersMax &&
    isPlainText(name) &&
    !/[\p{Cc}/\\]/u.test(name)
  );
}

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
