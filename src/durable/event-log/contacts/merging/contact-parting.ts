import { type Contact, mergedContact } from '../contact.ts';

/** The contact without what the other one has brought, as far as nobody has changed it since. */
export function without(now: Contact, kept: Contact, other: Contact): Contact {
  const merged = mergedContact(kept, other);
  const back = <Field extends keyof Contact>(field: Field): Contact[Field] =>
    JSON.stringify(now[field]) === JSON.stringify(merged[field]) ? kept[field] : now[field];
  const attributes = { ...now.attributes };
  for (const [name, value] of Object.entries(merged.attributes)) {
    if (kept.attributes[name] === undefined && attributes[name] === value) delete attributes[name];
  }
  return {
    contactId: now.contactId,
    phoneNumber: back('phoneNumber'),
    lid: back('lid'),
    ownName: back('ownName'),
    bookName: back('bookName'),
    pushName: back('pushName'),
    labels: now.labels.filter((label) => kept.labels.includes(label) || !other.labels.includes(label)),
    attributes,
    timeZone: back('timeZone'),
    country: back('country'),
    consent: back('consent'),
    wroteTo: back('wroteTo'),
    firstSeenAt: back('firstSeenAt'),
  };
}
