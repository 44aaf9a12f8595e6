import type { Context } from 'hono';
import { addressOfPerson } from '../../../contract/messages/recipient.ts';
import { isoTime } from '../../../contract/times.ts';
import { type Contact, lastInboundAt, nameOf } from '../../../durable/event-log/contacts/contact.ts';
import type { AppEnv } from '../../app-env.ts';
import { askAccount } from '../../object-calls.ts';

/** What the account has of somebody; milliseconds since 1970. */
export interface RecipientState {
  optedOutAt: number | null;
  lastInboundAt: number | null;
}

/** By the ids of the contacts. */
export async function recipientStates(
  c: Context<AppEnv>,
  contacts: readonly Contact[],
): Promise<Map<string, RecipientState>> {
  const known = contacts.flatMap((contact) => {
    const address = addressOfPerson(contact);
    return address === null ? [] : [{ contactId: contact.contactId, address }];
  });
  if (known.length === 0) return new Map();
  const { accountId } = c.get('caller');
  const addresses = known.map(({ address }) => address);
  const states = await askAccount(c.env, accountId, (account) => account.recipients(addresses));
  return new Map(states.map((state, index) => [known[index]?.contactId ?? '', state]));
}

/** Contacts as the API shows them: the log knows who they are, the account what has passed with them. */
export async function shownContacts(c: Context<AppEnv>, contacts: readonly Contact[]) {
  const states = await recipientStates(c, contacts);
  return contacts.map((contact) => shownContact(contact, states.get(contact.contactId)));
}

export async function shownOne(c: Context<AppEnv>, contact: Contact): Promise<ShownContact> {
  const states = await recipientStates(c, [contact]);
  return shownContact(contact, states.get(contact.contactId));
}

export function shownContact(contact: Contact, state: RecipientState | undefined) {
  const { contactId, phoneNumber, lid, pushName, labels, attributes, timeZone, country, consent } = contact;
  // The log is exact to the hour, and keeps it for good; the account is exact, and forgets after 90 days.
  const lastAt = Math.max(lastInboundAt(contact) ?? 0, state?.lastInboundAt ?? 0) || null;
  return {
    contactId,
    phoneNumber,
    lid,
    name: nameOf(contact),
    pushName,
    labels,
    attributes,
    timeZone,
    country,
    consent: consent === null ? null : { source: consent.source, at: isoTime(consent.at) },
    optedOutAt: isoTime(state?.optedOutAt ?? null),
    firstSeenAt: isoTime(contact.firstSeenAt),
    lastInboundAt: isoTime(lastAt),
  };
}
export type ShownContact = ReturnType<typeof shownContact>;
