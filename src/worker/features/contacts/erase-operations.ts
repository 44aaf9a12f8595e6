import { type Context, Hono } from 'hono';
import type { z } from 'zod';
import { erasureRemains } from '../../../contract/contacts/erasure.ts';
import { isoTime } from '../../../contract/times.ts';
import type { Erasure } from '../../../durable/event-log/contacts/erasing/erasure-rows.ts';
import type { AppEnv } from '../../app-env.ts';
import { administrator } from '../../auth/callers.ts';
import { openDatabase } from '../../db/database.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { notFound, uuidPathId } from '../../http/request/shared-fields.ts';
import { askAccount, askLog, askNumber } from '../../object-calls.ts';
import { auditOf } from '../audit-log/audit-context.ts';
import { writeAuditEntry } from '../audit-log/rows.ts';
import { listCampaigns } from '../campaigns/rows.ts';
import { listNumbers } from '../numbers/rows.ts';
import type { contactErasureSchema } from './records.ts';

/** People who want nothing to be known of them any more. */
export const contactErasureRoutes = new Hono<AppEnv>();

const campaignsAtOnce = 50;
const numbersAtOnce = 50;

const show = ({ erasureId, stage, counts, begunAt, finishedAt }: Erasure) => ({
  erasureId,
  status: stage === 'done' ? ('finished' as const) : ('running' as const),
  erased: counts,
  remains: [...erasureRemains],
  createdAt: isoTime(begunAt),
  finishedAt: isoTime(finishedAt),
});

/** Erases a contact everywhere: whoever else knows them first, so that a repeat finds what is left. */
export async function eraseContact(c: Context<AppEnv>, contactId: string): Promise<Response> {
  const { accountId } = c.get('caller');
  const addresses = await askLog(c.env, accountId, (log) => log.addressesOf({ contactId }));
  if (addresses.length === 0) return renderRefusal(c, notFound('contact'));
  let rows = 0;
  for (const address of addresses) {
    await askAccount(c.env, accountId, (account) => account.forgetRecipient(address));
    await forgetInNumbers(c, address);
    rows += await forgetInCampaigns(c, address);
  }
  const erasure = await askLog(c.env, accountId, (log) => log.eraseContact(contactId, rows));
  if (erasure === null) return renderRefusal(c, notFound('contact'));
  await writeAuditEntry(auditOf(c), 'contact.erased', `contact:${erasure.person?.contactId ?? contactId}`);
  return c.json<z.infer<typeof contactErasureSchema>>(show(erasure as Erasure), 202);
}

/** When each number of the account and they last wrote to each other. */
async function forgetInNumbers(c: Context<AppEnv>, phoneNumber: string): Promise<void> {
  const db = openDatabase(c.env.DB);
  const { accountId } = c.get('caller');
  for (let before: string | undefined; ; ) {
    const page = (await listNumbers(db, accountId, numbersAtOnce, before)).slice(0, numbersAtOnce);
    await Promise.all(
      page.map(({ id }) => askNumber(c.env, id, (number) => number.forgetRecipient(phoneNumber))),
    );
    before = page.at(-1)?.id;
    if (page.length < numbersAtOnce) return;
  }
}

/** Their rows in all campaigns of the account; how many there were. */
async function forgetInCampaigns(c: Context<AppEnv>, address: string): Promise<number> {
  const db = openDatabase(c.env.DB);
  const { accountId } = c.get('caller');
  let rows = 0;
  for (let before: string | undefined; ; ) {
    const page = (await listCampaigns(db, accountId, campaignsAtOnce, before)).slice(0, campaignsAtOnce);
    const forgotten = await Promise.all(
      page.map(({ id }) => c.env.CAMPAIGN.getByName(id).forgetRecipient(address)),
    );
    rows += forgotten.reduce((sum, count) => sum + count, 0);
    before = page.at(-1)?.id;
    if (page.length < campaignsAtOnce) return rows;
  }
}

contactErasureRoutes.get('/erasures/:id', administrator, uuidPathId('id', 'erasure'), async (c) => {
  const { accountId } = c.get('caller');
  const found = await askLog(c.env, accountId, (log) => log.contactErasure(c.req.param('id')));
  if (found === null) return renderRefusal(c, notFound('erasure'));
  return c.json<z.infer<typeof contactErasureSchema>>(show(found as Erasure));
});
