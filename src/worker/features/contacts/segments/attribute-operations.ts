import { Hono } from 'hono';
import { z } from 'zod';
import { attributeNameSchema, attributeTypeSchema } from '../../../../contract/contacts/attributes.ts';
import { refuse } from '../../../../contract/errors.ts';
import { logOf } from '../../../../durable/event-log/log-of.ts';
import type { AppEnv } from '../../../app-env.ts';
import { keyOrAdministrator } from '../../../auth/callers.ts';
import { renderRefusal } from '../../../http/answer/refusal-response.ts';
import { jsonBody } from '../../../http/request/body/json-body.ts';
import { notFound } from '../../../http/request/path-id.ts';
import { askLog } from '../../../object-calls.ts';
import { auditOf } from '../../audit-log/audit-context.ts';
import type { contactAttributeListSchema, contactAttributeSchema } from '../records.ts';
import { auditContacts } from '../rows.ts';

/** What the values of the account's attributes are. */
export const contactAttributeRoutes = new Hono<AppEnv>();

const caller = keyOrAdministrator('contacts');
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
    await auditContacts(
      c.env,
      auditOf(c),
      'contact_attribute.declared',
      `contact_attribute:${name.data}`,
      type,
    );
    return c.json<z.infer<typeof contactAttributeSchema>>(declared);
  },
);

contactAttributeRoutes.delete('/:name', caller, async (c) => {
  const name = c.req.param('name');
  const removed = await logOf(c.env, c.get('caller').accountId).removeContactAttribute(name);
  if (typeof removed !== 'boolean') return renderRefusal(c, removed);
  if (!removed) return renderRefusal(c, noSuchAttribute);
  await auditContacts(c.env, auditOf(c), 'contact_attribute.deleted', `contact_attribute:${name}`);
  return c.body(null, 204);
});
