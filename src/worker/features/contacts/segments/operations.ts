import { Hono } from 'hono';
import { z } from 'zod';
import { attributeNameSchema, attributeTypeSchema } from '../../../../contract/contacts/attributes.ts';
import { contactFilterSchema } from '../../../../contract/contacts/contact-filter.ts';
import { refuse } from '../../../../contract/errors.ts';
import type { ContactSegment } from '../../../../durable/event-log/contacts/audience.ts';
import { logOf } from '../../../../durable/event-log/log-of.ts';
import type { AppEnv } from '../../../app-env.ts';
import { keyOrAdministrator } from '../../../auth/callers.ts';
import { renderRefusal } from '../../../http/answer/refusal-response.ts';
import { jsonBody } from '../../../http/request/body/json-body.ts';
import { listQuery, page, query } from '../../../http/request/query.ts';
import { nameSchema, notFound, uuidPathId } from '../../../http/request/shared-fields.ts';
import { askLog } from '../../../object-calls.ts';
import { auditOf } from '../../audit-log/audit-context.ts';
import { writeAuditEntry } from '../../audit-log/rows.ts';
import type {
  contactAttributeListSchema,
  contactAttributeSchema,
  contactLabelListSchema,
  segmentListSchema,
  segmentSchema,
} from '../records.ts';

/** Filters of contacts that have a name. */
export const contactSegmentRoutes = new Hono<AppEnv>();

const caller = keyOrAdministrator('contacts');
const segmentPath = uuidPathId('id', 'segment');
const noSuchSegment = notFound('segment');

const segmentBody = z.strictObject({ name: nameSchema, filter: contactFilterSchema });
const segmentChanges = segmentBody.partial();

const show = ({ segmentId, name, filter, createdAt, updatedAt }: ContactSegment) => ({
  segmentId,
  name,
  filter,
  createdAt: new Date(createdAt).toISOString(),
  updatedAt: new Date(updatedAt).toISOString(),
});

contactSegmentRoutes.get('/', caller, query(z.strictObject(listQuery)), async (c) => {
  const { limit, cursor } = c.req.valid('query');
  const { accountId } = c.get('caller');
  const rows = await askLog(c.env, accountId, (log) => log.contactSegments(limit, cursor ?? null));
  return c.json<z.infer<typeof segmentListSchema>>(
    page(c, rows as ContactSegment[], limit, ({ segmentId }) => segmentId, show),
  );
});

contactSegmentRoutes.post('/', caller, jsonBody(segmentBody), async (c) => {
  const { name, filter } = c.req.valid('json');
  const made = await logOf(c.env, c.get('caller').accountId).createContactSegment(name, filter);
  if (!made.ok) return renderRefusal(c, made);
  await writeAuditEntry(auditOf(c), 'segment.created', `segment:${made.segmentId}`, name);
  return c.json<z.infer<typeof segmentSchema>>(show(made as ContactSegment), 201);
});

contactSegmentRoutes.get('/:id', caller, segmentPath, async (c) => {
  const { accountId } = c.get('caller');
  const found = await askLog(c.env, accountId, (log) => log.contactSegment(c.req.param('id')));
  if (found === null) return renderRefusal(c, noSuchSegment);
  return c.json<z.infer<typeof segmentSchema>>(show(found as ContactSegment));
});

contactSegmentRoutes.patch('/:id', caller, segmentPath, jsonBody(segmentChanges), async (c) => {
  const { accountId } = c.get('caller');
  const changes = c.req.valid('json');
  const segmentId = c.req.param('id');
  const changed = await askLog(c.env, accountId, (log) => log.changeContactSegment(segmentId, changes));
  if (changed === null) return renderRefusal(c, noSuchSegment);
  if (!changed.ok) return renderRefusal(c, changed);
  await writeAuditEntry(auditOf(c), 'segment.changed', `segment:${segmentId}`, changed.name);
  return c.json<z.infer<typeof segmentSchema>>(show(changed as ContactSegment));
});

contactSegmentRoutes.delete('/:id', caller, segmentPath, async (c) => {
  const { accountId } = c.get('caller');
  const segmentId = c.req.param('id');
  const removed = await logOf(c.env, accountId).removeContactSegment(segmentId);
  if (removed === null) return renderRefusal(c, noSuchSegment);
  await writeAuditEntry(auditOf(c), 'segment.deleted', `segment:${segmentId}`, removed.name);
  return c.body(null, 204);
});

/** The labels that contacts have. */
export const contactLabelRoutes = new Hono<AppEnv>();

contactLabelRoutes.get('/', keyOrAdministrator('contacts'), async (c) => {
  const labels = await askLog(c.env, c.get('caller').accountId, (log) => log.contactLabels());
  return c.json<z.infer<typeof contactLabelListSchema>>({
    data: labels.map((label) => ({ label })),
    nextCursor: null,
  });
});

/** What the values of the account's attributes are. */
export const contactAttributeRoutes = new Hono<AppEnv>();

const noSuchAttribute = notFound('attribute');
const noSuchName = refuse(
  'NOT_FOUND',
  'Not a valid attribute name: letters, digits and underscores, a letter first, 50 at most.',
);

contactAttributeRoutes.get('/', caller, async (c) =>
  c.json<z.infer<typeof contactAttributeListSchema>>({
    data: await askLog(c.env, c.get('caller').accountId, (log) => log.contactAttributes()),
    nextCursor: null,
  }),
);

contactAttributeRoutes.put(
  '/:name',
  caller,
  jsonBody(z.strictObject({ type: attributeTypeSchema })),
  async (c) => {
    const name = attributeNameSchema.safeParse(c.req.param('name'));
    if (!name.success) return renderRefusal(c, noSuchName);
    const { type } = c.req.valid('json');
    const { accountId } = c.get('caller');
    const declared = await askLog(c.env, accountId, (log) => log.declareContactAttribute(name.data, type));
    if ('ok' in declared) return renderRefusal(c, declared);
    await writeAuditEntry(auditOf(c), 'contact_attribute.declared', `contact_attribute:${name.data}`, type);
    return c.json<z.infer<typeof contactAttributeSchema>>(declared);
  },
);

contactAttributeRoutes.delete('/:name', caller, async (c) => {
  const name = c.req.param('name');
  const removed = await logOf(c.env, c.get('caller').accountId).removeContactAttribute(name);
  if (typeof removed !== 'boolean') return renderRefusal(c, removed);
  if (!removed) return renderRefusal(c, noSuchAttribute);
  await writeAuditEntry(auditOf(c), 'contact_attribute.deleted', `contact_attribute:${name}`);
  return c.body(null, 204);
});
