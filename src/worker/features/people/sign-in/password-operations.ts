import { Hono } from 'hono';
import { z } from 'zod';
import { refuse } from '../../../../contract/errors.ts';
import type { AppEnv } from '../../../app-env.ts';
import { anybody, personOf, signedIn } from '../../../auth/callers.ts';
import { choosePassword } from '../../../auth/chosen-password.ts';
import { confirmPassword } from '../../../auth/confirm-password.ts';
import { isOperator } from '../../../auth/operator.ts';
import { takeAttempt } from '../../../auth/sign-in-attempts.ts';
import { hashSecretToken, newSecretToken } from '../../../auth/tokens/secret-token.ts';
import { openDatabase } from '../../../db/database.ts';
import { afterAnswer } from '../../../http/after-answer.ts';
import { renderRefusal } from '../../../http/answer/refusal-response.ts';
import { publicUrl } from '../../../http/public-url.ts';
import { jsonBody } from '../../../http/request/body/json-body.ts';
import {
  emailSchema,
  mailedTokenSchema,
  newPasswordSchema,
  passwordSchema,
} from '../../../http/request/shared-fields.ts';
import { resetLetter, resetLink } from '../../../mail/letters.ts';
import { takeMail } from '../../../mail/mail-budget.ts';
import { sendMail } from '../../../mail/mailer.ts';
import { findUser, findUserByEmail, listAccounts } from '../../account/rows/accounts.ts';
import { auditOf, auditSource } from '../../audit-log/audit-context.ts';
import type { sentIfKnownSchema } from '../records.ts';
import { changePassword, insertResetToken, takeResetToken } from '../rows/mailed-tokens.ts';

export const passwordRoutes = new Hono<AppEnv>();

const resetLifetimeMs = 3600 * 1000;
/** Accounts whose audit logs tell of a reset. */
const auditedMax = 50;

const changeSchema = z.strictObject({ currentPassword: passwordSchema, newPassword: newPasswordSchema });

/** All other sessions of the person end: whoever had the old password is out. */
passwordRoutes.post('/change', signedIn, jsonBody(changeSchema), async (c) => {
  const { currentPassword, newPassword } = c.req.valid('json');
  const problem = await confirmPassword(c, currentPassword, 'currentPassword');
  if (problem !== null) return renderRefusal(c, problem);
  const { userId, email, sessionId } = personOf(c);
  const chosen = await choosePassword(c.env, newPassword, 'newPassword');
  if (!chosen.ok) return renderRefusal(c, chosen);
  const change = { userId, email, passwordHash: chosen.passwordHash, keptSessionId: sessionId };
  await changePassword(openDatabase(c.env.DB), change, [auditOf(c)]);
  return c.body(null, 204);
});

/**
 * The same answer for every address, and it does not wait for what only a known one causes. The operator gets the
 * link itself.
 */
passwordRoutes.post('/forgot', anybody, jsonBody(z.strictObject({ email: emailSchema })), async (c) => {
  const { email } = c.req.valid('json');
  const baseUrl = publicUrl(c);
  if (await isOperator(c)) {
    const token = await newResetToken(c.env, email);
    return c.json<z.infer<typeof sentIfKnownSchema>>(
      { status: 'sent_if_known', ...(token && { link: resetLink(baseUrl, token) }) },
      202,
    );
  }
  const budget = await takeMail(c, { kind: 'password_reset', to: email });
  if (!budget.ok) return renderRefusal(c, budget);
  const requestId = c.get('requestId');
  // Who has had enough keeps the link that was mailed last: it stays good.
  if (!budget.hadEnough) {
    afterAnswer(c, 'password.reset_failed', async () => {
      const token = await newResetToken(c.env, email);
      if (token !== null) await sendMail(c.env, resetLetter(email, baseUrl, token), requestId);
    });
  }
  return c.json<z.infer<typeof sentIfKnownSchema>>({ status: 'sent_if_known' }, 202);
});

/** A new token for whoever has this address, in place of an earlier one; null when nobody has. */
async function newResetToken(env: Env, email: string): Promise<string | null> {
  const db = openDatabase(env.DB);
  const user = await findUserByEmail(db, email);
  if (user === null) return null;
  const token = newSecretToken();
  const expiresAt = Date.now() + resetLifetimeMs;
  await insertResetToken(db, { tokenHash: hashSecretToken(token), email, userId: user.id, expiresAt });
  return token;
}

const resetSchema = z.strictObject({ token: mailedTokenSchema, newPassword: newPasswordSchema });

/** All sessions of the person end. A second factor stays: the mailbox alone opens no account that has one. */
passwordRoutes.post('/reset', anybody, jsonBody(resetSchema), async (c) => {
  const attempt = await takeAttempt(c, null);
  if (!attempt.ok) return renderRefusal(c, attempt);
  const { token, newPassword } = c.req.valid('json');
  // Before the link is used up: who is refused chooses another one.
  const chosen = await choosePassword(c.env, newPassword, 'newPassword');
  if (!chosen.ok) return renderRefusal(c, chosen);
  const { passwordHash } = chosen;
  const db = openDatabase(c.env.DB);
  const userId = await takeResetToken(db, hashSecretToken(token), Date.now());
  const user = userId === null ? null : await findUser(db, userId);
  if (user === null) return renderRefusal(c, refuse('UNAUTHENTICATED', 'This link is no longer valid.'));
  await attempt.succeeded();
  const accounts = await listAccounts(db, user.id, auditedMax, undefined);
  const audits = accounts.map(({ id: accountId }) => ({
    caller: { kind: 'user' as const, accountId, userId: user.id, email: user.email },
    ...auditSource(c),
  }));
  await changePassword(db, { userId: user.id, email: user.email, passwordHash, keptSessionId: null }, audits);
  return c.body(null, 204);
});
