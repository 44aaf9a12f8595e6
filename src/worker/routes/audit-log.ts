import { Hono } from 'hono';
import { z } from 'zod';
import type { AppEnv } from '../app-env.ts';
import { administrator } from '../auth/callers.ts';
import { type AuditEntry, listAuditLog, verifyAuditLog } from '../db/audit-log.ts';
import { openDatabase } from '../db/database.ts';
import { listQuery, page, query } from '../http/request/query.ts';

export const auditLogRoutes = new Hono<AppEnv>();

const show = (entry: AuditEntry) => ({
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
  const rows = await listAuditLog(openDatabase(c.env.DB), c.get('caller').accountId, limit, cursor);
  return c.json(page(rows, limit, (row) => row.id, show));
});

/** Whether every entry is as it was written, and none is missing between the first and the last. */
auditLogRoutes.get('/verify', administrator, async (c) =>
  c.json(await verifyAuditLog(openDatabase(c.env.DB), c.get('caller').accountId)),
);
