import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { refuse } from '../../../../contract/errors.ts';
import { sessionsEnded } from '../../../access-changed.ts';
import type { AppEnv } from '../../../app-env.ts';
import { anybody, ownPages, ownPagesWithCookie, personOf, signedIn } from '../../../auth/callers.ts';
import { choosePassword } from '../../../auth/chosen-password.ts';
import { confirmPassword } from '../../../auth/confirm-password.ts';
import {
  clearRefreshCookie,
  readRefreshCookie,
  rememberDevice,
  setRefreshCookie,
} from '../../../auth/cookies.ts';
import { isOperator } from '../../../auth/operator.ts';
import { hashCost, hashPassword, needsRehash, passwordMatches } from '../../../auth/password.ts';
import { checkSecondFactor } from '../../../auth/second-factor.ts';
import { takeAttempt } from '../../../auth/sign-in-attempts.ts';
import { publicKeys } from '../../../auth/tokens/own-jwt.ts';
import { hashSecretToken, newSecretToken } from '../../../auth/tokens/secret-token.ts';
import { openDatabase } from '../../../db/database.ts';
import { afterAnswer } from '../../../http/after-answer.ts';
import { renderRefusal } from '../../../http/answer/refusal-response.ts';
import { publicUrl } from '../../../http/public-url.ts';
import { emptyBody, jsonBody } from '../../../http/request/body/json-body.ts';
import {
  emailSchema,
  mailedNameSchema,
  mailedTokenSchema,
  newPasswordSchema,
  passwordSchema,
} from '../../../http/request/shared-fields.ts';
import { resetLetter, resetLink } from '../../../mail/letters.ts';
import { sendMail, takeMail } from '../../../mail/mailer.ts';
import { findUser, findUserByEmail, listAccounts, renameUser } from '../../account/rows/accounts.ts';
import { auditOf, auditSource } from '../../audit-log/audit-context.ts';
import type { identitySchema, publicKeysSchema, sentIfKnownSchema, signedInSchema } from '../records.ts';
import { changePassword, insertMailedToken, replaceHash, takeResetToken } from '../rows/mailed-tokens.ts';
import {
  endReusedSession,
  endSession,
  findMember,
  findSession,
  moveSession,
  rotateSession,
  sessionJustRotated,
} from '../rows/sessions.ts';
import { identityOf, signIn, tokenAnswer } from './sign-in-answer.ts';

export const authRoutes = new Hono<AppEnv>();

const loginSchema = z.strictObject({
  email: z.string().max(254).trim().toLowerCase(),
  password: passwordSchema,
  code: z.string().max(40).optional(),
});

/** A wrong password and an unknown address get the same answer, after the same time. */
authRoutes.post('/login', anybody, jsonBody(loginSchema), async (c) => {
  const { email, password, code } = c.req.valid('json');
  const attempt = await takeAttempt(c, { kind: 'sign_in', email });
  if (!attempt.ok) return renderRefusal(c, attempt);
  const db = openDatabase(c.env.DB);
  const user = await findUserByEmail(db, email);
  const matches = await passwordMatches(password, user?.passwordHash ?? null, hashCost(c.env));
  const member = user !== null && matches ? await findMember(db, user.id) : null;
  if (user === null || member === null) {
    return renderRefusal(c, refuse('UNAUTHENTICATED', 'The e-mail address or the password is wrong.'));
  }
  const factor = await checkSecondFactor(c, member.user, code);
  if (factor.ok || code === undefined) await attempt.succeeded();
  if (!factor.ok) return renderRefusal(c, factor);
  await rememberDevice(c, email);
  const cost = hashCost(c.env);
  if (needsRehash(user.passwordHash, cost)) {
    afterAnswer(c, 'password.not_rehashed', async () =>
      replaceHash(db, user.id, user.passwordHash, await hashPassword(password, cost)),
    );
  }
  return c.json<z.infer<typeof signedInSchema>>(await signIn(c, member));
});

const signedOut = (c: Context<AppEnv>) => {
  clearRefreshCookie(c);
  return renderRefusal(c, refuse('UNAUTHENTICATED', 'The session has ended: sign in again.'));
};

/**
 * A new token and a new cookie. A cookie that was used before ends its session, since somebody has a copy of it. There is one
 * exception: the last cookie may be used twice within a moment, as two quick reloads of a page do, and then gets the same
 * response.
 */
authRoutes.post('/refresh', ownPagesWithCookie, emptyBody, async (c) => {
  const claims = await readRefreshCookie(c);
  if (claims === null) return signedOut(c);
  const { sessionId, generation } = claims;
  const db = openDatabase(c.env.DB);
  const now = Date.now();
  const session =
    (await rotateSession(db, sessionId, generation, now)) ??
    (await sessionJustRotated(db, sessionId, generation, now));
  if (session === null) {
    const reused = await endReusedSession(claims, auditSource(c), now);
    const whose = reused ? await findSession(db, sessionId) : null;
    if (reused) c.get('log').refreshReused = true;
    if (whose !== null) await sessionsEnded(c.env, whose.userId);
    return signedOut(c);
  }
  const { userId, accountId } = session;
  const member = (await findMember(db, userId, accountId)) ?? (await findMember(db, userId));
  if (member === null) return signedOut(c);
  // They are no longer a member of the account that they were last in: on in another one of theirs.
  if (member.account.id !== accountId) await moveSession(db, sessionId, member.account.id);
  await setRefreshCookie(c, { sessionId, generation: session.generation }, session.expiresAt);
  return c.json<z.infer<typeof signedInSchema>>(await tokenAnswer(c, member, sessionId));
});

/** Ends the session of the cookie; safe to repeat, and without a cookie there is nothing to end. */
authRoutes.post('/logout', ownPages, emptyBody, async (c) => {
  const claims = await readRefreshCookie(c);
  const db = openDatabase(c.env.DB);
  const session = claims && (await findSession(db, claims.sessionId));
  if (session && (await endSession(session, auditSource(c)))) await sessionsEnded(c.env, session.userId);
  clearRefreshCookie(c);
  return c.body(null, 204);
});

authRoutes.get('/me', signedIn, async (c) => {
  const { userId, accountId } = personOf(c);
  const member = await findMember(openDatabase(c.env.DB), userId, accountId);
  if (member === null) return renderRefusal(c, refuse('UNAUTHENTICATED', 'This user no longer exists.'));
  return c.json<z.infer<typeof identitySchema>>(identityOf(c, member));
});

authRoutes.patch('/me', signedIn, jsonBody(z.strictObject({ name: mailedNameSchema })), async (c) => {
  const { userId, accountId } = personOf(c);
  const db = openDatabase(c.env.DB);
  await renameUser(userId, c.req.valid('json').name, auditOf(c));
  const member = await findMember(db, userId, accountId);
  if (member === null) return renderRefusal(c, refuse('UNAUTHENTICATED', 'This user no longer exists.'));
  return c.json<z.infer<typeof identitySchema>>(identityOf(c, member));
});

authRoutes.get('/jwks', anybody, async (c) => {
  c.header('Cache-Control', 'public, max-age=3600');
  return c.json<z.infer<typeof publicKeysSchema>>(await publicKeys(c.env));
});

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
  await sessionsEnded(c.env, userId);
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
  const of = { purpose: 'password_reset', email, userId: user.id } as const;
  const expiresAt = Date.now() + resetLifetimeMs;
  await insertMailedToken(db, { ...of, tokenHash: hashSecretToken(token), expiresAt });
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
  await sessionsEnded(c.env, user.id);
  return c.body(null, 204);
});
