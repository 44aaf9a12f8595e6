import { invalidField, type Refusal, refuse } from '../../../contract/errors.ts';
import { fileNameOf } from '../../../contract/messages/media.ts';
import { fileOfForm } from '../../http/request/body/form-file.ts';
import { anyType, typeNamed } from './file-types.ts';

/** A file as a request brings it. */
interface UploadedFile {
  body: ReadableStream<Uint8Array>;
  bytesKnown: number | null;
  typeNamed: string | null;
  fileName?: string;
}

/** `field`: the part of the request that the file is, as `details` name it. */
type Upload = { ok: true; field: 'body' | 'file'; file: UploadedFile } | Refusal;

/**
 * The file of a request: its raw body, or the field `file` of a form. Nothing of the file is read yet. Reading the file of a form
 * may throw what {@link formRefusal} turns into a refusal.
 */
export async function uploadOf(request: Request): Promise<Upload> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (request.body === null) return invalidField('body', 'The bytes of the file are missing.');
  if (type === 'multipart/form-data') return uploadOfForm(request.headers, request.body);
  if (type === 'application/x-www-form-urlencoded') {
    return refuse(
      'UNSUPPORTED_MEDIA_TYPE',
      'Send the bytes with their own Content-Type, or as the field "file" of multipart/form-data.',
    );
  }
  const encoding = request.headers.get('content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    return refuse('UNSUPPORTED_MEDIA_TYPE', 'Send the bytes as they are, without Content-Encoding.');
  }
  const announced = request.headers.get('content-length');
  return {
    ok: true,
    field: 'body',
    file: {
      body: request.body,
      bytesKnown: announced === null ? null : Number(announced),
      typeNamed: tellingName(type),
    },
  };
}

async function uploadOfForm(headers: Headers, body: ReadableStream<Uint8Array>): Promise<Upload> {
  const form = await fileOfForm(headers, body);
  if (!form.ok) return form;
  const fileName = fileNameOf(form.fileName);
  return {
    ok: true,
    field: 'file',
    file: {
      body: form.body,
      bytesKnown: null,
      typeNamed: tellingName(form.mimetype),
      ...(fileName !== undefined && { fileName }),
    },
  };
}

/** Null where it tells nothing. */
function tellingName(type: string | undefined): string | null {
  const named = typeNamed(type);
  return named === anyType ? null : named;
}

/** Why the file is not taken, with the part of the request that it came in. */
export const refusedUpload = (refusal: Refusal, field: string): Refusal => ({
  details: [{ path: field, message: refusal.message }],
  ...refusal,
});
