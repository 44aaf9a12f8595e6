import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { refuse } from '../../../contract/errors.ts';
import { fileNameField } from '../../../contract/messages/media.ts';
import { isSignedMedia } from '../../../durable/media-url.ts';
import { newUuid } from '../../../durable/new-ids.ts';
import type { AppEnv } from '../../app-env.ts';
import { keyOrPerson, keyOrPersonOrSignedUrl } from '../../auth/callers.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { formRefusal } from '../../http/request/body/form-file.ts';
import { query } from '../../http/request/query.ts';
import { notFound, uuidPathId } from '../../http/request/shared-fields.ts';
import { hiddenNumbers } from '../conversations/own-conversation.ts';
import type { storedMediaSchema } from './records.ts';
import { isFileOf, MediaStore, type StoredMedia } from './store/media-store.ts';
import { refusedUpload, uploadOf } from './upload-request.ts';

export const mediaRoutes = new Hono<AppEnv>();

const uploadQuery = z.strictObject({ fileName: fileNameField.optional() });

mediaRoutes.post('/', keyOrPerson('media'), query(uploadQuery), async (c) => {
  const upload = await uploadOf(c.req.raw);
  if (!upload.ok) return renderRefusal(c, upload);
  const { fileName } = c.req.valid('query');
  const store = new MediaStore(c.env, c.get('caller').accountId);
  const caller = c.get('caller');
  const media = {
    ...upload.file,
    mediaId: newUuid(),
    ...(fileName !== undefined && { fileName }),
    ...(caller.kind === 'key' && { keyId: caller.keyId }),
  };
  const stored = await store.store(media, Date.now()).catch(formRefusal);
  if (!stored.ok) return renderRefusal(c, refusedUpload(stored, upload.field));
  const { keyId: _, ...shown } = stored.media;
  const { mediaId, mimetype, bytes } = shown;
  Object.assign(c.get('log'), { mediaId, mimetype, bytes });
  return c.json<z.infer<typeof storedMediaSchema>>(shown, 201);
});

const signedQuery = z.strictObject({
  account: z.uuid().optional(),
  expires: z
    .string()
    .regex(/^\d{1,12}$/, 'Must be in seconds since 1970.')
    .optional(),
  signature: z.string().max(100).optional(),
});

const badLink = refuse('FORBIDDEN', 'This link has expired. Request the file again.');

mediaRoutes.get(
  '/:mediaId',
  keyOrPersonOrSignedUrl('media'),
  uuidPathId('mediaId', 'file'),
  query(signedQuery),
  async (c) => {
    const { account, expires, signature } = c.req.valid('query');
    const mediaId = c.req.param('mediaId');
    const now = Date.now();
    if (signature === undefined) return answer(c, c.get('caller').accountId, mediaId, await sightOf(c), now);
    if (account === undefined || expires === undefined) return renderRefusal(c, badLink);
    if (!isSignedMedia(c.env, mediaId, { account, expires, signature }, now))
      return renderRefusal(c, badLink);
    c.get('log').accountId = account;
    return answer(c, account, mediaId, () => true, now);
  },
);

type Sight = (media: StoredMedia) => boolean;

/** Which files of the account the caller may see, of those that it can name. */
async function sightOf(c: Context<AppEnv>): Promise<Sight> {
  const caller = c.get('caller');
  if (caller.kind === 'key') return (media) => isFileOf(media, caller);
  const hidden = await hiddenNumbers(c);
  return ({ numberId }) => numberId === undefined || !hidden.includes(numberId);
}

async function answer(
  c: Context<AppEnv>,
  accountId: string,
  mediaId: string,
  isSeen: Sight,
  now: number,
): Promise<Response> {
  const store = new MediaStore(c.env, accountId);
  const media = await store.find(mediaId, now);
  if (media === null || !isSeen(media)) return renderRefusal(c, notFound('file'));
  return answerFile(c, store, media);
}

/** The file, or the part of it that `Range` asks for: to be saved, never shown as a page of ours. */
async function answerFile(c: Context<AppEnv>, store: MediaStore, media: StoredMedia): Promise<Response> {
  const { mediaId, mimetype, bytes, sha256, fileName = mediaId } = media;
  const tag = `"${sha256}"`;
  // Somebody who goes on with another file gets all of this one.
  const isSame = [undefined, tag].includes(c.req.header('If-Range'));
  const range = isSame ? byteRange(c.req.header('Range'), bytes) : null;
  c.header('Accept-Ranges', 'bytes');
  if (range === 'beyond') {
    c.header('Content-Range', `bytes */${bytes}`);
    return renderRefusal(c, refuse('RANGE_NOT_SATISFIABLE', `The file has ${bytes} bytes.`));
  }
  const found = await store.bytes(mediaId, range ?? undefined);
  if (found === null) return renderRefusal(c, notFound('file'));
  c.header('ETag', tag);
  c.header('Content-Type', mimetype);
  c.header('Content-Length', String(range?.length ?? bytes));
  c.header('Content-Disposition', `attachment; filename*=UTF-8''${encoded(fileName)}`);
  if (range === null) return c.body(found.body);
  c.header('Content-Range', `bytes ${range.offset}-${range.offset + range.length - 1}/${bytes}`);
  return c.body(found.body, 206);
}

/** As RFC 8187 has it: `encodeURIComponent` leaves some that it does not allow. */
const encoded = (name: string) =>
  encodeURIComponent(name).replaceAll(/['()*]/g, (it) => `%${it.charCodeAt(0).toString(16).toUpperCase()}`);

/** Of a file of `bytes` bytes, what a `Range` header asks for: null for all of it, `beyond` when nothing of it is there. */
export function byteRange(
  header: string | undefined,
  bytes: number,
): { offset: number; length: number } | null | 'beyond' {
  // Several ranges at once, or another unit: a server may answer with the whole (RFC 9110).
  const asked = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  if (asked === null) return null;
  const [, first = '', last = ''] = asked;
  if (first === '') {
    if (last === '') return null;
    const length = Math.min(Number(last), bytes);
    return length === 0 ? 'beyond' : { offset: bytes - length, length };
  }
  const offset = Number(first);
  const end = last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  if (last !== '' && Number(last) < offset) return null;
  return offset >= bytes ? 'beyond' : { offset, length: end - offset + 1 };
}
