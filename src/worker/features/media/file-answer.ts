import type { Context } from 'hono';
import { refuse } from '../../../contract/errors.ts';
import type { AppEnv } from '../../app-env.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { notFound } from '../../http/request/path-id.ts';
import { byteRange } from './store/byte-range.ts';
import type { MediaStore, StoredMedia } from './store/media-store.ts';

/** The file, or the part of it that `Range` asks for: to be saved, never shown as a page of ours. */
export async function answerFile(
  c: Context<AppEnv>,
  store: MediaStore,
  media: StoredMedia,
): Promise<Response> {
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
