import { z } from 'zod';
import type { Operation } from '../../openapi/operation.ts';
import { aliveSchema, openApiDocumentSchema, readinessSchema } from './records.ts';

export const serviceOperations: Operation[] = [
  {
    id: 'checkAlive',
    method: 'get',
    path: '/healthz',
    tag: 'Service',
    summary: 'Check that the process answers',
    description: 'For a load balancer: it asks nobody else.',
    answers: [{ status: 200, description: 'It answers.', schema: aliveSchema, example: { status: 'ok' } }],
  },
  {
    id: 'checkReady',
    method: 'get',
    path: '/readyz',
    tag: 'Service',
    summary: 'Check that everything is there',
    description:
      'Whether the database, the queue and at least one session bridge answer. The answer may be a few seconds old; with ' +
      "the operator's token it is new, and tells of each.",
    answers: [
      { status: 200, description: 'Ready.', schema: readinessSchema, example: { status: 'ready' } },
      {
        status: 503,
        description: 'Something is missing.',
        schema: readinessSchema,
        example: { status: 'not ready', checks: { database: true, queue: true, bridges: false } },
      },
    ],
  },
  {
    id: 'getMetrics',
    method: 'get',
    path: '/metrics',
    tag: 'Service',
    summary: 'Read the figures of the gateway',
    description:
      'For Prometheus and what understands its format: the session bridges, the numbers that wait for one, the queues, how ' +
      'much configuration there is, and counters and histograms of requests, messages, webhooks and logins. It tells of no ' +
      'single account, and wakes none. A part that does not answer has `heliograph_up` 0, and its figures are left out.',
    answers: [
      {
        status: 200,
        description: 'The figures, as OpenMetrics text.',
        media: {
          'application/openmetrics-text': {
            schema: z.string(),
            example: [
              '# TYPE heliograph_up gauge',
              '# HELP heliograph_up Whether this part of the gateway answers.',
              'heliograph_up{part="database"} 1',
              '# EOF',
              '',
            ].join('\n'),
          },
        },
      },
    ],
  },
  {
    id: 'getOpenApi',
    method: 'get',
    path: '/openapi.json',
    tag: 'Service',
    summary: 'Get this document',
    description: 'The OpenAPI 3.1 description of this API, made of the schemas that validate the requests.',
    answers: [
      {
        status: 200,
        description: 'The document.',
        schema: openApiDocumentSchema,
        example: { openapi: '3.1.1', info: { title: 'Heliograph', version: '1' } },
      },
    ],
  },
  {
    id: 'getReference',
    method: 'get',
    path: '/docs',
    tag: 'Service',
    summary: 'Read the reference in a browser',
    description: 'This document for people. It needs nothing from any other host.',
    answers: [
      {
        status: 200,
        description: 'A page.',
        media: { 'text/html': { schema: z.string(), example: '<!doctype html>…' } },
      },
    ],
  },
];
