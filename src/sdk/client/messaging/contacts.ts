import type {
  Contact,
  ContactAttribute,
  ContactErasure,
  ContactImport,
  ContactMerge,
  ContactMergeList,
  ContactPair,
  CreateContactRequest,
  CreateSegmentRequest,
  DeclareContactAttributeRequest,
  ImportContactsRequest,
  OptOut,
  OptOutList,
  Segment,
  UpdateContactRequest,
  UpdateSegmentRequest,
} from '../generated/api-types.ts';
import { Collection } from '../http/collection.ts';
import type { List } from '../http/list.ts';
import { type ListOptions, Resource } from '../http/resource.ts';
import type { Bytes, CallOptions } from '../http/transport.ts';

export interface ContactFilter {
  /** Beginnings of words in their names, or of the phone number. */
  q?: string;
  label?: string;
  /** Two letters, as their phone number tells. */
  country?: string;
  /** They wrote to one of your numbers within so many days, or have not for so many. */
  seenWithinDays?: number;
  notSeenForDays?: number;
  /** Whether they have ever written. */
  hasWritten?: boolean;
  optedOut?: boolean;
  attributes?: NonNullable<CreateSegmentRequest['filter']['attributes']>;
  segmentId?: string;
}

/** What goes with a file of contacts. */
export interface ImportFileOptions extends CallOptions {
  /** How you know that they agree to be written to. */
  consentSource: string;
  /** Where its columns go: `{ Phone: 'phoneNumber', City: 'attributes.city' }`. Left out, they are known by their names. */
  mapping?: Record<string, string>;
  /** For everybody in it. */
  labels?: string[];
  /** Of phone numbers that do not say theirs. */
  defaultCountry?: string;
  /** A UUID of your own choice, so that the call can be repeated. */
  importId?: string;
  fileName?: string;
}

function queryOf({ attributes, ...filter }: ContactFilter): Record<string, string> {
  const texts = Object.entries(filter).filter(([, value]) => value !== undefined);
  return {
    ...Object.fromEntries(texts.map(([name, value]) => [name, String(value)])),
    ...(attributes && { attributes: JSON.stringify(attributes) }),
  };
}

/** Whom the account knows. Takes an API key or a token. */
export class Contacts extends Resource {
  /** A page may be short, also empty, where few fit: only `nextCursor: null` is the end. `for await` sees to that. */
  list(filter: ContactFilter = {}, options: ListOptions = {}): List<Contact> {
    return this.listOf([], options, queryOf(filter));
  }

  get(contactId: string, options: CallOptions = {}): Promise<Contact> {
    return this.ask('GET', [contactId], options);
  }

  create(contact: CreateContactRequest, options: CallOptions = {}): Promise<Contact> {
    return this.ask('POST', [], options, contact);
  }

  update(contactId: string, changes: UpdateContactRequest, options: CallOptions = {}): Promise<Contact> {
    return this.ask('PATCH', [contactId], options, changes);
  }

  /** When they write again, they are a contact again. */
  delete(contactId: string, options: CallOptions = {}): Promise<void> {
    return this.ask('DELETE', [contactId], options);
  }

  /**
   * Erases somebody everywhere. Takes the token of an owner or admin. It takes a while: ask {@link erasure} what was erased.
   */
  erase(contactId: string, options: CallOptions = {}): Promise<ContactErasure> {
    return this.ask('DELETE', [contactId], { ...options, query: { erase: 'true' } });
  }

  erasure(erasureId: string, options: CallOptions = {}): Promise<ContactErasure> {
    return this.ask('GET', ['erasures', erasureId], options);
  }

  /** Makes the other one, of whom only an alias or only a phone number is known, a part of this one. */
  merge(contactId: string, otherId: string, options: CallOptions = {}): Promise<ContactMerge> {
    return this.ask('POST', ['merges'], options, { contactId, otherContactId: otherId });
  }

  /** Those of the last 30 days that were not undone, newest first; of one contact, or of all. */
  merges(contactId?: string, options: ListOptions = {}): List<ContactMergeList['data'][number]> {
    return this.listOf(['merges'], options, contactId === undefined ? {} : { contactId });
  }

  unmerge(mergeId: string, options: CallOptions = {}): Promise<ContactPair> {
    return this.ask('DELETE', ['merges', mergeId], options);
  }

  /** At most 1,000 at once; what is wrong with one refuses that one. With an `importId` it can be repeated. */
  import(contacts: ImportContactsRequest, options: CallOptions = {}): Promise<ContactImport> {
    return this.ask('POST', ['import'], options, contacts);
  }

  /**
   * A CSV file of up to 100 MiB. Where it is not in at once the answer is `running`: ask {@link getImport}. Give a large one
   * more time with `timeoutMs`.
   */
  importFile(
    csv: Bytes,
    { consentSource, mapping, labels, defaultCountry, importId, fileName, ...options }: ImportFileOptions,
  ): Promise<ContactImport> {
    const query = {
      ...{ consentSource, defaultCountry, importId, fileName },
      mapping: mapping && JSON.stringify(mapping),
      labels: labels?.join(','),
    };
    return this.ask('POST', ['import'], { ...options, query, raw: { bytes: csv, type: 'text/csv' } });
  }

  imports(options: ListOptions = {}): List<ContactImport> {
    return this.listOf(['imports'], options);
  }

  getImport(importId: string, options: CallOptions = {}): Promise<ContactImport> {
    return this.ask('GET', ['imports', importId], options);
  }

  /** The refused rows as CSV, as it comes: read the stream to its end, or abort `signal`. */
  refusedRows(
    importId: string,
    { signal }: Pick<CallOptions, 'signal'> = {},
  ): Promise<ReadableStream<Uint8Array>> {
    return this.open(['imports', importId, 'refused'], { signal });
  }

  /** All that the filter means as CSV, as it comes. */
  export(
    filter: ContactFilter = {},
    { signal }: Pick<CallOptions, 'signal'> = {},
  ): Promise<ReadableStream<Uint8Array>> {
    return this.open(['export'], { query: queryOf(filter), signal });
  }
}

/** Labels that contacts have. */
export class ContactLabels extends Resource {
  /** By name, at most 500. */
  list(options: CallOptions = {}): List<{ label: string }> {
    return this.listOf([], options);
  }
}

/** Of which type the values of attributes are. */
export class ContactAttributes extends Resource {
  list(options: CallOptions = {}): List<ContactAttribute> {
    return this.listOf([], options);
  }

  declare(
    name: string,
    { type }: DeclareContactAttributeRequest,
    options: CallOptions = {},
  ): Promise<ContactAttribute> {
    return this.ask('PUT', [name], options, { type });
  }

  /** The values of contacts stay. */
  delete(name: string, options: CallOptions = {}): Promise<void> {
    return this.ask('DELETE', [name], options);
  }
}

/** Filters of contacts that have a name. */
export class Segments extends Collection<Segment, CreateSegmentRequest, UpdateSegmentRequest> {}

/** Those who do not want to be written to. Reads take an API key or a token; removal a token. */
export class OptOuts extends Resource {
  list(options: ListOptions = {}): List<OptOutList['data'][number]> {
    return this.listOf([], options);
  }

  /**
   * Puts a recipient on the list, who asked for it in another way: by phone number, or by `contactId`. One that is on it stays
   * as it is. Takes a token.
   */
  add(recipient: string | { contactId: string }, options: CallOptions = {}): Promise<OptOut> {
    const body = typeof recipient === 'string' ? { phoneNumber: recipient } : recipient;
    return this.ask('POST', [], options, body);
  }

  /** Takes a recipient off the list, by phone number or contact's id, who may then be written to again. Have their consent. */
  remove(recipient: string, options: CallOptions = {}): Promise<void> {
    return this.ask('DELETE', [recipient], options);
  }
}
