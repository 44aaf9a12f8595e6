import { Readable, Transform } from 'node:stream';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { invalidField, type Refusal } from '../../../../contract/errors.ts';
import { shortPath } from '../validation-details.ts';

/** The file of a form, and the fields that stand before it. Nothing of the file is read yet. */
interface FormFile {
  ok: true;
  /** Ends when the form does. Fails with {@link FormProblem} if anything comes behind the file. */
  body: ReadableStream<Uint8Array>;
  fileName: string | undefined;
  mimetype: string;
  fields: Record<string, string>;
}

/** What is wrong with a form whose file is read by then. */
class FormProblem extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super('what comes behind the file of the form must not be there');
    this.refusal = refusal;
  }
}

/** For a `catch` around whatever reads the file: the refusal of the form. Every other error is thrown on. */
export function formRefusal(error: unknown): Refusal {
  if (error instanceof FormProblem) return error.refusal;
  throw error;
}

const fileField = 'file';
const fieldCharactersMax = 8000;
const notAForm = invalidField('body', 'Not valid multipart/form-data.');
const second = invalidField(fileField, 'Sent more than once.');

/**
 * The one file of `multipart/form-data`, under the name `file`. `names`: the fields that may stand before it. Whatever else is
 * in the form is refused by name, and nothing is ignored.
 */
export function fileOfForm(
  headers: Headers,
  body: ReadableStream<Uint8Array>,
  names: readonly string[] = [],
): Promise<FormFile | Refusal> {
  return new Promise((resolve) => {
    const fields: Record<string, string> = {};
    /** Null once it has ended as it should. */
    const ended = Promise.withResolvers<Refusal | null>();
    let file: Transform | null = null;
    let problem: Refusal | null = null;
    const refuse = (refusal: Refusal) => {
      problem ??= refusal;
      resolve(problem);
    };
    let form: InstanceType<typeof Busboy>;
    try {
      form = new Busboy({
        headers: Object.fromEntries(headers) as BusboyHeaders,
        limits: { files: 2, fields: names.length + 1, fieldSize: fieldCharactersMax, headerPairs: 20 },
      });
    } catch {
      return refuse(notAForm);
    }
    form.on('field', (name = '', value, _nameTruncated, isTruncated) => {
      const path = shortPath(name) || 'body';
      if (name === fileField) refuse(invalidField(path, 'Must be a file, with a file name.'));
      else if (!names.includes(name)) refuse(invalidField(path, 'Unknown field.'));
      else if (file !== null) refuse(invalidField(path, 'Must come before the file.'));
      else if (isTruncated) refuse(invalidField(path, `At most ${fieldCharactersMax} characters.`));
      else if (name in fields) refuse(invalidField(path, 'Sent more than once.'));
      else fields[name] = value;
    });
    form.on('file', (name = '', stream, fileName, _encoding, mimetype) => {
      if (name !== fileField) refuse(invalidField(shortPath(name) || 'body', 'Unknown field.'));
      else if (file !== null) refuse(second);
      if (problem !== null) {
        stream.on('error', () => undefined);
        stream.resume();
        return;
      }
      const held = heldUntil(ended.promise);
      file = held;
      // The form breaks off within it.
      stream.on('error', () => held.destroy(new FormProblem(notAForm)));
      stream.pipe(held);
      // Whoever wants no more of it lets the form go on to its end.
      held.on('close', () => stream.resume());
      const bytes = Readable.toWeb(held) as unknown as ReadableStream<Uint8Array>;
      resolve({ ok: true, body: bytes, fileName, mimetype, fields });
    });
    form.on('filesLimit', () => refuse(second));
    form.on('fieldsLimit', () => refuse(invalidField('body', 'Too many fields.')));
    form.on('finish', () => {
      const behind = names.length > 0 ? ', behind all others' : '';
      if (file === null) refuse(invalidField(fileField, `This field is required${behind}.`));
      ended.resolve(problem);
    });
    form.on('error', () => {
      refuse(notAForm);
      ended.resolve(problem);
    });
    const source = Readable.fromWeb(body as never);
    // Whoever sends it has hung up.
    source.on('error', (error) => {
      file?.destroy(error);
      form.destroy(error);
    });
    source.pipe(form);
  });
}

/** Passes bytes on, and ends only when the form has, if nothing was wrong with that. */
function heldUntil(ended: Promise<Refusal | null>): Transform {
  return new Transform({
    transform: (chunk, _encoding, done) => done(null, chunk),
    flush: (done) => {
      void ended.then((problem) => done(problem && new FormProblem(problem)));
    },
  });
}
