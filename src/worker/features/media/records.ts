import { timestampSchema } from '../../../contract/ids.ts';
import { fileFactsSchema } from '../../../contract/messages/media.ts';
import { record } from '../../openapi/schemas.ts';

const { mediaId, mimetype, bytes, sha256, fileName, durationSeconds, width, height } = fileFactsSchema.shape;

/** A file that was stored. */
export const storedMediaSchema = record('StoredMedia', 'A stored file, ready to send.', {
  mediaId,
  mimetype: mimetype.describe('As detected from its bytes.'),
  bytes: bytes.describe('Size in bytes.'),
  sha256: sha256.describe('Of its bytes, in lowercase hex.'),
  fileName: fileName.describe('If it has one.'),
  durationSeconds: durationSeconds.describe('In seconds, for audio in Ogg.'),
  width: width.describe('For images, in pixels.'),
  height: height.describe('For images, in pixels.'),
  createdAt: timestampSchema,
  expiresAt: timestampSchema.describe('When it is deleted: 30 days after it was stored.'),
});
