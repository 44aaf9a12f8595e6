import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { refuse } from '../../contract/errors.ts';
import { isFileName } from '../../contract/messages/file-name.ts';
import { isSignedMedia } from '../../durable/media-url.ts';
import { newUuid } from '../../durable/new-ids.ts';
import type { AppEnv } from '../app-env.ts';
import { keyOrPerson, keyOrPersonOrSignedUrl, onlyNumberOf } from '../auth/callers.ts';
import { renderRefusal } from '../http/answer/refusal-response.ts';
import { ClientGone } from '../http/request/client-gone.ts';
import { notFound, uuidPathId } from '../http/request/path-id.ts';
import { query } from '../http/request/query.ts';
import { answerFile } from '../media/file-answer.ts';
import { MediaStore } from '../media/media-store.ts';
import { uploadOf } from '../media/upload-request.ts';
import type { storedMediaSchema } from '../openapi/schemas/messages/media.ts';

export const mediaRoutes = new Hono<AppEnv>();

const uploadQuery = z.strictObject({
  fileName: z
    .string()
    .refine(
      isFileName,
      'A name of 1 to 255 characters, without slashes, line breaks and invisible characters.',
    )
    .optional(),
});

mediaRoutes.post('/', keyOrPerson('media'), query(uploadQuery), async (c) => {
  const upload = await uploadOf(c.req.raw);
  if (!upload.ok) return renderRefusal(c, upload);
  const { fileName } = c.req.valid('query');
  const store = new MediaStore(c.env, c.get('caller').accountId);
  const media = { ...upload.file, mediaId: newUuid(), ...(fileName !== undefined && { fileName }) };
  const stored = await store.store(media, Date.now()).catch((error) => {
    throw c.req.raw.signal.aborted
      ? new ClientGone('the client hung up within its file', { cause: error })
      : error;
  });
  if (!stored.ok) return renderRefusal(c, stored);
  const { mimetype, bytes } = stored.media;
  Object.assign(c.get('log'), { mediaId: media.mediaId, mimetype, bytes });
  return c.json<z.infer<typeof storedMediaSchema>>(stored.media, 201);
});

const signedQuery = z.strictObject({
  account: z.uuid().optional(),
  expires: z
    .string()
    .regex(/^\d{1,12}$/, 'Seconds since 1970.')
    .optional(),
  signature: z.string().max(100).optional(),
});

const badLink = refuse('FORBIDDEN', 'This link is not good any more. Ask for the file anew.');

mediaRoutes.get(
  '/:mediaId',
  keyOrPersonOrSignedUrl('media'),
  uuidPathId('mediaId', 'file'),
  query(signedQuery),
  async (c) => {
    const { account, expires, signature } = c.req.valid('query');
    const mediaId = c.req.param('mediaId');
    const now = Date.now();
    if (signature === undefined) return answer(c, c.get('caller').accountId, mediaId, onlyNumberOf(c), now);
    if (account === undefined || expires === undefined) return renderRefusal(c, badLink);
    if (!isSignedMedia(c.env, mediaId, { account, expires, signature }, now))
      return renderRefusal(c, badLink);
    c.get('log').accountId = account;
    return answer(c, account, mediaId, null, now);
  },
);

/** `onlyNumber`: of a key that is pinned strictly, to which what other numbers received is somebody else's. */
async function answer(
  c: Context<AppEnv>,
  accountId: string,
  mediaId: string,
  onlyNumber: string | null,
  now: number,
): Promise<Response> {
  const store = new MediaStore(c.env, accountId);
  const media = await store.find(mediaId, now);
  const isTheirs = onlyNumber === null || [undefined, onlyNumber].includes(media?.numberId);
  if (media === null || !isTheirs) return renderRefusal(c, notFound('file'));
  return answerFile(c, store, media);
}
