import { Hono } from 'hono';
import { z } from 'zod';
import { isoTime } from '../../../contract/times.ts';
import type { Alert } from '../../../durable/event-log/alerts/alert-rows.ts';
import type { AppEnv } from '../../app-env.ts';
import { administrator, personOf } from '../../auth/callers.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { emptyBody } from '../../http/request/body/json-body.ts';
import { notFound, uuidPathId } from '../../http/request/path-id.ts';
import { listQuery, page, query } from '../../http/request/query.ts';
import { askLog } from '../../object-calls.ts';
import type { alertListSchema, alertSchema } from './records.ts';

export const alertRoutes = new Hono<AppEnv>();
alertRoutes.use(administrator);

const show = ({ id, kind, subject, at, detail, endedAt, acknowledgedAt, acknowledgedBy }: Alert) => ({
  id,
  kind,
  subject,
  at: isoTime(at),
  detail,
  endedAt: isoTime(endedAt),
  acknowledgedAt: isoTime(acknowledgedAt),
  acknowledgedBy,
});

const alertsQuery = z.strictObject({ ...listQuery, open: z.enum(['true', 'false']).optional() });

alertRoutes.get('/', query(alertsQuery), async (c) => {
  const { limit, cursor = null, open } = c.req.valid('query');
  const isOpen = open === undefined ? null : open === 'true';
  const alerts = await askLog(c.env, c.get('caller').accountId, (log) => log.alerts(limit, cursor, isOpen));
  return c.json<z.infer<typeof alertListSchema>>(page(alerts, limit, (alert) => alert.id, show));
});

/** Whoever says first that they know of it stands. */
alertRoutes.post('/:id/acknowledge', uuidPathId('id', 'alert'), emptyBody, async (c) => {
  const { accountId, email } = personOf(c);
  const alert = await askLog(c.env, accountId, (log) => log.acknowledgeAlert(c.req.param('id'), email));
  return alert === null
    ? renderRefusal(c, notFound('alert'))
    : c.json<z.infer<typeof alertSchema>>(show(alert));
});
