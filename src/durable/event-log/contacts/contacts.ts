import type { InboundMessage } from '../../../contract/bridge-frames.ts';
import type { ContactAttributes, SeenContact } from '../../../contract/contact.ts';
import type { EventData } from '../../../contract/events.ts';
import { phoneNumberSchema } from '../../../contract/ids.ts';
import { newEventId, newUuid } from '../../new-ids.ts';
import type { EventDraft } from '../events/event-draft.ts';
import type { Contact, ContactRows } from './contact-rows.ts';

/** What a person may change of a contact. */
export interface ContactChanges {
  /** Null: as the address book has it. */
  name?: string | null | undefined;
  labels?: string[] | undefined;
  attributes?: ContactAttributes | undefined;
}

/**
 * Whom the account knows, whichever of its numbers has learned it. A phone number and its privacy alias are one contact
 * from the moment on that both are seen together. Whatever is as it was writes no row.
 */
export class Contacts {
  readonly #rows: ContactRows;
  readonly #joined: (phoneNumber: string, lid: string, at: number) => EventDraft[];

  /** `joined`: hears that a phone number and an alias are one person, inside that transaction. */
  constructor(
    rows: ContactRows,
    joined: (phoneNumber: string, lid: string, at: number) => EventDraft[] = () => [],
  ) {
    this.#rows = rows;
    this.#joined = joined;
  }

  /** Who writes to a number is a contact; who writes in a group need not be one. Call inside a transaction. */
  author({ from, senderLid, pushName, chatType, sentTo, at }: InboundMessage): EventDraft[] {
    const isPhoneNumber = from !== senderLid && phoneNumberSchema.safeParse(from).success;
    // What the owner of the phone has written tells nothing of anybody else.
    if (sentTo !== undefined || !(isPhoneNumber || senderLid)) return [];
    const seen: SeenContact = {
      ...(isPhoneNumber && { phoneNumber: from }),
      ...(senderLid && { lid: senderLid }),
      ...(pushName && { pushName }),
    };
    const { byPhone, byLid } = this.#rows.of(seen);
    if (chatType === 'group' && !byPhone && !byLid) return [];
    return this.#seen(seen, Date.parse(at));
  }

  /** An address book has them. Of whom it has no name need be no contact. Call inside a transaction. */
  listed(seen: SeenContact, at: number): EventDraft[] {
    const { byPhone, byLid } = this.#rows.of(seen);
    if (!byPhone && !byLid && !seen.name && !seen.pushName) return [];
    return this.#seen(seen, at);
  }

  /** Null: there is no such contact. Call inside a transaction. */
  change(
    contactId: string,
    { name, labels, attributes }: ContactChanges,
  ): { contact: Contact; drafts: EventDraft[] } | null {
    const before = this.#rows.find(contactId);
    if (before === null) return null;
    const contact: Contact = {
      ...before,
      ...(name !== undefined && { ownName: name }),
      ...(labels !== undefined && { labels }),
      ...(attributes !== undefined && { attributes }),
    };
    this.#rows.put(contact);
    return { contact, drafts: nameOf(contact) === nameOf(before) ? [] : [updated(contact)] };
  }

  /** That somebody is new is told by no event: a phone that is linked brings its whole address book. */
  #seen({ phoneNumber, lid, name, pushName }: SeenContact, at: number): EventDraft[] {
    const { byPhone, byLid } = this.#rows.of({ phoneNumber, lid });
    const other = byPhone && byLid && byPhone.contactId !== byLid.contactId ? byLid : null;
    const known = byPhone ?? byLid;
    const before: Contact = known ?? {
      contactId: newUuid(),
      phoneNumber: null,
      lid: null,
      ownName: null,
      bookName: null,
      pushName: null,
      labels: [],
      attributes: {},
      firstSeenAt: at,
    };
    const merged = other === null ? before : mergedOf(before, other);
    const contact: Contact = {
      ...merged,
      phoneNumber: phoneNumber ?? merged.phoneNumber,
      lid: lid ?? merged.lid,
      bookName: name === undefined ? merged.bookName : name || null,
      pushName: pushName || merged.pushName,
    };
    if (known !== null && other === null && isSame(before, contact)) return [];
    if (other) this.#rows.remove(other.contactId);
    this.#rows.put(contact);
    const { phoneNumber: knownPhone, lid: knownLid } = before;
    const isJoined = other !== null || contact.phoneNumber !== knownPhone || contact.lid !== knownLid;
    const { phoneNumber: phone, lid: alias } = contact;
    const joined = isJoined && phone !== null && alias !== null ? this.#joined(phone, alias, at) : [];
    return known === null ? joined : [updated(contact), ...joined];
  }
}

/** As the outside calls them: as the account does, else as the address book. */
const nameOf = ({ ownName, bookName }: Contact): string | null => ownName ?? bookName;

const isSame = (one: Contact, other: Contact) =>
  one.phoneNumber === other.phoneNumber &&
  one.lid === other.lid &&
  one.bookName === other.bookName &&
  one.pushName === other.pushName;

/** The contact of a phone number, with what was known of its alias. */
function mergedOf(byPhone: Contact, byLid: Contact): Contact {
  return {
    ...byPhone,
    lid: byLid.lid,
    ownName: byPhone.ownName ?? byLid.ownName,
    bookName: byPhone.bookName ?? byLid.bookName,
    pushName: byPhone.pushName ?? byLid.pushName,
    labels: [...new Set([...byPhone.labels, ...byLid.labels])],
    attributes: { ...byLid.attributes, ...byPhone.attributes },
    firstSeenAt: Math.min(byPhone.firstSeenAt, byLid.firstSeenAt),
  };
}

function updated(contact: Contact): EventDraft {
  const { contactId, phoneNumber, lid, pushName } = contact;
  const name = nameOf(contact);
  const data: EventData<'contact.updated'> = {
    contactId,
    ...(phoneNumber !== null && { phoneNumber }),
    ...(lid !== null && { lid }),
    ...(name !== null && { name }),
    ...(pushName !== null && { pushName }),
  };
  return { id: newEventId(), event: 'contact.updated', data };
}
