import type { Context } from 'hono';
import type { ContactFilter } from '../../../../../contract/contacts/contact-filter.ts';
import type { AppEnv } from '../../../../app-env.ts';
import { csvOf } from '../../../../http/answer/csv.ts';
import { readContacts } from '../../read-contacts.ts';
import type { ShownContact } from '../../shown-contact.ts';
import { labelCell } from './label-cell.ts';

/** Contacts that are read at a time: so many are in memory. */
const pageRows = 500;

const columns = [
  'phoneNumber',
  'name',
  'labels',
  'timeZone',
  'pushName',
  'country',
  'lid',
  'consentSource',
  'consentAt',
  'optedOutAt',
  'firstSeenAt',
  'lastInboundAt',
] as const;

function cellsOf(contact: ShownContact, attributes: readonly string[]) {
  const { phoneNumber, name, labels, timeZone, pushName, country, lid, consent } = contact;
  return [
    ...[phoneNumber, name, labelCell(labels), timeZone, pushName, country, lid],
    ...[consent?.source ?? null, consent?.at ?? null],
    ...[contact.optedOutAt, contact.firstSeenAt, contact.lastInboundAt],
    ...attributes.map((attribute) => contact.attributes[attribute] ?? null),
  ];
}

/** The contacts as a file that the import takes: its columns are called as the fields are. */
export function exportedContacts(
  c: Context<AppEnv>,
  filter: ContactFilter,
  optedOut: boolean | undefined,
  attributes: readonly string[],
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let after: string | null = null;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      // The mark tells a spreadsheet that it is UTF-8.
      const head = csvOf([[...columns, ...attributes.map((name) => `attributes.${name}`)]]);
      controller.enqueue(encoder.encode(`\u{feff}${head}`));
    },
    async pull(controller) {
      // Until there is something: a page may be empty.
      for (;;) {
        const { contacts, next } = await readContacts(c, filter, optedOut, pageRows, after);
        after = next;
        const lines = csvOf(contacts.map((contact) => cellsOf(contact, attributes)));
        if (lines !== '') controller.enqueue(encoder.encode(lines));
        if (next === null) controller.close();
        if (lines !== '' || next === null) return;
      }
    },
  });
}
