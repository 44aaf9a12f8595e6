import { z } from 'zod';
import { timestampSchema, uuidSchema } from '../../../contract/ids.ts';
import { listOf, record } from '../../openapi/schemas.ts';

const auditEntrySchema = z
  .object({
    id: uuidSchema,
    at: timestampSchema,
    actor: z.string().describe('`user:<id>`, `key:<id>`, or `operator`: the operator of the gateway.'),
    actorName: z.string().nullable(),
    action: z.string().describe('What was done: `api_key.revoked`.'),
    target: z.string().describe('What it was done to: `api_key:<id>`.'),
    targetName: z.string().nullable().describe('Its name at that time.'),
    address: z.string().nullable().describe('The IP address the request came from.'),
    requestId: z.string(),
    previousHash: z.string().describe('The hash of the previous entry; zeros for the first.'),
    hash: z.string().describe('SHA-256 of this entry and `previousHash`.'),
  })
  .describe('One change, and who made it.');
export const auditLogSchema = listOf(auditEntrySchema, 'AuditLog');

export const auditVerdictSchema = record('AuditVerdict', 'Whether the chain of hashes is intact.', {
  valid: z.boolean(),
  entries: z.int().describe('How many entries are valid, starting with the first.'),
  lastHash: z
    .string()
    .nullable()
    .describe('Store it elsewhere: then nobody can remove the newest entries unnoticed.'),
  brokenAt: z
    .object({ id: uuidSchema, reason: z.enum(['changed', 'missing_before']) })
    .nullable()
    .describe('The first entry that does not match.'),
});
