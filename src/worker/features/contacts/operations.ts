import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { timeZoneSchema } from '../../../contract/clock-fields.ts';
import { consentSourceSchema, labelsSchema } from '../../../contract/contact.ts';
import { attributesSchema } from '../../../contract/contacts/attributes.ts';
import { type Refusal, refuse } from '../../../contract/errors.ts';
import type { Contact } from '../../../durable/event-log/contacts/contact.ts';
import { newUuid } from '../../../durable/new-ids.ts';
import type { AppEnv } from '../../app-env.ts';
import { keyOrAdministrator } from '../../auth/callers.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { jsonBody } from '../../http/request/body/json-body.ts';
import { notFound, uuidPathId } from '../../http/request/path-id.ts';
import { encodeCursor, listQuery, query } from '../../http/request/query.ts';
import { nameSchema } from '../../http/request/shared-fields.ts';
import { askLog } from '../../object-calls.ts';
import { phoneNumberField } from '../messages/sending/recipient.ts';
import { eraseContact } from './erasing/operations.ts';
import { contactListQuery } from './list-filter.ts';
import { filterOf, readContacts } from './read-contacts.ts';
import type { contactListSchema, contactSchema } from './records.ts';
import { shownOne } from './shown-contact.ts';

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
    nextCursor: next === null ? null : encodeCursor(next),
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
const onlyPeople = refuse(
  'FORBIDDEN',
  'Only an owner or an admin of the account, signed in, may erase a contact.',
);

contactRoutes.delete('/:id', caller, contactPath, query(deleteQuery), async (c) => {
  const { accountId, kind } = c.get('caller');
  if (c.req.valid('query').erase !== undefined) {
    return kind === 'key' ? renderRefusal(c, onlyPeople) : eraseContact(c, c.req.param('id'));
  }
  const removed = await askLog(c.env, accountId, (log) => log.removeContact(c.req.param('id')));
  return removed ? c.body(null, 204) : renderRefusal(c, noSuchContact);
});
