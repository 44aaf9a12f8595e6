import { z } from 'zod';
import { exampleMediaId } from '../../openapi/examples/example-values.ts';
import type { Operation } from '../../openapi/operation.ts';
import { storedMediaSchema } from './records.ts';

const file = z.string().meta({ format: 'binary' });

export const mediaOperations: Operation[] = [
  {
    id: 'uploadMedia',
    method: 'post',
    path: '/v1/media',
    tag: 'Media',
    summary: 'Store a file',
    description:
      'Stores a file for 30 days, to be sent by its `mediaId`, to as many recipients as you like: it leaves for the ' +
      'network once. Send the bytes as they are, with their `Content-Type`, or as the field `file` of a form.\n\n' +
      'A file is what its bytes say: where these are of another type than was claimed, it is refused. Pictures and ' +
      'sound may have 16 MiB, videos and everything else 100 MiB. `application/octet-stream` claims nothing: the type is ' +
      'then seen from the bytes, and the limit is that of a document.',
    parameters: { fileName: 'What the recipient sees as its name, of a document.' },
    rawBody: {
      'application/octet-stream': { schema: file, example: 'the bytes' },
      'multipart/form-data': { schema: z.object({ file }), example: { file: 'the bytes' } },
    },
    answers: [
      {
        status: 201,
        description: 'It is stored.',
        schema: storedMediaSchema,
        example: {
          mediaId: exampleMediaId,
          mimetype: 'image/jpeg',
          bytes: 52113,
          sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
          width: 1280,
          height: 960,
          createdAt: '2026-01-31T09:30:00.123Z',
          expiresAt: '2026-03-02T09:30:00.123Z',
        },
      },
    ],
    errors: ['QUOTA_EXCEEDED', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
  },
  {
    id: 'downloadMedia',
    method: 'get',
    path: '/v1/media/:mediaId',
    tag: 'Media',
    summary: 'Fetch a file',
    description:
      'The bytes of a file that was stored or received, as an attachment of its own type. `Range` asks for a part of ' +
      'them, with `If-Range` only while it is the same file.\n\n' +
      'The `url` of `media` on messages and events is this call with a signature: for an hour it needs no credential.',
    parameters: {
      account: 'Of a signed URL: leave it as it is.',
      expires: 'Of a signed URL: leave it as it is.',
      signature: 'Of a signed URL: leave it as it is.',
    },
    answers: [
      {
        status: 200,
        description: 'The file. Its `Content-Type` is that of the file.',
        media: { 'application/octet-stream': { schema: file, example: 'the bytes' } },
      },
      {
        status: 206,
        description: 'The part that was asked for.',
        media: { 'application/octet-stream': { schema: file, example: 'the b' } },
      },
    ],
    errors: ['RANGE_NOT_SATISFIABLE'],
  },
];
