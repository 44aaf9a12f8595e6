import type { ContactRows } from './contact-rows.ts';

/** Somebody as the network names them: digits of a phone number, or of an alias where no phone number is known. */
interface NamedPerson {
  digits: string;
  /** Their privacy alias, where it came along. */
  lid: string | null;
}

/** Who is who: the same person may be named by phone number, by alias, or by both, from one message to the next. */
export class KnownPeople {
  readonly #rows: ContactRows;

  constructor(rows: ContactRows) {
    this.#rows = rows;
  }

  aliasOf(phoneNumber: string): string | null {
    return this.#rows.byPhone(phoneNumber)?.lid ?? null;
  }

  contactOfAlias(lid: string): string | null {
    return this.#rows.at({ phoneNumber: null, lid })?.contactId ?? null;
  }

  /** All digits that mean them, those that were given first. */
  namesOf({ digits, lid }: NamedPerson): string[] {
    const { byPhone, byLid } = this.#rows.of({ phoneNumber: digits, lid: lid ?? digits });
    // Whom the network knows by other digits than those that were dialled need be no contact.
    const dialled = { phoneNumber: this.#rows.addressOf(digits), lid };
    const known = [dialled, byPhone, byLid].flatMap((one) => (one === null ? [] : this.#rows.digitsOf(one)));
    return [...new Set([...(lid === null ? [] : [lid]), digits, ...known])];
  }

  /** The phone number wherever it is known. */
  nameOf(person: NamedPerson): string {
    if (person.digits !== person.lid && person.lid !== null) return person.digits;
    const { digits } = person;
    return this.#rows.at({ phoneNumber: digits, lid: digits })?.phoneNumber ?? digits;
  }

  isSame(one: NamedPerson, other: NamedPerson): boolean {
    const names = this.namesOf(one);
    return this.namesOf(other).some((name) => names.includes(name));
  }
}
