import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { accountSettingsSchema } from '../../../contract/account-settings.ts';
import { invalidField, type Refusal } from '../../../contract/errors.ts';
import { uuidSchema } from '../../../contract/ids.ts';
import { aliasIn } from '../../../contract/messages/recipient.ts';
import { filtersSchema } from '../../../contract/numbers/sender-settings.ts';
import type { OptOut } from '../../../durable/account/recipients/opt-outs.ts';
import { type Contact, nameOf } from '../../../durable/event-log/contacts/contact.ts';
import type { AppEnv } from '../../app-env.ts';
import { administrator, keyOrAdministrator } from '../../auth/callers.ts';
import { configurationChanged, tellEachNumber } from '../../configuration-changed.ts';
import { openDatabase } from '../../db/database.ts';
import { showTag, staleRefusal } from '../../http/answer/entity-tag.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { fieldsOf, jsonBody, merged } from '../../http/request/body/json-body.ts';
import { listQuery, page, query } from '../../http/request/query.ts';
import { notFound } from '../../http/request/shared-fields.ts';
import { askAccount, askLog } from '../../object-calls.ts';
import { auditOf } from '../audit-log/audit-context.ts';
import { writeAuditEntry } from '../audit-log/rows.ts';
import { addressOf } from '../messages/sending/known-addresses.ts';
import { addressField, type PhoneNumberReading, readPhoneNumber } from '../messages/sending/recipient.ts';
import type { optOutListSchema, optOutSchema, settingsSchema } from './records.ts';
import { changeSettings, findSettings } from './rows.ts';

export const settingsRoutes = new Hono<AppEnv>();

const { filters: _filters, optOut, retention, support, ...plain } = accountSettingsSchema.shape;
const settingsChangesSchema = z
  .strictObject({
    ...plain,
    filters: fieldsOf(filtersSchema),
    optOut: fieldsOf(optOut),
    retention: fieldsOf(retention),
    support: fieldsOf(support),
  })
  .partial();

settingsRoutes.get('/', keyOrAdministrator('numbers:read'), async (c) => {
  const settings = await findSettings(openDatabase(c.env.DB), c.get('caller').accountId);
  if (settings === null) return renderRefusal(c, notFound('account'));
  showTag(c, settings);
  return c.json<z.infer<typeof settingsSchema>>(settings);
});

/** Every field may be left out, also within `filters`, `optOut`, `retention` and `support`, and then keeps its value. */
settingsRoutes.patch('/', administrator, jsonBody(settingsChangesSchema), async (c) => {
  const { accountId } = c.get('caller');
  const { filters, optOut: words, retention: kept, support: answering, ...changes } = c.req.valid('json');
  const changed = await changeSettings(accountId, auditOf(c), (current) => {
    const stale = staleRefusal(c, current);
    if (stale !== null) return stale;
    const newFilters = merged(filtersSchema, 'filters', current.filters, filters ?? {});
    if (!newFilters.ok) return newFilters;
    const newWords = merged(optOut, 'optOut', current.optOut, words ?? {});
    if (!newWords.ok) return newWords;
    const newRetention = { ...current.retention, ...kept };
    const newSupport = { ...current.support, ...answering };
    const value = { ...current, ...changes, filters: newFilters.value, optOut: newWords.value };
    return { ok: true, value: { ...value, retention: newRetention, support: newSupport } };
  });
  if (changed.ok === null) return renderRefusal(c, notFound('account'));
  if (!changed.ok) return renderRefusal(c, changed);
  const { before, after } = changed;
  await configurationChanged(c.env, accountId, async () => {
    // Numbers learn it with each report; those that are away have nothing to report.
    if (after.rerouteAfterMs !== before.rerouteAfterMs) await tellEachNumber(c.env, accountId);
  });
  showTag(c, after);
  return c.json<z.infer<typeof settingsSchema>>(after);
});

export const optOutRoutes = new Hono<AppEnv>();

const noSuchOptOut = notFound('opt-out');
const noSuchContact = notFound('contact');

/** `contact`: whom the account knows under that address. */
const show = ({ phoneNumber, at, numberId, word }: OptOut, contact: Contact | null) => ({
  phoneNumber: aliasIn(phoneNumber) === null ? phoneNumber : null,
  contactId: contact?.contactId ?? null,
  name: contact === null ? null : nameOf(contact),
  optedOutAt: new Date(at).toISOString(),
  numberId,
  word,
});

optOutRoutes.get('/', keyOrAdministrator('contacts'), query(z.strictObject(listQuery)), async (c) => {
  const { limit, cursor } = c.req.valid('query');
  const { accountId } = c.get('caller');
  const rows = await askAccount(c.env, accountId, (account) => account.optOuts(limit + 1, cursor ?? null));
  const contacts = await contactsAt(c, rows);
  const { data, nextCursor } = page(
    c,
    rows,
    limit,
    ({ id }) => id,
    (row) => show(row, contacts.get(row.phoneNumber) ?? null),
  );
  // The alias of somebody who was deleted or erased: it holds, and names nobody until they write again.
  const named = data.filter(({ phoneNumber, contactId }) => phoneNumber !== null || contactId !== null);
  return c.json<z.infer<typeof optOutListSchema>>({ data: named, nextCursor });
});

/** Whom the account's log knows of them, by their addresses. */
async function contactsAt(c: Context<AppEnv>, optOuts: readonly OptOut[]): Promise<Map<string, Contact>> {
  const addresses = optOuts.map(({ phoneNumber }) => phoneNumber);
  if (addresses.length === 0) return new Map();
  const found = await askLog(c.env, c.get('caller').accountId, (log) => log.contactsAt(addresses));
  return new Map(
    addresses.flatMap((address, index) => {
      const contact = (found[index] ?? null) as Contact | null;
      return contact === null ? [] : [[address, contact] as const];
    }),
  );
}

const additionSchema = z.strictObject({
  phoneNumber: addressField.optional(),
  contactId: uuidSchema.optional(),
});

/** All addresses of whom a request names, those to write to first; a refusal where that is nobody's. */
async function addressesOf(
  env: Env,
  accountId: string,
  named: { reading: PhoneNumberReading } | { contactId: string },
): Promise<{ ok: true; addresses: string[] } | Refusal> {
  if ('contactId' in named) {
    const addresses = await askLog(env, accountId, (log) => log.addressesOf({ contactId: named.contactId }));
    return addresses.length === 0 ? noSuchContact : { ok: true, addresses };
  }
  const phoneNumber = await addressOf(env, accountId, named.reading);
  if (phoneNumber === null) return invalidField('phoneNumber', named.reading.problem);
  const addresses = await askLog(env, accountId, (log) => log.addressesOf({ phoneNumber }));
  return { ok: true, addresses: [...new Set([phoneNumber, ...addresses])] };
}

/** Puts a recipient on the list by hand; one that is on it stays as it is. */
optOutRoutes.post('/', administrator, jsonBody(additionSchema), async (c) => {
  const { phoneNumber: reading, contactId } = c.req.valid('json');
  const { accountId } = c.get('caller');
  if (reading === undefined && contactId === undefined)
    return renderRefusal(
      c,
      invalidField('phoneNumber', 'This field is required, or contactId instead of it.'),
    );
  if (reading !== undefined && contactId !== undefined)
    return renderRefusal(c, invalidField('contactId', 'Either phoneNumber or contactId, not both.'));
  const named = contactId === undefined ? { reading: reading as PhoneNumberReading } : { contactId };
  const found = await addressesOf(c.env, accountId, named);
  if (!found.ok) return renderRefusal(c, found);
  const [address = ''] = found.addresses;
  const { isNew, optOut } = await askAccount(c.env, accountId, (account) => account.addOptOut(address));
  const contact = (await contactsAt(c, [optOut])).get(optOut.phoneNumber) ?? null;
  if (isNew) await writeAuditEntry(auditOf(c), 'opt_out.added', `opt_out:${auditName(address, contact)}`);
  return c.json<z.infer<typeof optOutSchema>>(show(optOut, contact), isNew ? 201 : 200);
});

/** Takes a recipient off the list, who may then be written to again. */
optOutRoutes.delete('/:recipient', administrator, async (c) => {
  const { accountId } = c.get('caller');
  const recipient = c.req.param('recipient');
  const contactId = uuidSchema.safeParse(recipient).data ?? null;
  const named = contactId === null ? { reading: readPhoneNumber(recipient) } : { contactId };
  const found = await addressesOf(c.env, accountId, named);
  if (!found.ok) return renderRefusal(c, noSuchOptOut);
  const { addresses } = found;
  const removed = await askAccount(c.env, accountId, (account) => account.removeOptOut(addresses));
  if (!removed) return renderRefusal(c, noSuchOptOut);
  const [address = ''] = addresses;
  const name = aliasIn(address) === null ? address : recipient;
  await writeAuditEntry(auditOf(c), 'opt_out.removed', `opt_out:${name}`);
  return c.body(null, 204);
});

/** What the audit log calls them: never an alias. */
const auditName = (address: string, contact: Contact | null): string =>
  aliasIn(address) === null ? address : (contact?.contactId ?? '');
