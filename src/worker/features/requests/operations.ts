import { Hono } from 'hono';
import { z } from 'zod';
import { uuidSchema } from '../../../contract/ids.ts';
import { isoTime } from '../../../contract/times.ts';
import type { RequestEntry } from '../../../durable/request-log/request-entry.ts';
import type { AppEnv } from '../../app-env.ts';
import { administrator } from '../../auth/callers.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { cursorBehind, numberedListQuery, query } from '../../http/request/query.ts';
import { notFound, requestPathId, timeField } from '../../http/request/shared-fields.ts';
import { askRequestLog } from '../../object-calls.ts';
import type { RequestBodies } from './keep-request.ts';
import type { requestDetailSchema, requestErrorsSchema, requestListSchema } from './records.ts';

/** What the account's API keys have asked in the last seven days. */
export const requestRoutes = new Hono<AppEnv>();
requestRoutes.use(administrator);

const keyIdSchema = uuidSchema;

const show = ({
  requestId,
  keyId,
  at,
  method,
  route,
  status,
  durationMs,
  code,
  messageId,
}: RequestEntry) => ({
  requestId,
  keyId,
  at: isoTime(at),
  method,
  route,
  status,
  durationMs,
  code,
  messageId,
});

const noBodies: RequestBodies = { query: null, body: null, answer: null };

const requestsQuery = z.strictObject({
  ...numberedListQuery,
  keyId: keyIdSchema.optional(),
  status: z
    .string()
    .regex(/^[1-5](xx|\d\d)$/, 'Must be a status such as 404, or a class such as 4xx.')
    .optional(),
  code: z
    .string()
    .regex(/^[A-Z_]{1,40}$/, 'Must be a code such as NOT_FOUND.')
    .optional(),
  route: z.string().max(200).optional(),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
  since: timeField.optional(),
  until: timeField.optional(),
});

requestRoutes.get('/', query(requestsQuery), async (c) => {
  const { limit, cursor = null, ...filter } = c.req.valid('query');
  const { data, nextBefore } = await askRequestLog(c.env, c.get('caller').accountId, (log) =>
    log.list(filter, limit, cursor),
  );
  return c.json<z.infer<typeof requestListSchema>>({
    data: data.map(show),
    nextCursor: nextBefore === null ? null : cursorBehind(c, `${nextBefore}`),
  });
});

const errorsQuery = z.strictObject({
  keyId: keyIdSchema.optional(),
  since: timeField.optional(),
  until: timeField.optional(),
});

/** Failures by what and where: all of them are counted, also those that are not kept one by one. */
requestRoutes.get('/errors', query(errorsQuery), async (c) => {
  const { keyId = null, since = 0, until = Date.now() } = c.req.valid('query');
  const groups = await askRequestLog(c.env, c.get('caller').accountId, (log) =>
    log.failures(keyId, since, until),
  );
  return c.json<z.infer<typeof requestErrorsSchema>>({
    data: groups.map(({ lastAt, ...group }) => ({ ...group, lastAt: isoTime(lastAt) })),
  });
});

requestRoutes.get('/:requestId', requestPathId('requestId'), async (c) => {
  const { accountId } = c.get('caller');
  const found = await askRequestLog(c.env, accountId, (log) => log.find(c.req.param('requestId')));
  if (found === null) return renderRefusal(c, notFound('request'));
  const { bodies, ...entry } = found;
  const { query, body, answer } = bodies === null ? noBodies : (JSON.parse(bodies) as RequestBodies);
  return c.json<z.infer<typeof requestDetailSchema>>({ ...show(entry), query, body, answer });
});
