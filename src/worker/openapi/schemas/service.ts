import { z } from 'zod';

export const aliveSchema = z.object({ status: z.literal('ok') }).describe('The process answers.');

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
  .describe('Whether everything that a message needs is there.');

export const openApiDocumentSchema = z
  .looseObject({ openapi: z.string(), info: z.looseObject({ title: z.string(), version: z.string() }) })
  .describe('This document.');
