import { z } from 'zod';
import { answer, chapter } from '../../openapi/operation.ts';
import { aliveSchema, openApiDocumentSchema, readinessSchema } from './records.ts';

export const serviceOperations = chapter('Service', [
  {
    id: 'checkAlive',
    route: 'GET /healthz',
    summary: 'Check that the process is up',
    description: 'For a load balancer: no other part is checked.',
    answers: [answer(200, 'The process is up.', aliveSchema, { status: 'ok' })],
  },
  {
    id: 'checkReady',
    route: 'GET /readyz',
    summary: 'Check that the gateway is ready',
    description:
      'Whether the database, the queue and at least one session bridge respond. The result may be a few seconds old; ' +
      "with the operator's token it is fresh, and lists each part.",
    answers: [
      answer(200, 'Ready.', readinessSchema, { status: 'ready' }),
      answer(503, 'A part is not available.', readinessSchema, {
        status: 'not ready',
        checks: { database: true, queue: true, bridges: false },
      }),
    ],
  },
  {
    id: 'getMetrics',
    route: 'GET /metrics',
    summary: "Get the gateway's metrics",
    description:
      'For Prometheus and compatible tools: session bridges, numbers waiting for one, queues, the amount of ' +
      'configuration, and counters and histograms of requests, messages, webhooks and logins. Metrics are not per ' +
      'account, and reading them wakes no account. A part that does not respond has `heliograph_up` 0, and its metrics ' +
      'are left out.',
    answers: [
      {
        status: 200,
        description: 'The metrics, in OpenMetrics format.',
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
    route: 'GET /openapi.json',
    summary: 'Get this document',
    description:
      'The OpenAPI 3.1 description of this API, generated from the schemas that validate the requests.',
    answers: [
      answer(200, 'The document.', openApiDocumentSchema, {
        openapi: '3.1.1',
        info: { title: 'Heliograph', version: '1' },
      }),
    ],
  },
  {
    id: 'getReference',
    route: 'GET /docs',
    summary: 'Read the reference in a browser',
    description: 'This document for people. It loads nothing from other hosts.',
    answers: [
      {
        status: 200,
        description: 'A page.',
        media: { 'text/html': { schema: z.string(), example: '<!doctype html>…' } },
      },
    ],
  },
]);
