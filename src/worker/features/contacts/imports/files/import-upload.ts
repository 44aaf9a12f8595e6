import { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { type Refusal, refuse } from '../../../../../contract/errors.ts';
import { invalidField } from '../../../../http/request/validation-details.ts';

/** A file of contacts as a request brings it. Nothing of it is read yet. */
interface UploadedCsv {
  ok: true;
  body: ReadableStream<Uint8Array>;
  bytesKnown: number | null;
  fileName: string | null;
  /** The fields of a form that stand before the file. */
  fields: Record<string, string>;
}

const csvTypes = ['text/csv', 'application/csv', 'application/vnd.ms-excel', 'application/octet-stream'];
const fieldCharactersMax = 8000;

export const isCsv = (request: Request): boolean => {
  const type = typeOf(request);
  return type === 'multipart/form-data' || csvTypes.includes(type);
};

const typeOf = (request: Request): string =>
  (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

/** The raw body, or the field `file` of a form. */
export async function uploadedCsv(request: Request): Promise<UploadedCsv | Refusal> {
  if (request.body === null) return invalidField('file', 'The file is missing.');
  if (typeOf(request) === 'multipart/form-data') return csvOfForm(request.headers, request.body);
  const encoding = request.headers.get('content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    return refuse('UNSUPPORTED_MEDIA_TYPE', 'Send the file as it is, without Content-Encoding.');
  }
  const announced = request.headers.get('content-length');
  const bytesKnown = announced === null ? null : Number(announced);
  return { ok: true, body: request.body, bytesKnown, fileName: null, fields: {} };
}

function csvOfForm(headers: Headers, body: ReadableStream<Uint8Array>): Promise<UploadedCsv | Refusal> {
  return new Promise((resolve) => {
    const noForm = () => resolve(invalidField('body', 'Not valid multipart/form-data.'));
    const fields: Record<string, string> = {};
    let form: InstanceType<typeof Busboy>;
    try {
      form = new Busboy({
        headers: Object.fromEntries(headers) as BusboyHeaders,
        limits: { files: 1, fields: 10, parts: 11, fieldSize: fieldCharactersMax, headerPairs: 20 },
      });
    } catch {
      return noForm();
    }
    form.on('field', (name, value, _nameTruncated, isTruncated) => {
      if (isTruncated) resolve(invalidField(name.slice(0, 100), `At most ${fieldCharactersMax} characters.`));
      else if (name in fields) resolve(invalidField(name.slice(0, 100), 'Sent more than once.'));
      else fields[name.slice(0, 100)] = value;
    });
    form.on('file', (field, stream, fileName) => {
      if (field !== 'file') {
        stream.resume();
        return resolve(invalidField(field.slice(0, 100) || 'body', 'Unknown field.'));
      }
      resolve({
        ok: true,
        body: Readable.toWeb(stream) as unknown as ReadableStream<Uint8Array>,
        bytesKnown: null,
        fileName: fileName ? fileName.slice(0, 200) : null,
        fields,
      });
    });
    form.on('finish', () => resolve(invalidField('file', 'This field is required, behind all others.')));
    const source = Readable.fromWeb(body as never);
    // A form that breaks off within its file breaks the stream of the file too.
    form.on('error', () => noForm());
    source.on('error', (error) => form.destroy(error));
    source.pipe(form);
  });
}
