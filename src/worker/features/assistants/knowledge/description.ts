import { z } from 'zod';
import { exampleDocumentId } from '../../../openapi/examples/example-values.ts';
import type { Operation } from '../../../openapi/operation.ts';
import { exampleDocument } from '../example-assistant.ts';
import { documentListSchema, documentSchema, passagesSchema } from '../records.ts';

const file = z.string().meta({ format: 'binary' });

export const documentOperations: Operation[] = [
  {
    id: 'addAssistantDocument',
    method: 'post',
    path: '/v1/assistants/:id/documents',
    tag: 'Assistants',
    summary: 'Add a text or a URL',
    description:
      'Something that the assistant is to know. A text is there at once. What lies at a URL (a page, a text, a PDF, or ' +
      'all pages of a sitemap, 200 at most) is read behind the answer, and again as often as you say.',
    fields: {
      name: 'What you call it. A URL is called by the title of its page, where it is left out.',
      text: 'The text, up to 1,000,000 characters.',
      format: 'Whether the text is Markdown, whose headings are then understood.',
      url: 'https, to a public address.',
      isSitemap: 'The URL is a sitemap: its pages on the same host are read.',
      rereadHours: 'The URL is read again after so many hours; null or left out: never by itself.',
    },
    examples: {
      text: {
        summary: 'A text',
        value: {
          name: 'Returns',
          text: 'A lamp can be sent back within 30 days, in its box, for its full price.',
        },
      },
      url: { summary: 'A page', value: { url: 'https://example.com/delivery', rereadHours: 24 } },
    },
    answers: [
      { status: 201, description: 'The document.', schema: documentSchema, example: exampleDocument },
    ],
    errors: ['CONFLICT'],
  },
  {
    id: 'uploadAssistantDocument',
    method: 'post',
    path: '/v1/assistants/:id/documents/upload',
    tag: 'Assistants',
    summary: 'Upload a document',
    description:
      'A text, Markdown, HTML or PDF file of 10 MiB at most: its bytes with their `Content-Type`, or the field `file` of a ' +
      'form. A PDF must hold text: scanned pages are not read.',
    parameters: { name: 'What you call it; left out: as the form calls it.' },
    parameterExamples: { name: 'Returns.md' },
    rawBody: {
      'application/octet-stream': { schema: file, example: 'A lamp can be sent back within 30 days.' },
      'multipart/form-data': { schema: z.object({ file }), example: { file: 'the bytes' } },
    },
    answers: [
      { status: 201, description: 'The document.', schema: documentSchema, example: exampleDocument },
    ],
    errors: ['CONFLICT', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'VALIDATION_ERROR'],
  },
  {
    id: 'listAssistantDocuments',
    method: 'get',
    path: '/v1/assistants/:id/documents',
    tag: 'Assistants',
    summary: 'List documents',
    description: 'What an assistant knows, newest first.',
    answers: [
      {
        status: 200,
        description: 'A page of documents.',
        schema: documentListSchema,
        example: { data: [exampleDocument], nextCursor: null },
      },
    ],
  },
  {
    id: 'getAssistantDocument',
    method: 'get',
    path: '/v1/assistants/:id/documents/:documentId',
    tag: 'Assistants',
    summary: 'Get a document',
    description: 'One document, and whether it could be read.',
    answers: [
      { status: 200, description: 'The document.', schema: documentSchema, example: exampleDocument },
    ],
  },
  {
    id: 'readAssistantDocument',
    method: 'post',
    path: '/v1/assistants/:id/documents/:documentId/read',
    tag: 'Assistants',
    summary: 'Read a document again',
    description: 'Reads what lies at its URL now. 409 for a text or a file, which lie nowhere.',
    answers: [
      {
        status: 202,
        description: 'It is being read.',
        schema: documentSchema,
        example: { ...exampleDocument, kind: 'url', url: 'https://example.com/delivery', state: 'pending' },
      },
    ],
    errors: ['CONFLICT'],
  },
  {
    id: 'deleteAssistantDocument',
    method: 'delete',
    path: '/v1/assistants/:id/documents/:documentId',
    tag: 'Assistants',
    summary: 'Delete a document',
    description: 'The assistant knows nothing of it any more.',
    answers: [{ status: 204, description: 'It is gone.' }],
  },
  {
    id: 'searchAssistantKnowledge',
    method: 'get',
    path: '/v1/assistants/:id/knowledge',
    tag: 'Assistants',
    summary: 'Search what it knows',
    description:
      'The pieces that the assistant would find for these words, the best first: by the words, and by their meaning too ' +
      'where the gateway has an index for that.',
    parameters: { q: 'The words to look for; without any, nothing is found.' },
    parameterExamples: { q: 'send back' },
    answers: [
      {
        status: 200,
        description: 'What was found.',
        schema: passagesSchema,
        example: {
          data: [
            {
              documentId: exampleDocumentId,
              name: 'Returns',
              url: null,
              heading: '',
              text: 'A lamp can be sent back within 30 days, in its box, for its full price.',
              score: 2.31,
            },
          ],
        },
      },
    ],
  },
];
