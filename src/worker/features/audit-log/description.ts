import { example } from '../../openapi/examples/example-values.ts';
import { answer, chapter, pageAnswer } from '../../openapi/operation.ts';
import { auditLogSchema, auditVerdictSchema } from './records.ts';

const hash = 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c';

export const auditLogOperations = chapter('Audit log', [
  {
    id: 'listAuditLog',
    route: 'GET /v1/audit-log',
    summary: 'Read the audit log',
    description:
      'Every change of keys, numbers, settings, webhooks and people, newest first. Entries are never changed or ' +
      'deleted: each contains the hash of the previous one. A change is listed as soon as its call has returned.',
    answers: [
      pageAnswer('A page of entries.', auditLogSchema, [
        {
          id: example.auditEntryId,
          at: '2026-01-31T09:00:00.000Z',
          actor: `user:${example.userId}`,
          actorName: 'Ada',
          action: 'api_key.created',
          target: `api_key:${example.apiKeyId}`,
          targetName: 'Shop server',
          address: '203.0.113.7',
          requestId: example.requestId,
          previousHash: '0'.repeat(64),
          hash,
        },
      ]),
    ],
  },
  {
    id: 'verifyAuditLog',
    route: 'GET /v1/audit-log/verify',
    summary: 'Verify the audit log',
    description: 'Recomputes every hash, and returns the first entry that does not match.',
    answers: [
      answer(200, 'The result.', auditVerdictSchema, {
        valid: true,
        entries: 1,
        lastHash: hash,
        brokenAt: null,
      }),
    ],
  },
]);
