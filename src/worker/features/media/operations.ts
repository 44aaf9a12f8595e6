import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { refuse } from '../../../contract/errors.ts';
import { fileNameField } from '../../../contract/messages/file-name.ts';
import { isSignedMedia } from '../../../durable/media-url.ts';
import { newUuid } from '../../../durable/new-ids.ts';
import type { AppEnv } from '../../app-env.ts';
import { keyOrPerson, keyOrPersonOrSignedUrl } from '../../auth/callers.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { ClientGone } from '../../http/request/client-gone.ts';
import { notFound, uuidPathId } from '../../http/request/path-id.ts';
import { query } from '../../http/request/query.ts';
import { hiddenNumbers } from '../conversations/sight.ts';
import { answerFile } from './file-answer.ts';
import type { storedMediaSchema } from './records.ts';
import { isFileOf, MediaStore, type StoredMedia } from './store/media-store.ts';
import { uploadOf } from './upload-request.ts';

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
  const stored = await store.store(media, Date.now()).catch((error) => {
    throw c.req.raw.signal.aborted
      ? new ClientGone('the client hung up within its file', { cause: error })
      : error;
  });
  if (!stored.ok) return renderRefusal(c, stored);
  const { keyId: _, ...shown } = stored.media;
  const { mediaId, mimetype, bytes } = shown;
  Object.assign(c.get('log'), { mediaId, mimetype, bytes });
  return c.json<z.infer<typeof storedMediaSchema>>(shown, 201);
});

const signedQuery = z.strictObject({
  account: z.uuid().optional(),
  expires: z
    .string()
    .regex(/^\d{1,12}$/, 'Seconds since 1970.')
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
