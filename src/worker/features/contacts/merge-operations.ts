import { Hono } from 'hono';
import { z } from 'zod';
import { uuidSchema } from '../../../contract/ids.ts';
import { isoTime } from '../../../contract/times.ts';
import { nameOf } from '../../../durable/event-log/contacts/contact.ts';
import { logOf } from '../../../durable/event-log/log-of.ts';
import type { AppEnv } from '../../app-env.ts';
import { keyOrAdministrator } from '../../auth/callers.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { jsonBody } from '../../http/request/body/json-body.ts';
import { notFound, uuidPathId } from '../../http/request/path-id.ts';
import { listQuery, page, query } from '../../http/request/query.ts';
import { askLog } from '../../object-calls.ts';
import { auditOf } from '../audit-log/audit-context.ts';
import type { contactMergeListSchema, contactMergeSchema, contactPairSchema } from './records.ts';
import { auditContacts } from './rows.ts';
import { shownContacts, shownOne } from './shown-contact.ts';

/** Two contacts that are one person. */
export const contactMergeRoutes = new Hono<AppEnv>();

const caller = keyOrAdministrator('contacts');
const mergeBody = z.strictObject({ contactId: uuidSchema, otherContactId: uuidSchema });

const mergesQuery = z.strictObject({ ...listQuery, contactId: uuidSchema.toLowerCase().optional() });

contactMergeRoutes.get('/merges', caller, query(mergesQuery), async (c) => {
  const { limit, cursor = null, contactId = null } = c.req.valid('query');
  const merges = await askLog(c.env, c.get('caller').accountId, (log) =>
    log.contactMerges(contactId, limit, cursor),
  );
  return c.json<z.infer<typeof contactMergeListSchema>>(
    page(
      merges,
      limit,
      ({ mergeId }) => mergeId,
      ({ mergeId, contactId: keptId, other, at, until, canUndo }) => ({
        mergeId,
        contactId: keptId,
        other: {
          contactId: other.contactId,
          name: nameOf(other),
          pushName: other.pushName,
          phoneNumber: other.phoneNumber,
          lid: other.lid,
        },
        mergedAt: isoTime(at),
        undoUntil: isoTime(until),
        canUndo,
      }),
    ),
  );
});

contactMergeRoutes.post('/merges', caller, jsonBody(mergeBody), async (c) => {
  const { accountId } = c.get('caller');
  const { contactId, otherContactId } = c.req.valid('json');
  const merged = await logOf(c.env, accountId).mergeContacts(contactId, otherContactId);
  if (merged === null) return renderRefusal(c, notFound('contact'));
  if ('ok' in merged) return renderRefusal(c, merged);
  await auditContacts(c.env, auditOf(c), 'contact.merged', `contact:${contactId}`);
  const contact = await shownOne(c, merged.contact);
  return c.json<z.infer<typeof contactMergeSchema>>({ mergeId: merged.mergeId, contact }, 201);
});

contactMergeRoutes.delete('/merges/:id', caller, uuidPathId('id', 'merge'), async (c) => {
  const { accountId } = c.get('caller');
  const mergeId = c.req.param('id');
  const parted = await logOf(c.env, accountId).unmergeContacts(mergeId);
  if (parted === null) return renderRefusal(c, notFound('merge'));
  if ('ok' in parted) return renderRefusal(c, parted);
  await auditContacts(c.env, auditOf(c), 'contact.unmerged', `contact_merge:${mergeId}`);
  return c.json<z.infer<typeof contactPairSchema>>({ data: await shownContacts(c, parted) });
});
