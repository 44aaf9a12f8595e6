import { z } from 'zod';
import { timestampSchema } from '../../../contract/ids.ts';
import { fileFactsSchema } from '../../../contract/messages/media.ts';
import { answerSchemas } from '../../openapi/schemas.ts';

const { mediaId, mimetype, bytes, sha256, fileName, durationSeconds, width, height } = fileFactsSchema.shape;

/** A file that was stored. */
export const storedMediaSchema = z
  .object({
    mediaId,
    mimetype: mimetype.describe('As its bytes show it.'),
    bytes: bytes.describe('Its size.'),
    sha256: sha256.describe('Of its bytes, in lower-case hex.'),
    fileName: fileName.describe('Where it came with one.'),
    durationSeconds: durationSeconds.describe('In seconds, of sound in Ogg.'),
    width: width.describe('Of a picture, in pixels.'),
    height: height.describe('Of a picture, in pixels.'),
    createdAt: timestampSchema,
    expiresAt: timestampSchema.describe('Then it is deleted: 30 days after it came.'),
  })
  .describe('A file, ready to be sent.')
  .register(answerSchemas, { id: 'StoredMedia' });
