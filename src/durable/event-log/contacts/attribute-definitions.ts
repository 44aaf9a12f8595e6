import {
  type AttributeType,
  attributeProblem,
  type ContactAttributes,
  fitsType,
  inferredType,
} from '../../../contract/contacts/attributes.ts';
import { invalidFields, type Refusal } from '../../../contract/errors.ts';
import { ownValue } from '../../../contract/given.ts';
import { Tables } from '../../storage/rows.ts';

export interface AttributeDefinition {
  name: string;
  type: AttributeType;
  /** A person has said so; else the first value has. */
  declared: boolean;
}

/** Attributes that an account has a type for. */
const definitionsMax = 200;
/** Contacts that one call looks at: some ten milliseconds. */
const contactsAtOnce = 2_500;

interface Misfit {
  name: string;
  message: string;
}

/** What the values of the account's attributes are. */
export class AttributeDefinitions extends Tables {
  all(): AttributeDefinition[] {
    return this.queryAll<{ name: string; type: AttributeType; declared: number }>(
      'SELECT name, type, declared FROM contact_attributes ORDER BY name',
    ).map(({ name, type, declared }) => ({ name, type, declared: declared === 1 }));
  }

  /** Which attributes the contacts behind a row have, whether or not they have a type: some contacts at a time. */
  used(after: number): { names: string[]; next: number | null } {
    const some = 'SELECT id, attributes FROM contacts WHERE id > ?1 ORDER BY id LIMIT ?2';
    const names = this.queryValues<string>(
      `SELECT DISTINCT value.key FROM (${some}) AS contact, json_each(contact.attributes) AS value`,
      ...[after, contactsAtOnce],
    );
    const { last, n } = this.queryOne<{ last: number | null; n: number }>(
      `SELECT max(id) AS last, count(*) AS n FROM (${some})`,
      ...[after, contactsAtOnce],
    );
    return { names, next: n < contactsAtOnce ? null : last };
  }

  find(name: string): AttributeDefinition | null {
    return this.all().find((definition) => definition.name === name) ?? null;
  }

  types(): Record<string, AttributeType> {
    return Object.fromEntries(this.all().map(({ name, type }) => [name, type]));
  }

  /**
   * Values that do not fit their attribute's type. If all fit, each new attribute gets the type of its value. Call inside a
   * transaction.
   */
  note(attributes: ContactAttributes): Misfit[] {
    const names = Object.keys(attributes);
    if (names.length === 0) return [];
    const types = this.types();
    const misfits: Misfit[] = [];
    for (const [name, value] of Object.entries(attributes)) {
      const type = ownValue(types, name) ?? inferredType(value);
      if (!fitsType(type, value)) misfits.push({ name, message: attributeProblem(type) });
    }
    const added = names.filter((name) => ownValue(types, name) === undefined);
    if (Object.keys(types).length + added.length > definitionsMax) {
      const message = `The account has ${definitionsMax} attributes, the most that there can be.`;
      misfits.push(...added.map((name) => ({ name, message })));
    }
    if (misfits.length > 0) return misfits;
    for (const name of added) {
      const value = attributes[name];
      if (value !== undefined) this.#put({ name, type: inferredType(value), declared: false });
    }
    return [];
  }

  hasRoomFor(added: number): boolean {
    return this.all().length + added <= definitionsMax;
  }

  declare(name: string, type: AttributeType): void {
    this.#put({ name, type, declared: true });
  }

  /** The values stay on their contacts. False: there is no such attribute. */
  remove(name: string): boolean {
    return this.queryAny('DELETE FROM contact_attributes WHERE name = ? RETURNING 1', name);
  }

  #put({ name, type, declared }: AttributeDefinition): void {
    this.sql.exec(
      'INSERT OR REPLACE INTO contact_attributes (name, type, declared) VALUES (?, ?, ?)',
      ...[name, type, declared ? 1 : 0],
    );
  }
}

export const attributesRefusal = (misfits: readonly Misfit[]): Refusal =>
  invalidFields(misfits.map(({ name, message }) => ({ path: `attributes.${name}`, message })));
