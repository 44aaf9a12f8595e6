import { Hono } from 'hono';
import { z } from 'zod';
import type { ChainedEntry } from '../../../durable/audit-log/chain.ts';
import type { AppEnv } from '../../app-env.ts';
import { administrator } from '../../auth/callers.ts';
import { listQuery, page, query } from '../../http/request/query.ts';
import { askAuditLog } from '../../object-calls.ts';
import type { auditLogSchema, auditVerdictSchema } from './records.ts';

export const auditLogRoutes = new Hono<AppEnv>();

const show = (entry: ChainedEntry) => ({
  id: entry.id,
  at: new Date(entry.at).toISOString(),
  actor: entry.actor,
  actorName: entry.actorName,
  action: entry.action,
  target: entry.target,
  targetName: entry.targetName,
  address: entry.address,
  requestId: entry.requestId,
  previousHash: entry.previousHash,
  hash: entry.hash,
});

auditLogRoutes.get('/', administrator, query(z.strictObject(listQuery)), async (c) => {
  const { limit, cursor } = c.req.valid('query');
  // One more than the page holds.
  const rows = await askAuditLog(c.env, c.get('caller').accountId, (log) => log.list(limit + 1, cursor));
  return c.json<z.infer<typeof auditLogSchema>>(page(c, rows, limit, (row) => row.id, show));
});

/** Whether every entry is as it was written, and none is missing between the first and the last. */
auditLogRoutes.get('/verify', administrator, async (c) =>
  c.json<z.infer<typeof auditVerdictSchema>>(
    await askAuditLog(c.env, c.get('caller').accountId, (log) => log.verify()),
  ),
);
