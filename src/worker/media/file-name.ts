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
