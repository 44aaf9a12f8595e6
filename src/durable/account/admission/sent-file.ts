import { type Refusal, refuse } from '../../../contract/errors.ts';
import { onlyNumberOf } from '../configuration/key-ring.ts';
import type { KeySnapshot } from '../configuration/snapshot.ts';
import type { SentFile } from './send-request.ts';

/** `field`: where the request names the file. */
export const noSuchFile = (field: string): Refusal =>
  refuse('VALIDATION_ERROR', 'The request does not fit: see details.', {
    details: [{ path: field, message: 'The file does not exist, or was deleted.' }],
  });

/** A key that is pinned strictly sends files of its number, and those that were uploaded with it: others are none to it. */
export function fileRefusal(
  { fileOf }: SentFile,
  key: Pick<KeySnapshot, 'pinnedNumberId' | 'onPinFailure'> & { id?: string | null },
): Refusal | null {
  const onlyNumberId = onlyNumberOf(key);
  if (fileOf === undefined || onlyNumberId === null || fileOf.numberId === onlyNumberId) return null;
  return fileOf.keyId !== undefined && fileOf.keyId === key.id ? null : noSuchFile(fileOf.field);
}
