import { z } from 'zod';
import { answerSchemas } from '../../openapi/schemas.ts';

export const aliveSchema = z
  .object({ status: z.literal('ok') })
  .describe('The process is up.')
  .register(answerSchemas, { id: 'Alive' });

export const readinessSchema = z
  .object({
    status: z.enum(['ready', 'not ready']),
    checks: z
      .object({
        database: z.boolean(),
        queue: z.boolean(),
        bridges: z.boolean().describe('At least one session bridge is connected.'),
      })
      .optional()
      .describe('Only for the operator.'),
  })
  .describe('Whether every part that a message needs is available.')
  .register(answerSchemas, { id: 'Readiness' });

export const openApiDocumentSchema = z
  .looseObject({ openapi: z.string(), info: z.looseObject({ title: z.string(), version: z.string() }) })
  .describe('This document.')
  .register(answerSchemas, { id: 'OpenApiDocument' });
