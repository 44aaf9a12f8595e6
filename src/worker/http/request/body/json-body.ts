import type { MiddlewareHandler } from 'hono';
import { z } from 'zod';
import { invalidField, type Refusal, refuse } from '../../../../contract/errors.ts';
import type { AppEnv } from '../../../app-env.ts';
import { noteBody } from '../../../features/requests/read-body.ts';
import { renderRefusal } from '../../answer/refusal-response.ts';
import { validating } from '../request-parts.ts';
import { unusablePlace } from '../unusable-json.ts';
import { shortPath, validationRefusal } from '../validation-details.ts';
import { ClientGone, dropRest } from './rest-of-body.ts';

/** Largest request body. */
const bodyBytesMax = 1024 * 1024;
/** Largest body of a request that carries a file in base64. */
const fileBodyBytesMax = 7 * 1024 * 1024;

const nothing = z.strictObject({});
const tooLarge = (bytesMax = bodyBytesMax) => {
  const message = `The body is larger than ${bytesMax / 1024 / 1024} MiB.`;
  return refuse('PAYLOAD_TOO_LARGE', message, { details: [{ path: 'body', message, bytesMax }] });
};
const tooDeep = () => invalidField('body', `Nested deeper than ${jsonDepthMax} levels.`);
const notJson = () => refuse('INVALID_JSON', 'The body is not valid JSON in UTF-8.');

/** `application/json` or a `+json` type, in UTF-8, not compressed. */
function isJson(headers: Headers): boolean {
  const [type = '', ...parameters] = (headers.get('content-type') ?? '').toLowerCase().split(';');
  const charset = parameters.map((it) => it.trim()).find((it) => it.startsWith('charset='));
  const encoding = headers.get('content-encoding');
  return (
    /^application\/([\w.+-]+\+)?json$/.test(type.trim()) &&
    (charset === undefined || /^charset="?utf-?8"?$/.test(charset)) &&
    (encoding === null || encoding.toLowerCase() === 'identity')
  );
}

/** All bytes of the body, or null when there are more than `bytesMax`: reads no further than that. */
async function readBytes(request: Request, bytesMax = bodyBytesMax): Promise<Uint8Array | null> {
  try {
    return await readBytesOf(request, bytesMax);
  } catch (error) {
    throw new ClientGone('the client hung up within its body', { cause: error });
  }
}

async function readBytesOf(request: Request, bytesMax: number): Promise<Uint8Array | null> {
  const announced = request.headers.get('content-length');
  if (announced !== null) {
    // `readToItsEnd` reads it.
    if (Number(announced) > bytesMax) return null;
    // HTTP ends the body there.
    const bytes = new Uint8Array(await request.arrayBuffer());
    return bytes.byteLength > bytesMax ? null : bytes;
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  if (request.body !== null) {
    const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      length += value.byteLength;
      if (length > bytesMax) {
        await dropRest(reader);
        return null;
      }
      chunks.push(value);
    }
  }
  return new Uint8Array(Buffer.concat(chunks));
}

type JsonRead = { ok: true; value: unknown } | Refusal;

/**
 * The parsed body, or the refusal: 415 before 413 before `INVALID_JSON`. `hasFile`: the body may carry a file, and then have 7
 * MiB instead of 1.
 */
export async function readJson(
  request: Request,
  hasFile: ((value: unknown) => boolean) | null = null,
): Promise<JsonRead> {
  if (!isJson(request.headers)) {
    return refuse('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json in UTF-8.');
  }
  const bytes = await readBytes(request, fileBodyBytesMax);
  if (bytes === null) return tooLarge(hasFile === null ? bodyBytesMax : fileBodyBytesMax);
  const read = parseJson(bytes);
  if (bytes.byteLength > bodyBytesMax && !(read.ok && hasFile?.(read.value))) return tooLarge();
  if (read.ok) noteBody(request, read.value);
  return read;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

function parseJson(bytes: Uint8Array): JsonRead {
  try {
    const text = utf8.decode(bytes);
    if (isTooDeep(text)) return tooDeep();
    const value: unknown = JSON.parse(text);
    const unusable = unusablePlace(text, value);
    if (unusable === null) return { ok: true, value };
    return invalidField(shortPath(unusable.path.join('.') || 'body'), unusable.message);
  } catch {
    return notJson();
  }
}

/** Validates the JSON body; the handler finds it as `c.req.valid('json')`. */
export function jsonBody<Schema extends z.ZodType<object>>(
  schema: Schema,
): MiddlewareHandler<AppEnv, string, { in: { json: z.input<Schema> }; out: { json: z.output<Schema> } }> {
  return validating({ json: schema }, async (c, next) => {
    const read = await readJson(c.req.raw);
    if (!read.ok) return renderRefusal(c, read);
    const parsed = schema.safeParse(read.value);
    if (!parsed.success) return renderRefusal(c, validationRefusal(parsed.error));
    c.req.addValidatedData('json', parsed.data);
    return next();
  });
}

/** For calls that take no fields: nothing, or an empty JSON object. */
export const emptyBody: MiddlewareHandler<AppEnv> = validating({ noFields: true }, async (c, next) => {
  const bytes = await readBytes(c.req.raw);
  if (bytes === null) return renderRefusal(c, tooLarge());
  if (bytes.byteLength > 0) {
    const read = isJson(c.req.raw.headers)
      ? parseJson(bytes)
      : refuse('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json in UTF-8, or none at all.');
    if (!read.ok) return renderRefusal(c, read);
    const parsed = nothing.safeParse(read.value);
    if (!parsed.success) return renderRefusal(c, validationRefusal(parsed.error));
  }
  return next();
});

/** How deep a request may nest objects and lists: nothing of ours needs more, and what walks a value may recurse. */
const jsonDepthMax = 32;

/** Whether JSON text opens more than {@link jsonDepthMax} objects and lists inside each other; one pass, nothing built. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (inString) {
      if (character === '\\') index += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') {
      depth += 1;
      if (depth > jsonDepthMax) return true;
    } else if (character === '}' || character === ']') depth -= 1;
  }
  return false;
}

/** The fields of an object schema, each of which may be left out; rules between fields are for the whole object. */
export function fieldsOf<Shape extends z.core.$ZodLooseShape>(schema: z.ZodObject<Shape>) {
  return z.strictObject(schema.shape).partial();
}

/** `current` with `changes` over it, as `schema` has it, or the refusal; `path` is where the object stands in the body. */
export function merged<Value extends object>(
  schema: z.ZodType<Value>,
  path: string,
  current: Value,
  changes: object,
): { ok: true; value: Value } | Refusal {
  const parsed = schema.safeParse({ ...current, ...changes });
  if (parsed.success) return { ok: true, value: parsed.data };
  const issues = parsed.error.issues.map((issue) => ({ ...issue, path: [path, ...issue.path] }));
  return validationRefusal(new z.ZodError(issues));
}
