import type { InboundMessage } from '../../../contract/bridge/bridge-frames.ts';
import type { ContactAttributes } from '../../../contract/contacts/attributes.ts';
import type { SeenContact } from '../../../contract/contacts/contact.ts';
import { type Refusal, refuse } from '../../../contract/errors.ts';
import { onlyGiven } from '../../../contract/given.ts';
import { phoneNumberSchema } from '../../../contract/ids.ts';
import type { Person } from '../../../contract/numbers/group.ts';
import { type EventDraft, newEvent } from '../events/event-draft.ts';
import { type AttributeDefinitions, attributesRefusal } from './attribute-definitions.ts';
import { type Contact, mergedContact, nameOf, newContact, withInbound } from './contact.ts';
import type { ContactRows } from './contact-rows.ts';
import type { ToldAliases } from './told-aliases.ts';

/** What a person may change of a contact. */
export interface ContactChanges {
  /** Null: as the address book has it. */
  name?: string | null | undefined;
  labels?: string[] | undefined;
  attributes?: ContactAttributes | undefined;
  timeZone?: string | null | undefined;
  /** Null: nothing is known of it. */
  consentSource?: string | null | undefined;
}

/** A message that somebody has written to a number. */
interface Inbound {
  numberId: string;
  at: number;
}

/** Who it is that has seen somebody: a number to which they wrote, whatever the network says of them, or an address book. */
type Source = Inbound | 'network' | 'address book';

/** The network has other digits for somebody than those that were dialled, or that they had. Called inside a transaction. */
export type Renumbered = (digits: string, phoneNumber: string, at: number) => EventDraft[];

/** What else comes of it that a phone number and an alias are one person. */
export type Joined = (phoneNumber: string, lid: string, at: number) => EventDraft[];

/** The same of two contacts that were one, and are two again. */
export type Parted = (one: Contact, other: Contact, at: number) => EventDraft[];

/** A contact after a change, and the events that tell of it. */
interface ChangedContact {
  ok: true;
  contact: Contact;
  drafts: EventDraft[];
}

/**
 * The people that the account knows, from any of its numbers. A phone number and its privacy alias are one contact as soon as
 * both are seen together. What has not changed writes no row.
 */
export class Contacts {
  readonly #rows: ContactRows;
  readonly #definitions: AttributeDefinitions;
  readonly #aliases: ToldAliases;
  readonly #joined: Joined;
  readonly #renumbered: Renumbered;
  readonly #isOwnPhone: (phoneNumber: string) => boolean;

  /** `joined`: hears that a phone number and an alias are one person, inside that transaction. */
  constructor(
    rows: ContactRows,
    definitions: AttributeDefinitions,
    aliases: ToldAliases,
    joined: Joined,
    renumbered: Renumbered,
    isOwnPhone: (phoneNumber: string) => boolean,
  ) {
    this.#rows = rows;
    this.#definitions = definitions;
    this.#aliases = aliases;
    this.#joined = joined;
    this.#renumbered = renumbered;
    this.#isOwnPhone = isOwnPhone;
  }

  /** Who writes to a number is a contact; who writes in a group need not be one. Call inside a transaction. */
  author(message: InboundMessage, numberId: string): EventDraft[] {
    const { from, senderLid, pushName, chatType, sentTo } = message;
    const at = Date.parse(message.at);
    const isPhoneNumber = from !== senderLid && phoneNumberSchema.safeParse(from).success;
    // What the owner of the phone has written tells nothing of anybody else.
    if (sentTo !== undefined || !(isPhoneNumber || senderLid)) return [];
    const seen: SeenContact = {
      ...(isPhoneNumber && { phoneNumber: from }),
      ...(senderLid && { lid: senderLid }),
      ...(pushName && { pushName }),
    };
    if (chatType !== 'group') return this.#seen(seen, at, { numberId, at });
    const { byPhone, byLid } = this.#rows.of(seen);
    return byPhone || byLid ? this.#seen(seen, at, 'network') : [];
  }

  /** An address book has them. Of whom it has no name need be no contact. Call inside a transaction. */
  listed(seen: SeenContact, at: number): EventDraft[] {
    const { phoneNumber, lid } = seen;
    // The account writes to none of its own numbers, also where somebody is known by such an alias alone.
    if (phoneNumber && lid && this.#isOwnPhone(phoneNumber)) this.#aliases.joined(phoneNumber, lid, true);
    const { byPhone, byLid } = this.#rows.of(seen);
    if (!byPhone && !byLid && !seen.name && !seen.pushName) return [];
    return this.#seen(seen, at, 'address book');
  }

  /** A person has written somebody down. To repeat it changes nothing. Call inside a transaction. */
  create(
    { contactId, phoneNumber }: { contactId: string; phoneNumber: string },
    changes: ContactChanges,
    now: number,
  ): ChangedContact | Refusal {
    const known = this.#rows.byPhone(phoneNumber);
    if (known?.contactId === contactId) return { ok: true, contact: known, drafts: [] };
    if (known !== null) {
      const message = 'There is a contact with this phone number.';
      return refuse('CONFLICT', message, { details: [{ path: 'phoneNumber', message }] });
    }
    const problems = this.#definitions.note(changes.attributes ?? {});
    if (problems.length > 0) return attributesRefusal(problems);
    this.#rows.put(this.#changed({ ...newContact(now), contactId, phoneNumber }, changes, now), null);
    const contact = this.#rows.find(contactId);
    if (contact === null) throw new Error('a contact that was stored is not there');
    return { ok: true, contact, drafts: [] };
  }

  /** Null: there is no such contact. Call inside a transaction. */
  change(contactId: string, changes: ContactChanges, now: number): ChangedContact | Refusal | null {
    const before = this.#rows.find(contactId);
    if (before === null) return null;
    const problems = this.#definitions.note(changes.attributes ?? {});
    if (problems.length > 0) return attributesRefusal(problems);
    const contact = this.#changed(before, changes, now);
    this.#rows.put(contact, before);
    return { ok: true, contact, drafts: nameOf(contact) === nameOf(before) ? [] : [updatedEvent(contact)] };
  }

  /**
   * A contact has a phone number and an alias that were not known to be one person. `wasNamed`: there was a contact with the
   * alias or other digits alone, which somebody may have put on the opt-out list. Call inside a transaction.
   */
  joined({ phoneNumber, lid, wroteTo }: Contact, at: number, wasNamed: boolean): EventDraft[] {
    if (phoneNumber === null || lid === null) return [];
    this.#aliases.joined(phoneNumber, lid, wasNamed || Object.keys(wroteTo).length > 0);
    return this.#joined(phoneNumber, lid, at);
  }

  #changed(before: Contact, changes: ContactChanges, now: number): Contact {
    const { name, attributes, timeZone, consentSource } = changes;
    const labels = changes.labels && this.#rows.spellings.spelled(changes.labels);
    return {
      ...before,
      ...onlyGiven({ ownName: name, labels, attributes, timeZone }),
      ...(consentSource !== undefined && {
        consent: consentSource === null ? null : { source: consentSource, at: now },
      }),
    };
  }

  /**
   * Whoever changes their phone number keeps the alias: the number that they had stays one of theirs, until the network shows it
   * with another alias. That somebody is new is told by no event: a phone that is linked brings its whole address book.
   */
  #seen({ phoneNumber, lid, name, pushName }: SeenContact, at: number, source: Source): EventDraft[] {
    const inbound = typeof source === 'string' ? null : source;
    const { byPhone, byLid } = this.#knownAs({ phoneNumber, lid }, source);
    const other = byPhone && byLid && byPhone.contactId !== byLid.contactId ? byLid : null;
    const known = byPhone ?? byLid;
    const before = known ?? newContact(at);
    // What a phone number's contact says is right, but the alias is the one that was seen with it.
    const merged = other === null ? before : { ...mergedContact(before, other), lid: other.lid };
    // An address book may have them under digits that the network does not know.
    const isNetworks = source !== 'address book' && lid !== undefined;
    const digits = isNetworks ? phoneNumber : (byPhone?.phoneNumber ?? phoneNumber);
    const contact: Contact = {
      ...merged,
      phoneNumber: digits ?? merged.phoneNumber,
      lid: lid ?? merged.lid,
      bookName: name === undefined ? merged.bookName : name || null,
      pushName: pushName || merged.pushName,
      wroteTo: inbound ? withInbound(merged.wroteTo, inbound.numberId, inbound.at) : merged.wroteTo,
    };
    if (inbound && lid !== undefined && phoneNumber === undefined && contact.phoneNumber !== null) {
      this.#aliases.wrote(contact.phoneNumber, lid);
    }
    const isToldOf = other !== null || !isSame(before, contact);
    if (known !== null && !isToldOf && before.wroteTo === contact.wroteTo) return [];
    if (other !== null && byPhone !== null) this.#rows.join(byPhone, other, contact);
    else this.#rows.put(contact, known);
    const renumbered = [known, other].flatMap((one) => {
      const [former, current] = [one?.phoneNumber ?? null, contact.phoneNumber];
      return former === null || current === null || former === current
        ? []
        : this.#renumbered(former, current, at);
    });
    const isJoined =
      other !== null || contact.phoneNumber !== before.phoneNumber || contact.lid !== before.lid;
    const wasNamed = [known, other].some((one) => one !== null && one.phoneNumber !== contact.phoneNumber);
    const joined = isJoined ? this.joined(contact, at, wasNamed) : [];
    return [...(known !== null && isToldOf ? [updatedEvent(contact)] : []), ...renumbered, ...joined];
  }

  /** Those whom an address means. Digits that led to somebody are a new person's where they come from the network without the alias. */
  #knownAs({ phoneNumber, lid }: Person, source: Source): { byPhone: Contact | null; byLid: Contact | null } {
    const found = this.#rows.of({ phoneNumber, lid });
    const { byPhone } = found;
    if (phoneNumber === undefined || byPhone === null || byPhone.phoneNumber === phoneNumber) return found;
    const hasNone = lid === undefined && source === 'address book';
    if (hasNone || byPhone.lid === null || byPhone.lid === lid) return found;
    this.#rows.freeDialled(phoneNumber);
    return { ...found, byPhone: null };
  }
}

const isSame = (one: Contact, other: Contact) =>
  one.phoneNumber === other.phoneNumber &&
  one.lid === other.lid &&
  one.bookName === other.bookName &&
  one.pushName === other.pushName;

export function updatedEvent(contact: Contact): EventDraft {
  const { contactId, phoneNumber, lid, pushName } = contact;
  const name = nameOf(contact);
  return newEvent('contact.updated', {
    contactId,
    ...(phoneNumber !== null && { phoneNumber }),
    ...(lid !== null && { lid }),
    ...(name !== null && { name }),
    ...(pushName !== null && { pushName }),
  });
}
