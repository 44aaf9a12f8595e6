import { timeZoneSchema } from '../../../contract/clock-fields.ts';
import type { ContactAttributes } from '../../../contract/contacts/attributes.ts';
import { labelsSchema } from '../../../contract/contacts/contact.ts';
import type { RowRefusal } from '../../../contract/contacts/import.ts';
import { onlyGiven } from '../../../contract/given.ts';
import type { ImportedContact } from '../../../durable/event-log/contacts/imports/import-rows.ts';
import { nameSchema } from '../../http/request/shared-fields.ts';
import { addressAmong, readPhoneNumberOf } from '../messages/sending/recipient.ts';

/** A contact as a file or a body has it. Empty is none. */
export interface RawContact {
  phoneNumber: string;
  name?: string | undefined;
  labels?: string[] | undefined;
  attributes?: ContactAttributes | undefined;
  timeZone?: string | undefined;
}

export type Judged = { ok: true; contact: ImportedContact } | ({ ok: false } & Omit<RowRefusal, 'row'>);

const invalid = (path: string, message: string): Judged => ({
  ok: false,
  code: 'VALIDATION_ERROR',
  path,
  message,
});

/**
 * Whether a contact can be stored as it is. The types of its attributes are not checked here. `known`: digits under which the
 * account knows somebody although they are in no numbering plan.
 */
export function judgeContact(
  raw: RawContact,
  defaultCountry: string | null,
  known: ReadonlySet<string>,
): Judged {
  const reading = readPhoneNumberOf(raw.phoneNumber, defaultCountry);
  const phoneNumber = addressAmong(known, reading);
  if (phoneNumber === null) {
    return { ok: false, code: 'RECIPIENT_INVALID', path: 'phoneNumber', message: reading.problem };
  }
  const name = raw.name?.trim() || undefined;
  if (name !== undefined && !nameSchema.safeParse(name).success) {
    return invalid('name', 'A name has at most 100 characters.');
  }
  const labels = labelsSchema.safeParse((raw.labels ?? []).map((label) => label.trim()).filter(Boolean));
  if (!labels.success) return invalid('labels', 'At most 50 labels, of 1 to 50 characters each.');
  const timeZone = raw.timeZone?.trim() || undefined;
  if (timeZone !== undefined && !timeZoneSchema.safeParse(timeZone).success) {
    return invalid('timeZone', 'Not an IANA time zone, such as Asia/Jakarta.');
  }
  const contact: ImportedContact = {
    phoneNumber,
    labels: labels.data,
    attributes: raw.attributes ?? {},
    ...onlyGiven({ name, timeZone }),
  };
  return { ok: true, contact };
}
