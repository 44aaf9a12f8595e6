import type { Contact, UpdateContactRequest } from './api-types.ts';
import type { List } from './list.ts';
import { type ListOptions, Resource } from './resource.ts';
import type { CallOptions } from './transport.ts';

export interface ContactFilter {
  /** Beginnings of words in their names, or of the phone number. */
  q?: string;
  label?: string;
}

/** Whom the account knows. Takes an API key or a token. */
export class Contacts extends Resource {
  list(filter: ContactFilter = {}, options: ListOptions = {}): List<Contact> {
    return this.listOf([], options, { ...filter });
  }

  get(contactId: string, options: CallOptions = {}): Promise<Contact> {
    return this.ask('GET', [contactId], options);
  }

  update(contactId: string, changes: UpdateContactRequest, options: CallOptions = {}): Promise<Contact> {
    return this.ask('PATCH', [contactId], options, changes);
  }

  /** When they write again, they are a contact again. */
  delete(contactId: string, options: CallOptions = {}): Promise<void> {
    return this.ask('DELETE', [contactId], options);
  }
}
