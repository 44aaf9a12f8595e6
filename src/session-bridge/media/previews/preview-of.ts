import { mebibyte, mediaBytesMax } from '../../../contract/messages/media-kinds.ts';
import { SealedBytes } from '../sealed-bytes.ts';
import type { Preview, PreviewJob } from './preview.ts';

/** Pages are counted in what is no larger: to count them, the whole document is read. */
const countedBytesMax = 8 * mebibyte;

/** What can be found out about a file. Throws what its decoders throw. Each is loaded when it is needed first. */
export async function previewOf(job: PreviewJob): Promise<Preview> {
  const { kind, mimetype, isVoice, bytes } = job;
  if (bytes === 0 || bytes > mediaBytesMax[kind]) return {};
  const isCounted = mimetype === 'application/pdf' && bytes <= countedBytesMax;
  if (kind === 'document' && !isCounted) return {};
  const file = await SealedBytes.open(job);
  try {
    switch (kind) {
      case 'image':
      case 'sticker': {
        const { previewOfPicture } = await import('./picture.ts');
        return await previewOfPicture(await file.read(0, bytes));
      }
      case 'video':
      case 'audio': {
        const { previewOfRecording } = await import('./sound-and-film.ts');
        return await previewOfRecording(file, isVoice);
      }
      case 'document': {
        const { getDocumentProxy } = await import('unpdf');
        const { numPages } = await getDocumentProxy(new Uint8Array(await file.read(0, bytes)));
        return { pages: numPages };
      }
    }
  } finally {
    await file.close();
  }
}
