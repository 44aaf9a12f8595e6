import {
  type AudienceMember,
  type AudiencePage,
  type AudienceSource,
  audiencePageMax,
} from '../../../contract/contacts/audience.ts';
import type { ContactFilter } from '../../../contract/contacts/contact-filter.ts';
import { type Refusal, refuse } from '../../../contract/errors.ts';
import { newUuid } from '../../new-ids.ts';
import { fieldsOf, insertRow, type RowOf, rowOf, Tables } from '../../storage/rows.ts';
import { type Contact, lastInboundAt, nameOf } from './contact.ts';
import type { ContactRows } from './contact-rows.ts';
import type { ContactSearch } from './contact-search.ts';
import type { ImportedContacts } from './imports/import-rows.ts';

/** A filter that has a name. Times are milliseconds since 1970. */
export interface ContactSegment {
  segmentId: string;
  name: string;
  filter: ContactFilter;
  createdAt: number;
  updatedAt: number;
}

const segmentsMax = 200;

/** The segments of an account. Who is in one is found out when it is asked for. */
export class ContactSegments extends Tables {
  /** Newest first, one more than `limit` where there are more. */
  page(limit: number, before: string | null): ContactSegment[] {
    return this.#read('segment_id < ? ORDER BY segment_id DESC LIMIT ?', before ?? '\uffff', limit + 1);
  }

  find(segmentId: string): ContactSegment | null {
    return this.#read('segment_id = ?', segmentId)[0] ?? null;
  }

  create(name: string, filter: ContactFilter, now: number): ({ ok: true } & ContactSegment) | Refusal {
    const { n } = this.queryOne<{ n: number }>('SELECT count(*) AS n FROM contact_segments');
    if (n >= segmentsMax) return refuse('CONFLICT', `An account can have at most ${segmentsMax} segments.`);
    return this.#put({ segmentId: newUuid(), name, filter, createdAt: now, updatedAt: now });
  }

  /** Null: there is no such segment. */
  change(
    segmentId: string,
    changes: { name?: string | undefined; filter?: ContactFilter | undefined },
    now: number,
  ): ({ ok: true } & ContactSegment) | Refusal | null {
    const before = this.find(segmentId);
    if (before === null) return null;
    const { name = before.name, filter = before.filter } = changes;
    return this.#put({ ...before, name, filter, updatedAt: now });
  }

  remove(segmentId: string): ContactSegment | null {
    const segment = this.find(segmentId);
    this.sql.exec('DELETE FROM contact_segments WHERE segment_id = ?', segmentId);
    return segment;
  }

  #put(segment: ContactSegment): ({ ok: true } & ContactSegment) | Refusal {
    const { segmentId, name } = segment;
    const same = this.#read('name = ? AND segment_id <> ?', name, segmentId);
    if (same.length > 0) {
      const message = 'There is a segment of this name.';
      return refuse('CONFLICT', message, { details: [{ path: 'name', message }] });
    }
    insertRow(this.sql, 'INSERT OR REPLACE INTO contact_segments', rowOf(segment));
    return { ok: true, ...segment };
  }

  #read(condition: string, ...values: SqlStorageValue[]): ContactSegment[] {
    return this.queryAll<RowOf<ContactSegment>>(
      `SELECT * FROM contact_segments WHERE ${condition}`,
      ...values,
    ).map((row) => fieldsOf<ContactSegment>(row, ['filter']));
  }
}

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
