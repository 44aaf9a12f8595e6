import { Hono } from 'hono';
import { z } from 'zod';
import type { AppEnv } from '../app-env.ts';
import { administrator } from '../auth/callers.ts';
import { type AuditEntry, listAuditLog } from '../db/audit-log.ts';
import { openDatabase } from '../db/database.ts';
import { listQuery, page, query } from '../http/query.ts';

export const auditLogRoutes = new Hono<AppEnv>();

const show = ({ id, at, actor, action, target, targetName, requestId }: AuditEntry) => ({
  id,
  at: new Date(at).toISOString(),
  actor,
  action,
  target,
  targetName,
  requestId,
});

auditLogRoutes.get('/', administrator, query(z.strictObject(listQuery)), async (c) => {
  const { limit, cursor } = c.req.valid('query');
  const rows = await listAuditLog(openDatabase(c.env.DB), c.get('caller').accountId, limit, cursor);
  return c.json(page(rows, limit, (row) => row.id, show));
});
