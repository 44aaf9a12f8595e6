import { type Context, Hono } from 'hono';
import { z } from 'zod';
import type { ContactFilter } from '../../../../contract/contacts/contact-filter.ts';
import { exportedOnly } from '../../../../contract/contacts/headings.ts';
import { ownValue } from '../../../../contract/given.ts';
import type { AppEnv } from '../../../app-env.ts';
import { keyOrAdministrator } from '../../../auth/callers.ts';
import { steppedUp } from '../../../auth/step-up.ts';
import { csvOf } from '../../../http/answer/csv.ts';
import { renderRefusal } from '../../../http/answer/refusal-response.ts';
import { query } from '../../../http/request/query.ts';
import { askLog } from '../../../object-calls.ts';
import { auditOf } from '../../audit-log/audit-context.ts';
import { writeAuditEntry } from '../../audit-log/rows.ts';
import { contactListQuery } from '../list-filter.ts';
import { filterOf, readContacts } from '../read-contacts.ts';
import type { ShownContact } from '../shown-contact.ts';
import { labelCell } from './files/csv-shape.ts';

export const contactExportRoutes = new Hono<AppEnv>();

const caller = keyOrAdministrator('contacts');

/** All contacts that the filter means, as they are read. */
contactExportRoutes.get('/export', caller, steppedUp, query(z.strictObject(contactListQuery)), async (c) => {
  const asked = c.req.valid('query');
  const found = await filterOf(c, asked);
  if (!found.ok) return renderRefusal(c, found);
  const { accountId } = c.get('caller');
  const names = await attributeNames(c.env, accountId);
  await writeAuditEntry(auditOf(c), 'contacts.exported', `account:${accountId}`);
  const day = new Date().toISOString().slice(0, 10);
  c.header('Content-Type', 'text/csv; charset=utf-8');
  c.header('Content-Disposition', `attachment; filename="contacts-${day}.csv"`);
  return c.body(exportedContacts(c, found.filter, asked.optedOut, names));
});

/** In their order, also those that have no type any more while a contact has a value of them. */
async function attributeNames(env: Env, accountId: string): Promise<string[]> {
  const known = await askLog(env, accountId, (log) => log.contactAttributes());
  const names = new Set(known.map(({ name }) => name));
  for (let after: number | null = 0; after !== null; ) {
    const from: number = after;
    const used = await askLog(env, accountId, (log) => log.usedContactAttributes(from));
    for (const name of used.names) names.add(name);
    after = used.next;
  }
  return [...names].sort();
}

/** Contacts that are read at a time: so many are in memory. */
const pageRows = 500;

const columns = ['phoneNumber', 'name', 'labels', 'timeZone', ...exportedOnly];

function cellsOf(contact: ShownContact, attributes: readonly string[]) {
  const { phoneNumber, name, labels, timeZone, pushName, country, lid, consent } = contact;
  return [
    ...[phoneNumber, name, labelCell(labels), timeZone, pushName, country, lid],
    ...[consent?.source ?? null, consent?.at ?? null],
    ...[contact.optedOutAt, contact.firstSeenAt, contact.lastInboundAt],
    ...attributes.map((attribute) => ownValue(contact.attributes, attribute) ?? null),
  ];
}

/** The contacts as a file that the import takes: its columns are called as the fields are. */
function exportedContacts(
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
