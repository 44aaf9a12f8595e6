import { refuse } from '../errors.ts';

/** Whom something goes to that is known by no more than a privacy alias: `<digits>@lid`. No caller may name anybody so. */
const aliasPattern = /^(\d+)@lid$/;

export const aliasAddress = (lid: string): string => `${lid}@lid`;

/** Where a message to somebody goes: their phone number, else their alias; null: neither is known. */
export const addressOfPerson = (person: { phoneNumber: string | null; lid: string | null }): string | null =>
  person.phoneNumber ?? (person.lid === null ? null : aliasAddress(person.lid));

/** The digits of the alias that an address is; null: it is a phone number or a group. */
export const aliasIn = (to: string): string | null => aliasPattern.exec(to)?.[1] ?? null;

const isAlias = 'This is a privacy alias, not a phone number: name the contact by contactId instead.';

/** The answer to whoever names an alias as `to`. */
export const aliasRefusal = refuse('RECIPIENT_IS_LID', isAlias, {
  details: [{ path: 'to', message: isAlias }],
});

/** Where a message goes, and how the send has named that. */
export interface NamedRecipient {
  /** Digits of a phone number, a group id, or an alias as {@link aliasAddress} has it. */
  to: string;
  /** The digits that the send has named, where the network knows the person by other ones. */
  dialled?: string | undefined;
  /** The contact that the alias belongs to. */
  contactId?: string | undefined;
}

/** The recipient as answers, records and events show it: an alias never, but the contact whom it stands for. */
export function shownRecipient({ to, dialled, contactId }: NamedRecipient): {
  to?: string;
  contactId?: string;
} {
  if (aliasIn(to) === null) return { to: dialled ?? to };
  return contactId === undefined ? {} : { contactId };
}
