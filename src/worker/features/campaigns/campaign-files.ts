import { type Refusal, refuse } from '../../../contract/errors.ts';
import { isFileContent } from '../../../contract/messages/content.ts';
import { mediaDaysKept } from '../../../contract/messages/media.ts';
import type { CampaignDefinition } from '../../../durable/campaign/definition.ts';
import { MediaStore } from '../media/store/media-store.ts';

/** Keeps the files of a campaign's texts for a while longer. Refuses where one of them is gone. */
export async function keepCampaignFiles(
  env: Env,
  accountId: string,
  { texts }: Pick<CampaignDefinition, 'texts'>,
  now = Date.now(),
): Promise<Refusal | null> {
  const store = new MediaStore(env, accountId);
  for (const [index, { content }] of texts.entries()) {
    if (!isFileContent(content) || (await store.renew(content.media.mediaId, now))) continue;
    const path = `${index === 0 ? 'message' : `variants.${index - 1}`}.${content.type}.mediaId`;
    const message = `The file is not stored any more: files are kept for ${mediaDaysKept} days. Upload it again.`;
    return refuse('CONFLICT', message, { details: [{ path, message }] });
  }
  return null;
}
