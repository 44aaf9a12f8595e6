import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { type Refusal, refuse } from '../../../../contract/errors.ts';
import type { AppEnv } from '../../../app-env.ts';
import { anybody, personOf } from '../../../auth/callers.ts';
import { takeAttempt } from '../../../auth/sign-in-attempts.ts';
import { hashSecretToken, newSecretToken } from '../../../auth/tokens/secret-token.ts';
import { configurationChanged } from '../../../configuration-changed.ts';
import { openDatabase } from '../../../db/database.ts';
import { renderRefusal } from '../../../http/answer/refusal-response.ts';
import { publicUrl } from '../../../http/public-url.ts';
import { jsonBody } from '../../../http/request/body/json-body.ts';
import { mailedTokenSchema } from '../../../http/request/shared-fields.ts';
import { alertAddressLetter } from '../../../mail/letters.ts';
import { sendMail, takeMail } from '../../../mail/mailer.ts';
import { auditSource } from '../../audit-log/audit-context.ts';
import { findMember } from '../../people/rows/sessions.ts';
import type { alertAddressSchema } from '../records.ts';
import {
  type AlertChannelRow,
  confirmAlertChannel,
  findByConfirmation,
  setConfirmation,
} from '../rows/alert-channels.ts';

const lifetimeMs = 7 * 24 * 3600 * 1000;

/** Before a letter to somebody who has not asked for it: whether this account, and they, have had enough. */
export async function mayAsk(c: Context<AppEnv>, to: string): Promise<{ ok: true } | Refusal> {
  const { accountId } = personOf(c);
  const budget = await takeMail(c, { kind: 'alert_address', to, accountId });
  if (!budget.ok) return budget;
  const told = 'Too many requests for this address: try again later.';
  const { retryAfterSeconds } = budget;
  return budget.hadEnough ? refuse('RATE_LIMITED', told, { retryAfterSeconds }) : { ok: true };
}

/** Asks whoever reads at the channel's address whether they want its alerts. */
export async function askAddress(c: Context<AppEnv>, row: AlertChannelRow): Promise<void> {
  const { accountId, userId, email } = personOf(c);
  const db = openDatabase(c.env.DB);
  const token = newSecretToken();
  await setConfirmation(db, row, hashSecretToken(token), Date.now() + lifetimeMs);
  const member = await findMember(db, userId, accountId);
  const asked = { accountName: member?.account.name ?? '', askedBy: member?.user.name ?? email };
  const letter = alertAddressLetter(String(row.shownTarget), publicUrl(c), token, asked);
  await sendMail(c.env, letter, c.get('requestId'));
}

export const confirmationRoutes = new Hono<AppEnv>();

const confirmSchema = z.strictObject({ token: mailedTokenSchema });
const notValid = refuse('UNAUTHENTICATED', 'This link is no longer valid.');

/** The token has come by mail: whoever has it reads at the address. */
confirmationRoutes.post('/confirm', anybody, jsonBody(confirmSchema), async (c) => {
  const attempt = await takeAttempt(c, null);
  if (!attempt.ok) return renderRefusal(c, attempt);
  const db = openDatabase(c.env.DB);
  const now = Date.now();
  const row = await findByConfirmation(db, hashSecretToken(c.req.valid('json').token), now);
  if (row === null) return renderRefusal(c, notValid);
  await attempt.succeeded();
  const { accountId } = row;
  const email = String(row.shownTarget);
  const caller = { kind: 'mailed_link' as const, accountId, email };
  await confirmAlertChannel(row, now, { caller, ...auditSource(c) });
  await configurationChanged(c.env, accountId);
  return c.json<z.infer<typeof alertAddressSchema>>({ email });
});
