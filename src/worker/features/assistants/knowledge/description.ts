import { z } from 'zod';
import { example } from '../../../openapi/examples/example-values.ts';
import { answer, chapter, pageAnswer } from '../../../openapi/operation.ts';
import { exampleDocument } from '../example-assistant.ts';
import { documentListSchema, documentSchema, passagesSchema } from '../records.ts';

const file = z.string().meta({ format: 'binary' });

export const documentOperations = chapter('Assistants', [
  {
    id: 'addAssistantDocument',
    route: 'POST /v1/assistants/:id/documents',
    summary: 'Add a text or a URL',
    description:
      'Adds knowledge to the assistant. A text is available at once. A URL (a page, a text, a PDF, or all pages of a ' +
      'sitemap, 200 at most) is read in the background, and again as often as you set.',
    fields: {
      name: 'Your name for it. If omitted, a URL gets the title of its page.',
      text: 'The text, up to 1,000,000 characters.',
      format: 'Whether the text is Markdown, whose headings are then used.',
      url: 'https, at a public address.',
      isSitemap: 'The URL is a sitemap: its pages on the same host are read.',
      rereadHours: 'The URL is read again after this many hours; null or omitted: never automatically.',
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
    answers: [answer(201, 'The document.', documentSchema, exampleDocument)],
    errors: ['CONFLICT'],
  },
  {
    id: 'uploadAssistantDocument',
    route: 'POST /v1/assistants/:id/documents/upload',
    summary: 'Upload a document',
    description:
      'A text, Markdown, HTML or PDF file of up to 10 MiB: its bytes with their `Content-Type`, or the field `file` of ' +
      'a form. A PDF must contain text: scanned pages are not read.',
    parameters: { name: 'Your name for it; if omitted, the name in the form.' },
    parameterExamples: { name: 'Returns.md' },
    rawBody: {
      'application/octet-stream': { schema: file, example: 'A lamp can be sent back within 30 days.' },
      'multipart/form-data': { schema: z.object({ file }), example: { file: 'the bytes' } },
    },
    answers: [answer(201, 'The document.', documentSchema, exampleDocument)],
    errors: ['CONFLICT', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'VALIDATION_ERROR'],
  },
  {
    id: 'listAssistantDocuments',
    route: 'GET /v1/assistants/:id/documents',
    summary: 'List documents',
    description: 'The knowledge of an assistant, newest first.',
    answers: [pageAnswer('A page of documents.', documentListSchema, [exampleDocument])],
  },
  {
    id: 'getAssistantDocument',
    route: 'GET /v1/assistants/:id/documents/:documentId',
    summary: 'Get a document',
    description: 'One document, and whether it could be read.',
    answers: [answer(200, 'The document.', documentSchema, exampleDocument)],
  },
  {
    id: 'readAssistantDocument',
    route: 'POST /v1/assistants/:id/documents/:documentId/read',
    summary: 'Read a document again',
    description: 'Reads its URL again now. 409 for a text or a file, which have none.',
    answers: [
      answer(202, 'It is being read.', documentSchema, {
        ...exampleDocument,
        kind: 'url',
        url: 'https://example.com/delivery',
        state: 'pending',
      }),
    ],
    errors: ['CONFLICT'],
  },
  {
    id: 'deleteAssistantDocument',
    route: 'DELETE /v1/assistants/:id/documents/:documentId',
    summary: 'Delete a document',
    description: 'The assistant no longer uses it.',
    answers: [{ status: 204, description: 'The document is deleted.' }],
  },
  {
    id: 'searchAssistantKnowledge',
    route: 'GET /v1/assistants/:id/knowledge',
    summary: 'Search the knowledge',
    description:
      'The chunks that the assistant would find for a query, best match first: by words, and also by meaning if the ' +
      'gateway has an index for that.',
    parameters: { q: 'The query; an empty one finds nothing.' },
    parameterExamples: { q: 'send back' },
    answers: [
      answer(200, 'The results.', passagesSchema, {
        data: [
          {
            documentId: example.documentId,
            name: 'Returns',
            url: null,
            heading: '',
            text: 'A lamp can be sent back within 30 days, in its box, for its full price.',
            score: 2.31,
          },
        ],
      }),
    ],
  },
]);
