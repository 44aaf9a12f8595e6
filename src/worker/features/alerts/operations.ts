import { Hono } from 'hono';
import { z } from 'zod';
import { alertKindSchema } from '../../../contract/alerts/alert-channels.ts';
import { invalidField, refuse } from '../../../contract/errors.ts';
import { uuidSchema } from '../../../contract/ids.ts';
import { isoTime } from '../../../contract/times.ts';
import type { Alert } from '../../../durable/event-log/alerts/alert-rows.ts';
import { newUuid } from '../../../durable/new-ids.ts';
import type { AppEnv } from '../../app-env.ts';
import { administrator, personOf } from '../../auth/callers.ts';
import { configurationChanged } from '../../configuration-changed.ts';
import { openDatabase } from '../../db/database.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { emptyBody, jsonBody } from '../../http/request/body/json-body.ts';
import { listQuery, page, query, yesOrNo } from '../../http/request/query.ts';
import { notFound, uuidPathId } from '../../http/request/shared-fields.ts';
import { askLog } from '../../object-calls.ts';
import { auditOf } from '../audit-log/audit-context.ts';
import { foreignNumbers } from '../numbers/rows.ts';
import type { alertListSchema, alertMuteListSchema, alertMuteSchema, alertSchema } from './records.ts';
import {
  type AlertMuteRow,
  alertMutesMax,
  deleteAlertMute,
  insertAlertMute,
  listAlertMutes,
} from './rows/alert-mutes.ts';

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

const alertsQuery = z.strictObject({ ...listQuery, open: yesOrNo.optional() });

alertRoutes.get('/', query(alertsQuery), async (c) => {
  const { limit, cursor = null, open = null } = c.req.valid('query');
  const alerts = await askLog(c.env, c.get('caller').accountId, (log) => log.alerts(limit, cursor, open));
  return c.json<z.infer<typeof alertListSchema>>(page(c, alerts, limit, (alert) => alert.id, show));
});

/** Whoever says first that they know of it stands. */
alertRoutes.post('/:id/acknowledge', uuidPathId('id', 'alert'), emptyBody, async (c) => {
  const { accountId, email } = personOf(c);
  const alert = await askLog(c.env, accountId, (log) => log.acknowledgeAlert(c.req.param('id'), email));
  if (alert === null) return renderRefusal(c, notFound('alert'));
  return c.json<z.infer<typeof alertSchema>>(show(alert));
});

export const alertMuteRoutes = new Hono<AppEnv>();
alertMuteRoutes.use(administrator);

/** Longer is forgotten, and then an alert is missed. */
const minutesMax = 30 * 24 * 60;

const muteSchema = z.strictObject({
  kind: alertKindSchema.nullable().default(null),
  numberId: uuidSchema.nullable().default(null),
  minutes: z.int().min(1).max(minutesMax),
});

const showMute = ({ id, kind, numberId, until, createdBy, createdAt }: AlertMuteRow) => ({
  id,
  kind,
  numberId,
  until: new Date(until).toISOString(),
  createdBy,
  createdAt: new Date(createdAt).toISOString(),
});

alertMuteRoutes.post('/', jsonBody(muteSchema), async (c) => {
  const { kind, numberId, minutes } = c.req.valid('json');
  const now = Date.now();
  const { accountId, email } = personOf(c);
  const db = openDatabase(c.env.DB);
  if (numberId !== null && (await foreignNumbers(db, accountId, [numberId])).length > 0) {
    return renderRefusal(c, invalidField('numberId', 'The account has no such number.'));
  }
  const until = now + minutes * 60_000;
  const row = { id: newUuid(), accountId, kind, numberId, until, createdBy: email, createdAt: now };
  if (!(await insertAlertMute(row, auditOf(c)))) {
    return renderRefusal(
      c,
      refuse('CONFLICT', `An account can have at most ${alertMutesMax} of these at a time.`),
    );
  }
  await configurationChanged(c.env, accountId);
  return c.json<z.infer<typeof alertMuteSchema>>(showMute(row), 201);
});

alertMuteRoutes.get('/', query(z.strictObject(listQuery)), async (c) => {
  const { limit, cursor } = c.req.valid('query');
  const { accountId } = personOf(c);
  const rows = await listAlertMutes(openDatabase(c.env.DB), accountId, Date.now(), limit, cursor);
  return c.json<z.infer<typeof alertMuteListSchema>>(page(c, rows, limit, (row) => row.id, showMute));
});

/** Alerts go out again from now on; those that last and were held back go out first. */
alertMuteRoutes.delete('/:id', uuidPathId('id', 'mute'), async (c) => {
  const { accountId } = personOf(c);
  const id = c.req.param('id');
  const isGone = await deleteAlertMute(accountId, id, auditOf(c));
  if (!isGone) return renderRefusal(c, notFound('mute'));
  await configurationChanged(c.env, accountId);
  return c.body(null, 204);
});
