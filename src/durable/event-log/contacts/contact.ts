import type { ContactAttributes } from '../../../contract/contacts/attributes.ts';
import { distinctLabels } from '../../../contract/contacts/contact.ts';
import { ownValue } from '../../../contract/given.ts';
import { newUuid } from '../../new-ids.ts';
import { fieldsOf, type RowOf, rowOf } from '../../storage/rows.ts';

/** Somebody whom the account knows. Times are milliseconds since 1970. */
export interface Contact {
  contactId: string;
  phoneNumber: string | null;
  lid: string | null;
  /** As the account calls them; null: as the address book does. */
  ownName: string | null;
  /** As the address book of a phone has it. */
  bookName: string | null;
  /** As they call themselves. */
  pushName: string | null;
  labels: string[];
  attributes: ContactAttributes;
  /** IANA; null: nobody has said. */
  timeZone: string | null;
  /** Two letters, as the phone number tells it. */
  country: string | null;
  /** How the account knows that they agree to be written to, and since when. */
  consent: { source: string; at: number } | null;
  /** When they last wrote to which of the account's numbers. */
  wroteTo: Readonly<Record<string, number>>;
  firstSeenAt: number;
}

export const newContact = (at: number): Contact => ({
  contactId: newUuid(),
  phoneNumber: null,
  lid: null,
  ownName: null,
  bookName: null,
  pushName: null,
  labels: [],
  attributes: {},
  timeZone: null,
  country: null,
  consent: null,
  wroteTo: {},
  firstSeenAt: at,
});

/** As the outside calls them: as the account does, else as the address book. */
export const nameOf = ({ ownName, bookName }: Contact): string | null => ownName ?? bookName;

/** Null: they have never written. */
export const lastInboundAt = ({ wroteTo }: Pick<Contact, 'wroteTo'>): number | null =>
  Object.values(wroteTo).reduce<number | null>((last, at) => Math.max(last ?? 0, at), null);

/** A row is written once an hour at most, however much they write. */
const grainMs = 3_600_000;

/** The same object where nothing has changed that is worth a row. */
export function withInbound(wroteTo: Contact['wroteTo'], numberId: string, at: number): Contact['wroteTo'] {
  const known = wroteTo[numberId];
  return known !== undefined && at < known + grainMs ? wroteTo : { ...wroteTo, [numberId]: at };
}

/** What is known of both; where both say something, `kept` is right. */
export function mergedContact(kept: Contact, other: Contact): Contact {
  const wroteTo = { ...other.wroteTo };
  for (const [numberId, at] of Object.entries(kept.wroteTo)) {
    wroteTo[numberId] = Math.max(at, wroteTo[numberId] ?? 0);
  }
  return {
    contactId: kept.contactId,
    phoneNumber: kept.phoneNumber ?? other.phoneNumber,
    lid: kept.lid ?? other.lid,
    ownName: kept.ownName ?? other.ownName,
    bookName: kept.bookName ?? other.bookName,
    pushName: kept.pushName ?? other.pushName,
    labels: distinctLabels([...kept.labels, ...other.labels]),
    attributes: { ...other.attributes, ...kept.attributes },
    timeZone: kept.timeZone ?? other.timeZone,
    country: kept.country ?? other.country,
    consent: kept.consent ?? other.consent,
    wroteTo,
    firstSeenAt: Math.min(kept.firstSeenAt, other.firstSeenAt),
  };
}

/** The contact without what the other one has brought, as far as nobody has changed it since. */
export function without(now: Contact, kept: Contact, other: Contact): Contact {
  const merged = mergedContact(kept, other);
  const isMerged = (field: keyof Contact) => JSON.stringify(now[field]) === JSON.stringify(merged[field]);
  const fields = (Object.keys(merged) as (keyof Contact)[]).filter(isMerged);
  const attributes = { ...now.attributes };
  for (const [name, value] of Object.entries(merged.attributes)) {
    if (ownValue(kept.attributes, name) === undefined && attributes[name] === value) delete attributes[name];
  }
  return {
    ...now,
    ...Object.fromEntries(fields.map((field) => [field, kept[field]])),
    labels: now.labels.filter((label) => kept.labels.includes(label) || !other.labels.includes(label)),
    attributes,
  };
}

/** A row of the table `contacts`. */
export type ContactRow = RowOf<SameInRow> & {
  id: number;
  phone: string | null;
  consent_source: string | null;
  consent_at: number | null;
  last_inbound_at: number | null;
  wrote_to: string | null;
};
type SameInRow = Omit<Contact, 'phoneNumber' | 'consent' | 'wroteTo'>;

export function contactOf({ id, last_inbound_at, ...row }: ContactRow): Contact {
  const { phone: phoneNumber, consent_source: source, consent_at: at, wrote_to, ...same } = row;
  return {
    ...fieldsOf<SameInRow>(same, ['labels', 'attributes']),
    phoneNumber,
    consent: source === null ? null : { source, at: at ?? row.first_seen_at },
    wroteTo: wrote_to === null ? {} : JSON.parse(wrote_to),
  };
}

/** The row of a contact, but for its number. */
export const contactRow = ({ phoneNumber, consent, wroteTo, ...same }: Contact): Omit<ContactRow, 'id'> => ({
  ...rowOf<SameInRow>(same),
  phone: phoneNumber,
  consent_source: consent?.source ?? null,
  consent_at: consent?.at ?? null,
  last_inbound_at: lastInboundAt({ wroteTo }),
  wrote_to: JSON.stringify(wroteTo),
});
