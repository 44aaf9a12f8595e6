import type { DeviceKeys } from '../keys/auth-state.ts';

/** Whether somebody is addressed by phone number or by privacy alias. */
export type Addressing = 'pn' | 'lid';

/** What is kept of a contact. Nothing is, of one whose messages and ours bear the alias. */
export interface ContactNote {
  /** How the network addressed their last message to us, or took our last one to them. */
  last?: Addressing;
  /** When the network refused a message of ours under each; milliseconds since 1970. */
  refused?: Partial<Record<Addressing, number>>;
}

export const contactNoteType = 'contact-addressing';

/** Notes about contacts, by the digits of their phone numbers. They stand in the vault, so that every bridge has them. */
export class ContactNotes {
  readonly #keys: DeviceKeys;

  constructor(keys: DeviceKeys) {
    this.#keys = keys;
  }

  async of(phoneNumber: string): Promise<ContactNote> {
    const json = await this.#keys.readNote(contactNoteType, phoneNumber);
    return json === null ? {} : (JSON.parse(json) as ContactNote);
  }

  set(phoneNumber: string, note: ContactNote): void {
    this.#keys.writeNote(contactNoteType, phoneNumber, JSON.stringify(note));
  }
}
