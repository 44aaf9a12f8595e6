import { example } from '../../openapi/examples/example-values.ts';
import { answer, chapter, pageAnswer } from '../../openapi/operation.ts';
import { requestDetailSchema, requestErrorsSchema, requestListSchema } from './records.ts';

const refused = {
  requestId: example.requestId,
  keyId: example.apiKeyId,
  at: '2026-01-31T09:30:00.102Z',
  method: 'POST',
  route: '/v1/messages/send',
  status: 422,
  durationMs: 41,
  code: 'RECIPIENT_INVALID',
  messageId: null,
};

const window = {
  since: 'Only requests at or after this time.',
  until: 'Only requests before this time.',
};

export const requestOperations = chapter('Request log', [
  {
    id: 'listRequests',
    route: 'GET /v1/requests',
    summary: 'List requests',
    description:
      'What your API keys requested in the last seven days, newest first; a request appears a few seconds after its ' +
      'response. Failures are kept, up to 300 a minute. Successes are kept if there are few of them: under load this ' +
      'is a sample. Requests with an invalid key are not kept.\n\nA page may be short or empty and still have a ' +
      '`nextCursor`: a filter that few requests match is read in steps.',
    parameters: {
      keyId: 'Only requests with this API key.',
      status: 'Only responses with this status (`404`) or of this class (`4xx`).',
      code: 'Only errors with this code.',
      route: 'Only this route: the pattern of its path.',
      method: 'Only this method.',
      ...window,
    },
    answers: [
      pageAnswer('A page of requests.', requestListSchema, [
        refused,
        { ...refused, status: 202, code: null, messageId: example.messageId },
      ]),
    ],
  },
  {
    id: 'listRequestErrors',
    route: 'GET /v1/requests/errors',
    summary: 'Count failed requests',
    description:
      'How often requests failed in the last seven days, by route and code, the most frequent first. Hours count as a ' +
      'whole.',
    parameters: { keyId: 'Only requests with this API key.', ...window },
    answers: [
      answer(200, 'The counts.', requestErrorsSchema, {
        data: [
          {
            method: 'POST',
            route: '/v1/messages/send',
            code: 'RECIPIENT_INVALID',
            status: 422,
            count: 17,
            lastAt: refused.at,
            lastRequestId: example.requestId,
          },
        ],
      }),
    ],
  },
  {
    id: 'getRequest',
    route: 'GET /v1/requests/:requestId',
    summary: 'Get a request',
    description:
      'One request, by the `X-Request-Id` of its response. If it failed, with the request and the response: secrets ' +
      'and texts are never kept, phone numbers are shortened.',
    answers: [
      answer(200, 'The request.', requestDetailSchema, {
        ...refused,
        query: null,
        body: { to: '[4 characters]', text: '[11 characters]' },
        answer: {
          code: 'RECIPIENT_INVALID',
          message: 'Neither a phone number with country code nor a group ID.',
          details: [{ path: 'to', message: 'Neither a phone number with country code nor a group ID.' }],
        },
      }),
    ],
  },
]);
