import type { Context } from 'hono';
import type { z } from 'zod';
import type { ContactFilter } from '../../../contract/contacts/contact-filter.ts';
import type { Refusal } from '../../../contract/errors.ts';
import type { Contact } from '../../../durable/event-log/contacts/contact.ts';
import type { AppEnv } from '../../app-env.ts';
import { notFound } from '../../http/request/shared-fields.ts';
import { askAccount, askLog } from '../../object-calls.ts';
import { type contactListQuery, logFilter } from './list-filter.ts';
import { recipientStates, type ShownContact, shownContact } from './shown-contact.ts';

export type ContactsAsked = z.output<z.ZodObject<typeof contactListQuery>>;

export interface ContactsRead {
  ok: true;
  contacts: ShownContact[];
  /** Where the next page goes on; null at the end. A page may be short. */
  next: string | null;
}

/** The filter as the log has to know it; a refusal where it names a segment that is not there. */
export async function filterOf(
  c: Context<AppEnv>,
  { segmentId, optedOut: _, ...list }: ContactsAsked,
): Promise<{ ok: true; filter: ContactFilter } | Refusal> {
  if (segmentId === undefined) return { ok: true, filter: logFilter(list, {}) };
  const { accountId } = c.get('caller');
  const segment = await askLog(c.env, accountId, (log) => log.contactSegment(segmentId));
  return segment === null
    ? notFound('segment')
    : { ok: true, filter: logFilter(list, segment.filter as ContactFilter) };
}

/**
 * A page of contacts. The log has the contacts, and the account knows who has opted out. With `optedOut`, the contacts of the
 * account's opt-out list are read. Without, a page of the log is read, and those who have opted out are left out.
 */
export async function readContacts(
  c: Context<AppEnv>,
  filter: ContactFilter,
  optedOut: boolean | undefined,
  limit: number,
  after: string | null,
): Promise<ContactsRead> {
  if (optedOut === true) return readOptedOut(c, filter, limit, after);
  const { accountId } = c.get('caller');
  const { contacts, next } = await askLog(c.env, accountId, (log) => log.contacts(filter, limit, after));
  const states = await recipientStates(c, contacts);
  const stateOf = ({ contactId }: Contact) => states.get(contactId);
  const wanted = contacts.filter((it) => optedOut === undefined || !stateOf(it)?.optedOutAt);
  return { ok: true, contacts: wanted.map((it) => shownContact(it, stateOf(it))), next };
}

/** Whoever has opted out last comes first. */
async function readOptedOut(
  c: Context<AppEnv>,
  filter: ContactFilter,
  limit: number,
  after: string | null,
): Promise<ContactsRead> {
  const { accountId } = c.get('caller');
  const listed = await askAccount(c.env, accountId, (account) => account.optOuts(limit + 1, after));
  const shown = listed.slice(0, limit);
  const addresses = shown.map(({ phoneNumber }) => phoneNumber);
  const found = await askLog(c.env, accountId, (log) => log.contactsAt(addresses, filter));
  // Somebody may stand on the list by several digits.
  const people = new Map(found.flatMap((one) => (one === null ? [] : [[one.contactId, one as Contact]])));
  const states = await recipientStates(c, [...people.values()]);
  const contacts = [...people.values()].map((one) => shownContact(one, states.get(one.contactId)));
  return { ok: true, contacts, next: listed.length > limit ? (shown.at(-1)?.id ?? null) : null };
}
