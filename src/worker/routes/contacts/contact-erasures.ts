import { type Context, Hono } from 'hono';
import type { Contact } from '../../../durable/event-log/contacts/contact.ts';
import type { Erasure } from '../../../durable/event-log/contacts/erasing/erasure-rows.ts';
import type { AppEnv } from '../../app-env.ts';
import { administrator } from '../../auth/callers.ts';
import { auditContacts } from '../../db/contacts.ts';
import { renderRefusal } from '../../http/refusal-response.ts';
import { notFound, uuidPathId } from '../../http/request/path-id.ts';
import { askAccount, askLog } from '../../object-calls.ts';
import { auditOf } from '../audit-context.ts';

/** People who want nothing to be known of them any more. */
export const contactErasureRoutes = new Hono<AppEnv>();

/** What is not erased, or not at once; see docs/contacts.md. */
const remains = [
  'opt_out',
  'sent_files',
  'import_files',
  'mentions_by_others',
  'queued_messages',
  'webhook_answers',
  'request_log',
  'audit_log',
  'session_keys',
] as const;

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());

const show = ({ erasureId, stage, counts, begunAt, finishedAt }: Erasure) => ({
  erasureId,
  status: stage === 'done' ? 'finished' : 'running',
  erased: counts,
  remains,
  createdAt: iso(begunAt),
  finishedAt: iso(finishedAt),
});

/** Erases a contact everywhere: whoever else knows them first, so that a repeat finds what is left. */
export async function eraseContact(c: Context<AppEnv>, contactId: string): Promise<Response> {
  const { accountId } = c.get('caller');
  const contact = (await askLog(c.env, accountId, (log) => log.contact(contactId))) as Contact | null;
  if (contact === null) return renderRefusal(c, notFound('contact'));
  const { phoneNumber } = contact;
  if (phoneNumber !== null) {
    await askAccount(c.env, accountId, (account) => account.forgetRecipient(phoneNumber));
  }
  const erasure = await askLog(c.env, accountId, (log) => log.eraseContact(contactId, 0));
  if (erasure === null) return renderRefusal(c, notFound('contact'));
  await auditContacts(c.env, auditOf(c), 'contact.erased', `contact:${contactId}`);
  return c.json(show(erasure as Erasure), 202);
}

contactErasureRoutes.get('/erasures/:id', administrator, uuidPathId('id', 'erasure'), async (c) => {
  const { accountId } = c.get('caller');
  const found = await askLog(c.env, accountId, (log) => log.contactErasure(c.req.param('id')));
  return found === null ? renderRefusal(c, notFound('erasure')) : c.json(show(found as Erasure));
});
