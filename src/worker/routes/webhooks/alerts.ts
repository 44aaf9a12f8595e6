import { Hono } from 'hono';
import { z } from 'zod';
import type { Alert } from '../../../durable/event-log/deliveries/alerts/alert-rows.ts';
import type { AppEnv } from '../../app-env.ts';
import { administrator } from '../../auth/callers.ts';
import { listQuery, page, query } from '../../http/request/query.ts';
import { askLog } from '../../object-calls.ts';

export const alertRoutes = new Hono<AppEnv>();
alertRoutes.use(administrator);

const show = ({ id, kind, subject, at, detail }: Alert) => ({
  id,
  kind,
  subject,
  at: new Date(at).toISOString(),
  detail,
});

alertRoutes.get('/', query(z.strictObject(listQuery)), async (c) => {
  const { limit, cursor = null } = c.req.valid('query');
  const alerts = await askLog(c.env, c.get('caller').accountId, (log) => log.alerts(limit, cursor));
  return c.json(page(alerts, limit, (alert) => alert.id, show));
});
