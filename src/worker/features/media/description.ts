import { z } from 'zod';
import { example } from '../../openapi/examples/example-values.ts';
import { answer, chapter } from '../../openapi/operation.ts';
import { storedMediaSchema } from './records.ts';

const file = z.string().meta({ format: 'binary' });

export const mediaOperations = chapter('Media', [
  {
    id: 'uploadMedia',
    route: 'POST /v1/media',
    summary: 'Upload a file',
    description:
      'Stores a file for 30 days. Send it by its `mediaId` to as many recipients as you like: it is uploaded to the ' +
      'network once. Send the bytes as they are, with their `Content-Type`, or as the field `file` of a form ' +
      'that contains nothing else.\n\nThe ' +
      'bytes decide the type: if they do not match the claimed type, the file is rejected. Images and audio may have ' +
      '16 MiB, videos and documents 100 MiB. `application/octet-stream` claims nothing: the type is detected from the ' +
      'bytes, and the limit is that of a document.',
    parameters: { fileName: 'The name of a document, as the recipient sees it.' },
    rawBody: {
      'application/octet-stream': { schema: file, example: 'the bytes' },
      'multipart/form-data': { schema: z.object({ file }), example: { file: 'the bytes' } },
    },
    answers: [
      answer(201, 'The file is stored.', storedMediaSchema, {
        mediaId: example.mediaId,
        mimetype: 'image/jpeg',
        bytes: 52113,
        sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        width: 1280,
        height: 960,
        createdAt: '2026-01-31T09:30:00.123Z',
        expiresAt: '2026-03-02T09:30:00.123Z',
      }),
    ],
    errors: ['QUOTA_EXCEEDED', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
  },
  {
    id: 'downloadMedia',
    route: 'GET /v1/media/:mediaId',
    summary: 'Download a file',
    description:
      'The bytes of a stored or received file, as an attachment with its own type. `Range` requests a part of it; with ' +
      '`If-Range`, only if the file is unchanged.\n\nThe `url` of `media` in messages and events is this call with a ' +
      'signature: it needs no credential for an hour.',
    parameters: {
      account: 'Part of a signed URL: do not change it.',
      expires: 'Part of a signed URL: do not change it.',
      signature: 'Part of a signed URL: do not change it.',
    },
    answers: [
      {
        status: 200,
        description: 'The file, with its own `Content-Type`.',
        media: { 'application/octet-stream': { schema: file, example: 'the bytes' } },
      },
      {
        status: 206,
        description: 'The requested part.',
        media: { 'application/octet-stream': { schema: file, example: 'the b' } },
      },
    ],
    errors: ['RANGE_NOT_SATISFIABLE'],
  },
]);
