import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { attributesSchema, labelCharactersMax, labelsSchema } from '../../contract/contact.ts';
import type { Contact } from '../../durable/event-log/contacts/contact-rows.ts';
import type { AppEnv } from '../app-env.ts';
import { keyOrAdministrator } from '../auth/callers.ts';
import { renderRefusal } from '../http/refusal-response.ts';
import { jsonBody } from '../http/request/json-body.ts';
import { notFound, uuidPathId } from '../http/request/path-id.ts';
import { listQuery, page, query } from '../http/request/query.ts';
import { nameSchema } from '../http/request/shared-fields.ts';
import { askAccount, askLog } from '../object-calls.ts';

/** Whom the account knows. */
export const contactRoutes = new Hono<AppEnv>();

const caller = keyOrAdministrator('contacts');
const contactPath = uuidPathId('id', 'contact');
const noSuchContact = notFound('contact');
const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());

const contactQuery = z.strictObject({
  ...listQuery,
  q: z.string().min(1).max(200).optional(),
  label: z.string().min(1).max(labelCharactersMax).optional(),
});

const contactChanges = z
  .strictObject({ name: nameSchema.nullable(), labels: labelsSchema, attributes: attributesSchema })
  .partial();

/** Contacts as the API shows them: the log knows who they are, the account what has passed with them. */
async function shown(c: Context<AppEnv>, contacts: readonly Contact[]) {
  const phoneNumbers = contacts.flatMap(({ phoneNumber }) => phoneNumber ?? []);
  const { accountId } = c.get('caller');
  const states = await askAccount(c.env, accountId, (account) => account.recipients(phoneNumbers));
  const stateOf = new Map(phoneNumbers.map((phoneNumber, index) => [phoneNumber, states[index]]));
  return contacts.map((contact) => {
    const { contactId, phoneNumber, lid, ownName, bookName, pushName, labels, attributes, firstSeenAt } =
      contact;
    const state = stateOf.get(phoneNumber ?? '');
    return {
      contactId,
      phoneNumber,
      lid,
      name: ownName ?? bookName,
      pushName,
      labels,
      attributes,
      optedOutAt: iso(state?.optedOutAt ?? null),
      firstSeenAt: iso(firstSeenAt),
      lastInboundAt: iso(state?.lastInboundAt ?? null),
    };
  });
}

async function answer(c: Context<AppEnv>, contact: Contact | null): Promise<Response> {
  if (contact === null) return renderRefusal(c, noSuchContact);
  const [one] = await shown(c, [contact]);
  return c.json(one);
}

contactRoutes.get('/', caller, query(contactQuery), async (c) => {
  const { limit, cursor, q, label } = c.req.valid('query');
  const { accountId } = c.get('caller');
  const rows = await askLog(c.env, accountId, (log) => log.contacts({ q, label }, limit, cursor ?? null));
  const listed = page(
    rows,
    limit,
    ({ contactId }) => contactId,
    (contact) => contact,
  );
  return c.json({ ...listed, data: await shown(c, listed.data) });
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

contactRoutes.delete('/:id', caller, contactPath, async (c) => {
  const { accountId } = c.get('caller');
  const removed = await askLog(c.env, accountId, (log) => log.removeContact(c.req.param('id')));
  return removed ? c.body(null, 204) : renderRefusal(c, noSuchContact);
});
