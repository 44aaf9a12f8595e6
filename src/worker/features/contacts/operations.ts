import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { timeZoneSchema } from '../../../contract/clock-fields.ts';
import { attributesSchema } from '../../../contract/contacts/attributes.ts';
import { consentSourceSchema, labelsSchema } from '../../../contract/contacts/contact.ts';
import { type Refusal, refuse } from '../../../contract/errors.ts';
import { uuidSchema } from '../../../contract/ids.ts';
import { isoTime } from '../../../contract/times.ts';
import { type Contact, nameOf } from '../../../durable/event-log/contacts/contact.ts';
import { logOf } from '../../../durable/event-log/log-of.ts';
import { newUuid } from '../../../durable/new-ids.ts';
import type { AppEnv } from '../../app-env.ts';
import { keyOrAdministrator } from '../../auth/callers.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { jsonBody } from '../../http/request/body/json-body.ts';
import { cursorBehind, listQuery, page, query } from '../../http/request/query.ts';
import { nameSchema, notFound, uuidPathId } from '../../http/request/shared-fields.ts';
import { askLog } from '../../object-calls.ts';
import { auditOf } from '../audit-log/audit-context.ts';
import { writeAuditEntry } from '../audit-log/rows.ts';
import { phoneNumberField } from '../messages/sending/recipient.ts';
import { eraseContact } from './erase-operations.ts';
import { contactListQuery } from './list-filter.ts';
import { filterOf, readContacts } from './read-contacts.ts';
import type {
  contactListSchema,
  contactMergeListSchema,
  contactMergeSchema,
  contactPairSchema,
  contactSchema,
} from './records.ts';
import { shownContacts, shownOne } from './shown-contact.ts';

/** Whom the account knows. */
export const contactRoutes = new Hono<AppEnv>();

const caller = keyOrAdministrator('contacts');
const contactPath = uuidPathId('id', 'contact');
const noSuchContact = notFound('contact');

const contactFields = {
  name: nameSchema.nullable(),
  labels: labelsSchema,
  attributes: attributesSchema,
  timeZone: timeZoneSchema.nullable(),
  consentSource: consentSourceSchema.nullable(),
};
const contactChanges = z.strictObject(contactFields).partial();
const newContact = z.strictObject({ phoneNumber: phoneNumberField, ...contactChanges.shape });

async function answer(
  c: Context<AppEnv>,
  found: Contact | Refusal | null,
  status: 200 | 201 = 200,
): Promise<Response> {
  if (found === null) return renderRefusal(c, noSuchContact);
  if ('ok' in found) return renderRefusal(c, found);
  return c.json<z.infer<typeof contactSchema>>(await shownOne(c, found), status);
}

contactRoutes.get('/', caller, query(z.strictObject({ ...listQuery, ...contactListQuery })), async (c) => {
  const { limit, cursor, ...asked } = c.req.valid('query');
  const found = await filterOf(c, asked);
  if (!found.ok) return renderRefusal(c, found);
  const { contacts, next } = await readContacts(c, found.filter, asked.optedOut, limit, cursor ?? null);
  return c.json<z.infer<typeof contactListSchema>>({
    data: contacts,
    nextCursor: next === null ? null : cursorBehind(c, next),
  });
});

contactRoutes.post('/', caller, jsonBody(newContact), async (c) => {
  const { accountId } = c.get('caller');
  const { phoneNumber, ...changes } = c.req.valid('json');
  const contactId = newUuid();
  const made = await askLog(c.env, accountId, (log) => log.createContact(contactId, phoneNumber, changes));
  return answer(c, made, 201);
});

contactRoutes.get('/:id', caller, contactPath, async (c) => {
  const { accountId } = c.get('caller');
  return answer(c, await askLog(c.env, accountId, (log) => log.contact(c.req.param('id'))));
});

contactRoutes.patch('/:id', caller, contactPath, jsonBody(contactChanges), async (c) => {
  const { accountId } = c.get('caller');
  const changes = c.req.valid('json');
  return answer(c, await askLog(c.env, accountId, (log) => log.changeContact(c.req.param('id'), changes)));
});

const deleteQuery = z.strictObject({ erase: z.literal('true').optional() });
const onlyPeople = refuse('FORBIDDEN', 'Only a signed-in owner or admin of the account can erase a contact.');

contactRoutes.delete('/:id', caller, contactPath, query(deleteQuery), async (c) => {
  const { accountId, kind } = c.get('caller');
  if (c.req.valid('query').erase !== undefined) {
    return kind === 'key' ? renderRefusal(c, onlyPeople) : eraseContact(c, c.req.param('id'));
  }
  const removed = await askLog(c.env, accountId, (log) => log.removeContact(c.req.param('id')));
  return removed ? c.body(null, 204) : renderRefusal(c, noSuchContact);
});

/** Two contacts that are one person. */
export const contactMergeRoutes = new Hono<AppEnv>();

const mergeBody = z.strictObject({
  contactId: uuidSchema,
  otherContactId: uuidSchema,
});

const mergesQuery = z.strictObject({ ...listQuery, contactId: uuidSchema.optional() });

contactMergeRoutes.get('/merges', caller, query(mergesQuery), async (c) => {
  const { limit, cursor = null, contactId = null } = c.req.valid('query');
  const merges = await askLog(c.env, c.get('caller').accountId, (log) =>
    log.contactMerges(contactId, limit, cursor),
  );
  return c.json<z.infer<typeof contactMergeListSchema>>(
    page(
      c,
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
  await writeAuditEntry(auditOf(c), 'contact.merged', `contact:${merged.contact.contactId}`);
  const contact = await shownOne(c, merged.contact);
  return c.json<z.infer<typeof contactMergeSchema>>({ mergeId: merged.mergeId, contact }, 201);
});

contactMergeRoutes.delete('/merges/:id', caller, uuidPathId('id', 'merge'), async (c) => {
  const { accountId } = c.get('caller');
  const mergeId = c.req.param('id');
  const parted = await logOf(c.env, accountId).unmergeContacts(mergeId);
  if (parted === null) return renderRefusal(c, notFound('merge'));
  if ('ok' in parted) return renderRefusal(c, parted);
  await writeAuditEntry(auditOf(c), 'contact.unmerged', `contact_merge:${mergeId}`);
  return c.json<z.infer<typeof contactPairSchema>>({ data: await shownContacts(c, parted) });
});
