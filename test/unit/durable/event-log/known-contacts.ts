import type { InboundMessage } from '../../../../src/contract/bridge/bridge-frames.ts';
import { AttributeDefinitions } from '../../../../src/durable/event-log/contacts/attribute-definitions.ts';
import { Audience, ContactSegments } from '../../../../src/durable/event-log/contacts/audience.ts';
import { type Contact, newContact } from '../../../../src/durable/event-log/contacts/contact.ts';
import { ContactMerges } from '../../../../src/durable/event-log/contacts/contact-merges.ts';
import { ContactRows } from '../../../../src/durable/event-log/contacts/contact-rows.ts';
import { ContactSearch } from '../../../../src/durable/event-log/contacts/contact-search.ts';
import { Contacts } from '../../../../src/durable/event-log/contacts/contacts.ts';
import {
  ImportedContacts,
  ImportRows,
} from '../../../../src/durable/event-log/contacts/imports/import-rows.ts';
import { KnownPeople } from '../../../../src/durable/event-log/contacts/known-people.ts';
import { ToldAliases } from '../../../../src/durable/event-log/contacts/told-aliases.ts';
import { eventLogMigrations } from '../../../../src/durable/event-log/migrations.ts';
import type { KnownAlias } from '../../../../src/durable/hand-over/number-news.ts';
import { sqliteStorage } from '../campaign/sqlite-storage.ts';

export const now = Date.UTC(2026, 10, 26, 12);
export const dayMs = 86_400_000;
/** A number of the account. */
export const ownPhone = '628100200300';

/** The people of an account, as its log's own storage has them. */
export function knownContacts() {
  const storage = sqliteStorage();
  const { sql } = storage;
  for (const step of eventLogMigrations) sql.exec(step.sql);
  const rows = new ContactRows(sql);
  const definitions = new AttributeDefinitions(sql);
  const told: (readonly KnownAlias[])[] = [];
  const aliases = new ToldAliases(sql, rows, async (known) => void told.push(known));
  /** Who turned out to be one person, and who to be two after all. */
  const joins: [phoneNumber: string, lid: string][] = [];
  const renumberings: [digits: string, phoneNumber: string][] = [];
  const partings: [one: Contact, other: Contact][] = [];
  const joined = (phoneNumber: string, lid: string) => {
    joins.push([phoneNumber, lid]);
    return [];
  };
  const renumbered = (digits: string, phoneNumber: string) => {
    if (rows.renumber(digits, phoneNumber)) renumberings.push([digits, phoneNumber]);
    return [];
  };
  const isOwn = (phone: string) => phone === ownPhone;
  const contacts = new Contacts(rows, definitions, aliases, joined, renumbered, isOwn);
  const [members, imports] = [new ImportedContacts(sql), new ImportRows(sql)];
  const parted = (one: Contact, other: Contact) => {
    partings.push([one, other]);
    return [];
  };
  const merges = new ContactMerges({ sql, rows, contacts, parted });
  const [search, segments] = [new ContactSearch(sql), new ContactSegments(sql)];
  const audience = new Audience({ rows, search, segments, members });
  let count = 0;
  /** Somebody whom the account knows; those that are put later have a higher id. */
  const put = (more: Partial<Contact> = {}): Contact => {
    count += 1;
    const contactId = `01934567-89ab-7def-8123-${String(count).padStart(12, '0')}`;
    const contact = { ...newContact(now), contactId, ...more };
    rows.put(contact, null);
    return rows.find(contactId) ?? contact;
  };
  const wrote = (more: Partial<InboundMessage> = {}, numberId = 'number') => {
    const message = {
      ...{ providerMessageId: 'ABC', at: new Date(now).toISOString(), chatType: 'personal' as const },
      ...{ from: '628123456789', pushName: '', content: { type: 'text' as const, text: 'hello' } },
      ...more,
    };
    return contacts.author(message, numberId);
  };
  const everybody = () => search.page({}, { limit: 1000, after: null, order: 'oldest first', now }).contacts;
  const people = new KnownPeople(rows);
  return {
    ...{
      storage,
      sql,
      rows,
      definitions,
      aliases,
      told,
      joins,
      renumberings,
      partings,
      contacts,
      members,
      imports,
    },
    ...{ merges, search, segments, audience, put, wrote, everybody, people },
  };
}
