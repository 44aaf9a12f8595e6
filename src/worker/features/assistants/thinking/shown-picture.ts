import { MediaStore } from '../../media/store/media-store.ts';

/** What every model with eyes takes. */
const types: readonly string[] = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'];
const bytesMax = 4 * 1024 * 1024;

/** A file of the account, where a model can be shown it. */
export async function shownPicture(
  env: Pick<Env, 'MEDIA' | 'ACCOUNT'>,
  accountId: string,
  mediaId: string,
): Promise<{ bytes: Uint8Array; mimetype: string } | null> {
  const store = new MediaStore(env, accountId);
  const about = await store.find(mediaId, Date.now());
  if (about === null || about.bytes > bytesMax || !types.includes(about.mimetype)) return null;
  const object = await store.bytes(mediaId);
  return object && { bytes: new Uint8Array(await object.arrayBuffer()), mimetype: about.mimetype };
}
