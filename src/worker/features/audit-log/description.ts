import {
  exampleApiKeyId,
  exampleAuditEntryId,
  exampleRequestId,
  exampleUserId,
} from '../../openapi/examples/example-values.ts';
import type { Operation } from '../../openapi/operation.ts';
import { auditLogSchema, auditVerdictSchema } from './records.ts';

const hash = 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c';

export const auditLogOperations: Operation[] = [
  {
    id: 'listAuditLog',
    method: 'get',
    path: '/v1/audit-log',
    tag: 'Audit log',
    summary: 'Read the audit log',
    description:
      'Every change of keys, numbers, settings, webhooks and people, newest first. Entries are never changed or ' +
      'removed: each carries the hash of the one before. What was done before the call is in the answer.',
    answers: [
      {
        status: 200,
        description: 'A page of entries.',
        schema: auditLogSchema,
        example: {
          data: [
            {
              id: exampleAuditEntryId,
              at: '2026-01-31T09:00:00.000Z',
              actor: `user:${exampleUserId}`,
              actorName: 'Ada',
              action: 'api_key.created',
              target: `api_key:${exampleApiKeyId}`,
              targetName: 'Shop server',
              address: '203.0.113.7',
              requestId: exampleRequestId,
              previousHash: '0'.repeat(64),
              hash,
            },
          ],
          nextCursor: null,
        },
      },
    ],
  },
  {
    id: 'verifyAuditLog',
    method: 'get',
    path: '/v1/audit-log/verify',
    tag: 'Audit log',
    summary: 'Verify the audit log',
    description: 'Computes every hash anew, and names the first entry that does not fit.',
    answers: [
      {
        status: 200,
        description: 'The verdict.',
        schema: auditVerdictSchema,
        example: { valid: true, entries: 1, lastHash: hash, brokenAt: null },
      },
    ],
  },
];
