import { z } from 'zod';
import { answerSchemas, record } from '../../openapi/schemas.ts';

export const aliveSchema = record('Alive', 'The process is up.', { status: z.literal('ok') });

export const readinessSchema = record('Readiness', 'Whether every part that a message needs is available.', {
  status: z.enum(['ready', 'not ready']),
  checks: z
    .object({
      database: z.boolean(),
      queue: z.boolean(),
      bridges: z.boolean().describe('At least one session bridge is connected.'),
    })
    .optional()
    .describe('Only for the operator.'),
});

export const openApiDocumentSchema = z
  .looseObject({ openapi: z.string(), info: z.looseObject({ title: z.string(), version: z.string() }) })
  .describe('This document.')
  .register(answerSchemas, { id: 'OpenApiDocument' });
