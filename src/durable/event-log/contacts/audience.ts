import {
  type AudienceMember,
  type AudiencePage,
  type AudienceSource,
  audiencePageMax,
} from '../../../contract/contacts/audience.ts';
import type { ContactFilter } from '../../../contract/contacts/contact-filter.ts';
import { type Refusal, refuse } from '../../../contract/errors.ts';
import { type Contact, lastInboundAt, nameOf } from './contact.ts';
import type { ContactRows } from './contact-rows.ts';
import type { ContactSearch } from './contact-search.ts';
import type { ContactSegments } from './contact-segments.ts';
import type { ImportedContacts } from './imports/imported-contacts.ts';

interface AudienceParts {
  rows: ContactRows;
  search: ContactSearch;
  segments: ContactSegments;
  members: ImportedContacts;
}

/** Reads an audience page by page, the oldest contact first: whoever is added meanwhile comes last. */
export class Audience {
  readonly #parts: AudienceParts;

  constructor(parts: AudienceParts) {
    this.#parts = parts;
  }

  page(source: AudienceSource, after: string | null, wanted: number, now: number): AudiencePage | Refusal {
    const limit = Math.min(wanted, audiencePageMax);
    if ('contactIds' in source) return this.#named(source.contactIds, after, limit);
    if ('csv' in source) return this.#imported(source.csv, after, limit);
    const filter = this.#filterOf(source);
    if (filter === null) return refuse('NOT_FOUND', 'There is no such segment.');
    const { contacts, next } = this.#parts.search.page(filter, { limit, after, order: 'oldest first', now });
    return { ok: true, members: contacts.flatMap(memberOf), nextAfter: next };
  }

  #filterOf(
    source: Exclude<AudienceSource, { contactIds: string[] } | { csv: string }>,
  ): ContactFilter | null {
    if ('label' in source) return { labels: [source.label] };
    if ('segmentId' in source) return this.#parts.segments.find(source.segmentId)?.filter ?? null;
    return {};
  }

  #named(contactIds: readonly string[], after: string | null, limit: number): AudiencePage {
    const rest = [...new Set(contactIds)].sort().filter((contactId) => after === null || contactId > after);
    const page = rest.slice(0, limit);
    return {
      ok: true,
      members: this.#members(page),
      nextAfter: rest.length > limit ? (page.at(-1) ?? null) : null,
    };
  }

  #imported(importId: string, after: string | null, limit: number): AudiencePage {
    const page = this.#parts.members.page(importId, after, limit);
    const nextAfter = page.length < limit ? null : (page.at(-1) ?? null);
    return { ok: true, members: this.#members(page), nextAfter };
  }

  #members(contactIds: readonly string[]): AudienceMember[] {
    return contactIds.flatMap((contactId) => {
      const contact = this.#parts.rows.find(contactId);
      return contact === null ? [] : memberOf(contact);
    });
  }
}

function memberOf(contact: Contact): AudienceMember[] {
  const { contactId, phoneNumber, lid, pushName, attributes, timeZone, country, wroteTo } = contact;
  if (phoneNumber === null && lid === null) return [];
  return [
    {
      contactId,
      phoneNumber,
      lid,
      name: nameOf(contact),
      pushName,
      attributes,
      timeZone,
      country,
      lastInboundAt: lastInboundAt(contact),
      wroteTo: Object.keys(wroteTo),
    },
  ];
}
