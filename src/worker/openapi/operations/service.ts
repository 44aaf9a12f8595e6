import { z } from 'zod';
import type { Operation } from '../operation.ts';
import { aliveSchema, openApiDocumentSchema, readinessSchema } from '../schemas/service.ts';

export const serviceOperations: Operation[] = [
  {
    id: 'checkAlive',
    method: 'get',
    path: '/healthz',
    tag: 'Service',
    summary: 'Check that the process answers',
    description: 'For a load balancer: it asks nobody else.',
    credential: 'none',
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
    credential: 'none',
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
    id: 'getOpenApi',
    method: 'get',
    path: '/openapi.json',
    tag: 'Service',
    summary: 'Get this document',
    description: 'The OpenAPI 3.1 description of this API, made of the schemas that validate the requests.',
    credential: 'none',
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
    credential: 'none',
    answers: [
      {
        status: 200,
        description: 'A page.',
        media: { 'text/html': { schema: z.string(), example: '<!doctype html>…' } },
      },
    ],
  },
];
