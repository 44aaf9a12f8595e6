import { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { invalidField, type Refusal, refuse } from '../../../contract/errors.ts';
import { fileNameOf } from '../../../contract/messages/media.ts';
import { anyType, typeNamed } from './file-types.ts';

/** A file as a request brings it. */
interface UploadedFile {
  body: ReadableStream<Uint8Array>;
  bytesKnown: number | null;
  typeNamed: string | null;
  fileName?: string;
}

type Upload = { ok: true; file: UploadedFile } | Refusal;

/** The file of a request: its raw body, or the field `file` of a form. Nothing of the file is read yet. */
export async function uploadOf(request: Request): Promise<Upload> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (request.body === null) return invalidField('body', 'The bytes of the file are missing.');
  if (type === 'multipart/form-data') return fileOfForm(request.headers, request.body);
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
  const named = typeNamed(type);
  return {
    ok: true,
    file: {
      body: request.body,
      bytesKnown: announced === null ? null : Number(announced),
      typeNamed: named === anyType ? null : named,
    },
  };
}

function fileOfForm(headers: Headers, body: ReadableStream<Uint8Array>): Promise<Upload> {
  return new Promise((resolve) => {
    const noForm = () => resolve(invalidField('body', 'Not valid multipart/form-data.'));
    let form: InstanceType<typeof Busboy>;
    try {
      form = new Busboy({
        headers: Object.fromEntries(headers) as BusboyHeaders,
        limits: { files: 1, fields: 0, parts: 1, headerPairs: 20 },
      });
    } catch {
      return noForm();
    }
    form.on('file', (field, stream, fileName, _encoding, mimetype) => {
      if (field !== 'file') {
        stream.resume();
        return resolve(invalidField(field.slice(0, 100) || 'body', 'Unknown field.'));
      }
      const named = typeNamed(mimetype);
      const name = fileNameOf(fileName);
      const file: UploadedFile = {
        body: Readable.toWeb(stream) as unknown as ReadableStream<Uint8Array>,
        bytesKnown: null,
        typeNamed: named === anyType ? null : named,
        ...(name !== undefined && { fileName: name }),
      };
      resolve({ ok: true, file });
    });
    form.on('finish', () => resolve(invalidField('file', 'This field is required.')));
    const source = Readable.fromWeb(body as never);
    // A form that breaks off within its file breaks the stream of the file too.
    form.on('error', () => noForm());
    source.on('error', (error) => form.destroy(error));
    source.pipe(form);
  });
}
