import type { AttributeType } from '../../../contract/contacts/attributes.ts';
import type { AudiencePage, AudienceSource } from '../../../contract/contacts/audience.ts';
import { distinctLabels } from '../../../contract/contacts/contact.ts';
import type { ContactFilter } from '../../../contract/contacts/contact-filter.ts';
import type { RowRefusal } from '../../../contract/contacts/import.ts';
import { type Refusal, refuse } from '../../../contract/errors.ts';
import { addressOfPerson, aliasAddress, aliasIn } from '../../../contract/messages/recipient.ts';
import type { AttributeDefinition } from '../contacts/attribute-definitions.ts';
import type { ContactSegment } from '../contacts/audience.ts';
import type { Contact } from '../contacts/contact.ts';
import type { KnownMerge } from '../contacts/contact-merges.ts';
import type { ContactPage } from '../contacts/contact-search.ts';
import type { ContactChanges } from '../contacts/contacts.ts';
import type { Erasure } from '../contacts/erasing/erasure-rows.ts';
import type { NumberedContact } from '../contacts/imports/contact-imports.ts';
import type { ContactImport, ImportAbout } from '../contacts/imports/import-rows.ts';
import type { LogClass } from './log-object.ts';

export function contactVerbs<Base extends LogClass>(base: Base) {
  return class extends base {
    contact(contactId: string): Contact | null {
      return this.parts.people.rows.find(contactId);
    }

    /** Newest first; `after`: `next` of the page before. A page may be short, and go on behind it. */
    contacts(filter: ContactFilter, limit: number, after: string | null): ContactPage {
      const asked = { limit, after, order: 'newest first', now: Date.now() } as const;
      return this.parts.people.search.page(filter, asked);
    }

    /** Whom each of these addresses means, phone numbers or aliases as `<digits>@lid`; null: no contact that fits the filter. */
    contactsAt(addresses: readonly string[], filter: ContactFilter = {}): (Contact | null)[] {
      const { rows, search } = this.parts.people;
      const found = addresses.map((address) => {
        const lid = aliasIn(address);
        return rows.at({ phoneNumber: lid === null ? address : null, lid });
      });
      const contactIds = found.flatMap((contact) => contact?.contactId ?? []);
      const fitting = new Set(search.among(contactIds, filter, Date.now()).map(({ contactId }) => contactId));
      return found.map((contact) => (contact !== null && fitting.has(contact.contactId) ? contact : null));
    }

    /**
     * Those of these digits by which the account knows somebody, who is a contact or has written; an alias comes as
     * `<digits>@lid`.
     */
    knownAddresses(addresses: readonly string[]): string[] {
      return this.parts.people.rows.knownAddresses(addresses);
    }

    /**
     * All addresses of somebody: digits of phone numbers, those of the network first, and an alias as `<digits>@lid`. For
     * somebody who is not a contact, the digits of the question.
     */
    addressesOf(person: { contactId: string } | { phoneNumber: string }): string[] {
      const { rows } = this.parts.people;
      const asked = 'phoneNumber' in person ? person.phoneNumber : null;
      const contact = 'contactId' in person ? rows.find(person.contactId) : rows.byPhone(person.phoneNumber);
      const phoneNumber = contact?.phoneNumber ?? (asked === null ? null : rows.addressOf(asked));
      const lid = contact?.lid ?? null;
      const digits = rows.digitsOf({ phoneNumber, lid: null });
      return [...new Set([...digits, ...(lid === null ? [] : [aliasAddress(lid)])])];
    }

    /** Where messages to these contacts go, by their ids: a phone number, or an alias as `<digits>@lid`. Others are left out. */
    contactAddresses(contactIds: readonly string[]): Record<string, string> {
      const { rows } = this.parts.people;
      return Object.fromEntries(
        contactIds.flatMap((contactId) => {
          const contact = rows.find(contactId);
          const address = contact && addressOfPerson(contact);
          return address === null ? [] : [[contactId, address] as const];
        }),
      );
    }

    /** Those whom something may be sent to; see {@link Audience.page}. A campaign of 0.1.0 knows phone numbers alone. */
    audience(
      source: AudienceSource,
      after: string | null,
      limit: number,
      known: 'all' | 'by phone number' = 'by phone number',
    ): AudiencePage | Refusal {
      const page = this.parts.people.audience.page(source, after, limit, Date.now());
      if (!page.ok || known === 'all') return page;
      return { ...page, members: page.members.filter(({ phoneNumber }) => phoneNumber !== null) };
    }

    /** `contactId`: what the new one is called. To repeat it changes nothing. */
    createContact(contactId: string, phoneNumber: string, changes: ContactChanges): Contact | Refusal {
      const made = { contactId, phoneNumber };
      const result = this.tell((now) => this.parts.people.contacts.create(made, changes, now));
      return 'contact' in result ? result.contact : result;
    }

    /** Null: there is no such contact. */
    changeContact(contactId: string, changes: ContactChanges): Contact | Refusal | null {
      const result = this.tell((now) => this.parts.people.contacts.change(contactId, changes, now));
      return result !== null && 'contact' in result ? result.contact : result;
    }

    /** False: there is no such contact. Who writes again is one again. */
    removeContact(contactId: string): boolean {
      const contact = this.contact(contactId);
      if (contact === null) return false;
      this.ctx.storage.transactionSync(() => this.parts.people.rows.remove(contact));
      return true;
    }

    /** Makes another contact a part of this one; null: there are no two such contacts. */
    mergeContacts(
      contactId: string,
      otherId: string,
    ): { contact: Contact; mergeId: string } | Refusal | null {
      const result = this.tell((now) => this.parts.people.merges.merge(contactId, otherId, now));
      return result !== null && 'contact' in result
        ? { contact: result.contact, mergeId: result.mergeId }
        : result;
    }

    /** Merges that were not undone; see {@link ContactMerges.newest}. */
    contactMerges(contactId: string | null, limit: number, before: string | null): KnownMerge[] {
      return this.parts.people.merges.newest(contactId, limit, before, Date.now());
    }

    /** Both contacts again, and by and by the conversations of each; null: there is no such merge. */
    unmergeContacts(mergeId: string): Contact[] | Refusal | null {
      const result = this.tell((now) => this.parts.people.merges.undo(mergeId, now));
      return result !== null && 'contacts' in result ? result.contacts : result;
    }

    /** They are a contact no more, and the rest follows. Null: there is no such contact. */
    eraseContact(contactId: string, campaignRecipients: number): Erasure | null {
      const { erasures } = this.parts;
      return this.tell((now) => erasures.begin(contactId, campaignRecipients, now))?.erasure ?? null;
    }

    contactErasure(erasureId: string): Erasure | null {
      return this.parts.erasureRows.find(erasureId);
    }

    /** By name, the first 500 of them. */
    contactLabels(): string[] {
      return distinctLabels(this.parts.people.rows.spellings.used(500));
    }

    contactAttributes(): AttributeDefinition[] {
      return this.parts.people.definitions.all();
    }

    /** Names of the attributes that some contacts have, behind a row: see {@link AttributeDefinitions.used}. */
    usedContactAttributes(after: number): { names: string[]; next: number | null } {
      return this.parts.people.definitions.used(after);
    }

    declareContactAttribute(name: string, type: AttributeType): AttributeDefinition | Refusal {
      const { definitions, imports } = this.parts.people;
      if (imports.isRunning()) return refuse('CONFLICT', 'An import is running: wait until it has finished.');
      const isKnown = definitions.find(name) !== null;
      if (!isKnown && !definitions.hasRoomFor(1))
        return refuse('CONFLICT', 'The account already has the maximum number of attributes.');
      definitions.declare(name, type);
      return { name, type, declared: true };
    }

    /** False: there is no such attribute. */
    removeContactAttribute(name: string): boolean | Refusal {
      const { definitions, imports } = this.parts.people;
      if (imports.isRunning()) return refuse('CONFLICT', 'An import is running: wait until it has finished.');
      return definitions.remove(name);
    }

    /** Newest first, one more than `limit` where there are more. */
    contactSegments(limit: number, before: string | null): ContactSegment[] {
      return this.parts.people.segments.page(limit, before);
    }

    contactSegment(segmentId: string): ContactSegment | null {
      return this.parts.people.segments.find(segmentId);
    }

    createContactSegment(name: string, filter: ContactFilter): ({ ok: true } & ContactSegment) | Refusal {
      return this.parts.people.segments.create(name, filter, Date.now());
    }

    /** Null: there is no such segment. */
    changeContactSegment(
      segmentId: string,
      changes: { name?: string | undefined; filter?: ContactFilter | undefined },
    ): ({ ok: true } & ContactSegment) | Refusal | null {
      return this.parts.people.segments.change(segmentId, changes, Date.now());
    }

    removeContactSegment(segmentId: string): ContactSegment | null {
      return this.parts.people.segments.remove(segmentId);
    }

    /** All at once; see {@link ContactImports.takeAll}. */
    importContacts(
      importId: string,
      about: ImportAbout,
      contacts: readonly NumberedContact[],
      refused: readonly RowRefusal[],
    ): ContactImport {
      return this.parts.people.imports.takeAll(importId, about, contacts, refused, Date.now());
    }

    /** A file that is stored is read from now on. */
    beginContactImport(importId: string, about: ImportAbout): ContactImport | Refusal {
      const begun = this.parts.people.imports.begin(importId, about, Date.now());
      this.timers.arm();
      return begun;
    }

    /** The import as it is when it is over, or after so long. */
    async followContactImport(importId: string, ms: number): Promise<ContactImport> {
      try {
        return await this.parts.people.imports.follow(importId, ms);
      } finally {
        this.timers.arm();
      }
    }

    contactImport(importId: string): ContactImport | null {
      return this.parts.people.importRows.find(importId);
    }

    /** Newest first, one more than `limit` where there are more. */
    contactImports(limit: number, before: string | null): ContactImport[] {
      return this.parts.people.importRows.page(limit, before);
    }
  };
}
