import { Hono } from 'hono';
import { z } from 'zod';
import { isoTime } from '../../../../contract/times.ts';
import type { AppEnv } from '../../../app-env.ts';
import { personOf, signedIn } from '../../../auth/callers.ts';
import { openDatabase } from '../../../db/database.ts';
import { renderRefusal } from '../../../http/answer/refusal-response.ts';
import { notFound, uuidPathId } from '../../../http/request/path-id.ts';
import { listQuery, page, query } from '../../../http/request/query.ts';
import { auditOf, auditSource } from '../../audit-log/audit-context.ts';
import type { sessionListSchema } from '../records.ts';
import { endOthers, endSession, listSessions, type SessionRow } from '../rows/sessions.ts';

/** Where a person is signed in. */
export const sessionRoutes = new Hono<AppEnv>();
sessionRoutes.use(signedIn);

sessionRoutes.get('/', query(z.strictObject(listQuery)), async (c) => {
  const { limit, cursor } = c.req.valid('query');
  const { userId, sessionId } = personOf(c);
  const rows = await listSessions(openDatabase(c.env.DB), userId, limit, cursor);
  const show = (row: SessionRow) => ({
    id: row.id,
    createdAt: isoTime(row.createdAt),
    lastUsedAt: isoTime(row.lastUsedAt),
    expiresAt: isoTime(row.expiresAt),
    address: row.address,
    userAgent: row.userAgent,
    current: row.id === sessionId,
  });
  return c.json<z.infer<typeof sessionListSchema>>(page(rows, limit, (row) => row.id, show));
});

/** Its tokens are refused from the next request on, and its cookie gets no more of them. */
sessionRoutes.delete('/:id', uuidPathId('id', 'session'), async (c) => {
  const { userId } = personOf(c);
  const ended = await endSession(openDatabase(c.env.DB), { id: c.req.param('id'), userId }, auditSource(c));
  return ended ? c.body(null, 204) : renderRefusal(c, notFound('session'));
});

/** All but the one of this token; safe to repeat. */
sessionRoutes.delete('/', async (c) => {
  await endOthers(openDatabase(c.env.DB), personOf(c).sessionId, auditOf(c));
  return c.body(null, 204);
});
