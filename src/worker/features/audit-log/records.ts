import { z } from 'zod';
import { timestampSchema, uuidSchema } from '../../../contract/ids.ts';
import { answerSchemas, pageOf } from '../../openapi/schemas.ts';

const auditEntrySchema = z
  .object({
    id: uuidSchema,
    at: timestampSchema,
    actor: z.string().describe('`user:<id>`, `key:<id>`, or `operator`: whoever runs the gateway.'),
    actorName: z.string().nullable(),
    action: z.string().describe('What was done: `api_key.revoked`.'),
    target: z.string().describe('On what: `api_key:<id>`.'),
    targetName: z.string().nullable().describe('Its name at that time.'),
    address: z.string().nullable().describe('The network address the request came from.'),
    requestId: z.string(),
    previousHash: z.string().describe('The hash of the entry before; zeros before the first.'),
    hash: z.string().describe('SHA-256 over this entry and `previousHash`.'),
  })
  .describe('One change, and who made it.');
export const auditLogSchema = pageOf(auditEntrySchema).register(answerSchemas, { id: 'AuditLog' });

export const auditVerdictSchema = z
  .object({
    valid: z.boolean(),
    entries: z.int().describe('How many entries hold, from the first on.'),
    lastHash: z.string().nullable().describe('Keep it elsewhere, and nobody can cut off the end unseen.'),
    brokenAt: z
      .object({ id: uuidSchema, reason: z.enum(['changed', 'missing_before']) })
      .nullable()
      .describe('The first entry that does not fit.'),
  })
  .describe('Whether the chain of hashes holds.')
  .register(answerSchemas, { id: 'AuditVerdict' });
