import { Hono } from 'hono';
import { z } from 'zod';
import type { AppEnv } from '../../../app-env.ts';
import { keyOrAdministrator } from '../../../auth/callers.ts';
import { steppedUp } from '../../../auth/step-up.ts';
import { renderRefusal } from '../../../http/answer/refusal-response.ts';
import { query } from '../../../http/request/query.ts';
import { askLog } from '../../../object-calls.ts';
import { auditOf } from '../../audit-log/audit-context.ts';
import { contactListQuery } from '../list-filter.ts';
import { filterOf } from '../read-contacts.ts';
import { auditContacts } from '../rows.ts';
import { exportedContacts } from './files/export-csv.ts';

export const contactExportRoutes = new Hono<AppEnv>();

const caller = keyOrAdministrator('contacts');

/** All contacts that the filter means, as they are read. */
contactExportRoutes.get('/export', caller, steppedUp, query(z.strictObject(contactListQuery)), async (c) => {
  const asked = c.req.valid('query');
  const found = await filterOf(c, asked);
  if (!found.ok) return renderRefusal(c, found);
  const { accountId } = c.get('caller');
  const attributes = await askLog(c.env, accountId, (log) => log.contactAttributes());
  await auditContacts(c.env, auditOf(c), 'contacts.exported', `account:${accountId}`);
  const names = attributes.map(({ name }) => name);
  const day = new Date().toISOString().slice(0, 10);
  c.header('Content-Type', 'text/csv; charset=utf-8');
  c.header('Content-Disposition', `attachment; filename="contacts-${day}.csv"`);
  return c.body(exportedContacts(c, found.filter, asked.optedOut, names));
});
