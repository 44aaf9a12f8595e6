import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { fileNameOf } from '../../../contract/messages/file-name.ts';
import { fileFactsSchema } from '../../../contract/messages/media.ts';
import { mediaKinds } from '../../../contract/messages/media-kinds.ts';
import type { AppEnv } from '../../app-env.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { notFound, uuidPathId } from '../../http/request/path-id.ts';
import { invalidField, validationRefusal } from '../../http/request/validation-details.ts';
import { typeNamed } from '../media/media-type.ts';
import { MediaStore } from '../media/store/media-store.ts';
import { accountByLease } from './bridge-lease.ts';

/** The files of a number, for the bridge that holds it: those that are to be sent, and those that came. */
export const bridgeFileRoutes = new Hono<AppEnv>();

const noFile = notFound('file');

/** The files of whose account the number is; null when it is nobody's. */
const storeOf = (c: Context<AppEnv>, accountId: string | null) =>
  accountId === null ? null : new MediaStore(c.env, accountId);

bridgeFileRoutes.use(
  '/:numberId/media/:mediaId',
  uuidPathId('numberId', 'number'),
  uuidPathId('mediaId', 'file'),
);

bridgeFileRoutes.get('/:numberId/media/:mediaId', async (c) => {
  const { numberId, mediaId } = c.req.param();
  const lease = await accountByLease(c, numberId);
  if (!lease.ok) return renderRefusal(c, lease);
  const store = storeOf(c, lease.accountId);
  const found = (await store?.find(mediaId, Date.now())) ?? null;
  const bytes = found && (await store?.bytes(mediaId));
  if (!found || !bytes) return renderRefusal(c, noFile);
  c.header('Content-Length', String(found.bytes));
  return c.body(bytes.body);
});

const storedQuery = z.object({
  kind: z.enum(mediaKinds),
  fileName: z.string().optional(),
});

/** A file that the number has received. What the sender called it is no claim that it is refused for. */
bridgeFileRoutes.put('/:numberId/media/:mediaId', async (c) => {
  const { numberId, mediaId } = c.req.param();
  const lease = await accountByLease(c, numberId);
  if (!lease.ok) return renderRefusal(c, lease);
  const query = storedQuery.safeParse(c.req.query());
  if (!query.success) return renderRefusal(c, validationRefusal(query.error));
  const store = storeOf(c, lease.accountId);
  if (store === null) return renderRefusal(c, notFound('number'));
  const { body, headers } = c.req.raw;
  if (body === null) return renderRefusal(c, invalidField('body', 'The bytes of the file are missing.'));
  const fileName = fileNameOf(query.data.fileName);
  const stored = await store.store(
    {
      mediaId,
      body,
      bytesKnown: null,
      typeNamed: typeNamed(headers.get('content-type')),
      isTypeGuess: true,
      // The network takes larger ones than we do, of any kind.
      kind: 'document',
      ...(fileName !== undefined && { fileName }),
      numberId,
    },
    Date.now(),
  );
  return stored.ok ? c.json(fileFactsSchema.strip().parse(stored.media)) : renderRefusal(c, stored);
});
