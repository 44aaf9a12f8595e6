import type { Contact } from './contact.ts';

/** A row of the table `contacts`. */
export type ContactRow = {
  id: number;
  contact_id: string;
  phone: string | null;
  lid: string | null;
  own_name: string | null;
  book_name: string | null;
  push_name: string | null;
  labels: string;
  attributes: string;
  first_seen_at: number;
  time_zone: string | null;
  country: string | null;
  consent_source: string | null;
  consent_at: number | null;
  last_inbound_at: number | null;
  wrote_to: string | null;
};

export function contactOf(row: ContactRow): Contact {
  const { consent_source: source, consent_at: at } = row;
  return {
    contactId: row.contact_id,
    phoneNumber: row.phone,
    lid: row.lid,
    ownName: row.own_name,
    bookName: row.book_name,
    pushName: row.push_name,
    labels: JSON.parse(row.labels),
    attributes: JSON.parse(row.attributes),
    timeZone: row.time_zone,
    country: row.country,
    consent: source === null ? null : { source, at: at ?? row.first_seen_at },
    wroteTo: row.wrote_to === null ? {} : JSON.parse(row.wrote_to),
    firstSeenAt: row.first_seen_at,
  };
}
