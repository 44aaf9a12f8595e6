import { z } from 'zod';
import { uuidSchema } from '../ids.ts';
import { aliasAddress } from '../messages/recipient.ts';
import type { ContactAttributes } from './attributes.ts';
import { labelSchema } from './contact.ts';

/** Contacts of one audience that may be named one by one. */
export const audienceContactsMax = 10_000;
/** Members in one page. */
export const audiencePageMax = 1000;

/** Whom something is sent to. */
const audienceSourceSchema = z.union([
  z.strictObject({ contactIds: z.array(uuidSchema).min(1).max(audienceContactsMax) }),
  z.strictObject({ label: labelSchema }),
  z.strictObject({ segmentId: uuidSchema }),
  /** Who came in by an import: its id. */
  z.strictObject({ csv: uuidSchema }),
  z.strictObject({ all: z.literal(true) }),
]);
export type AudienceSource = z.infer<typeof audienceSourceSchema>;

/** Somebody who can be written to. Whether they want to be is known to the account alone. */
export interface AudienceMember {
  contactId: string;
  /** Null: only the alias is known. */
  phoneNumber: string | null;
  lid: string | null;
  /** As the account calls them, else as the address book of a phone. */
  name: string | null;
  /** As they call themselves. */
  pushName: string | null;
  attributes: ContactAttributes;
  /** IANA; null: nobody has said. */
  timeZone: string | null;
  /** Two letters, as the phone number tells it. */
  country: string | null;
  /** When they last wrote; milliseconds since 1970, at most an hour too early. Null: never. */
  lastInboundAt: number | null;
  /** The numbers that they have written to. */
  wroteTo: string[];
}

/** Where a message to them goes: a phone number, or an alias as `<digits>@lid`. */
export const addressOfMember = ({ phoneNumber, lid }: Pick<AudienceMember, 'phoneNumber' | 'lid'>): string =>
  phoneNumber ?? aliasAddress(lid ?? '');

export interface AudiencePage {
  ok: true;
  /** The oldest contact first. May be fewer than asked for, also none. */
  members: AudienceMember[];
  /** Where the next page goes on; null at the end. */
  nextAfter: string | null;
}
