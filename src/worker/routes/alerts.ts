import { Hono } from 'hono';
import { z } from 'zod';
import type { AppEnv } from '../app-env.ts';
import { administrator } from '../auth/callers.ts';
import { type AlertRow, listAlerts } from '../db/alerts.ts';
import { openDatabase } from '../db/database.ts';
import { listQuery, page, query } from '../http/query.ts';

export const alertRoutes = new Hono<AppEnv>();
alertRoutes.use(administrator);

const show = ({ id, kind, subject, at, detail }: AlertRow) => ({
  id,
  kind,
  subject,
  at: new Date(at).toISOString(),
  detail,
});

alertRoutes.get('/', query(z.strictObject(listQuery)), async (c) => {
  const { limit, cursor } = c.req.valid('query');
  const rows = await listAlerts(openDatabase(c.env.DB), c.get('caller').accountId, limit, cursor);
  return c.json(page(rows, limit, (row) => row.id, show));
});
