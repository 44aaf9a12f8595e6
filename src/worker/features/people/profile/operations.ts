import { Hono } from 'hono';
import { z } from 'zod';
import { invalidField, type Refusal, refuse } from '../../../../contract/errors.ts';
import { uuidSchema } from '../../../../contract/ids.ts';
import { isoTime } from '../../../../contract/times.ts';
import { sessionsEnded } from '../../../access-changed.ts';
import type { AppEnv } from '../../../app-env.ts';
import { personOf, signedIn } from '../../../auth/callers.ts';
import { confirmPassword } from '../../../auth/confirm-password.ts';
import { checkSecondFactor, isCodeOfApp } from '../../../auth/second-factor.ts';
import { takeAttempt } from '../../../auth/sign-in-attempts.ts';
import { stepUpMs } from '../../../auth/step-up.ts';
import { hashRecoveryCode, newRecoveryCodes, newTotpSecret, sealTotpSecret } from '../../../auth/totp.ts';
import { openDatabase } from '../../../db/database.ts';
import { renderRefusal } from '../../../http/answer/refusal-response.ts';
import { jsonBody } from '../../../http/request/body/json-body.ts';
import { listQuery, page, query } from '../../../http/request/query.ts';
import { notFound, passwordSchema, uuidPathId } from '../../../http/request/shared-fields.ts';
import { listAccounts } from '../../account/rows/accounts.ts';
import { auditOf, auditSource } from '../../audit-log/audit-context.ts';
import type {
  accountListSchema,
  confirmedSchema,
  recoveryCodesSchema,
  sessionListSchema,
  signedInSchema,
  twoFactorSchema,
  twoFactorSecretSchema,
} from '../records.ts';
import {
  confirmSession,
  endOthers,
  endSession,
  findMember,
  listSessions,
  moveSession,
  type SessionRow,
} from '../rows/sessions.ts';
import {
  confirmTwoFactor,
  findTwoFactor,
  insertPendingSecret,
  recoveryCodesLeft,
  removeTwoFactor,
  renewRecoveryCodes,
} from '../rows/two-factors.ts';
import { tokenAnswer } from '../sign-in/sign-in-answer.ts';

/** The accounts of whoever is signed in. */
export const accountRoutes = new Hono<AppEnv>();

accountRoutes.get('/accounts', signedIn, query(z.strictObject(listQuery)), async (c) => {
  const { limit, cursor } = c.req.valid('query');
  const { userId, accountId } = personOf(c);
  const rows = await listAccounts(openDatabase(c.env.DB), userId, limit, cursor);
  const show = (row: (typeof rows)[number]) => ({ ...row, current: row.id === accountId });
  return c.json<z.infer<typeof accountListSchema>>(page(c, rows, limit, (row) => row.id, show));
});

const switchSchema = z.strictObject({ accountId: uuidSchema });

/** A token for another of the person's accounts; the session stays, and its next refresh is for that account too. */
accountRoutes.post('/switch-account', signedIn, jsonBody(switchSchema), async (c) => {
  const { userId, sessionId } = personOf(c);
  if (sessionId === null) {
    return renderRefusal(
      c,
      refuse('CONFLICT', 'With a token from an identity provider, name the account in X-Account-Id.'),
    );
  }
  const db = openDatabase(c.env.DB);
  const member = await findMember(db, userId, c.req.valid('json').accountId);
  if (member === null) return renderRefusal(c, notFound('account'));
  await moveSession(db, sessionId, member.account.id);
  return c.json<z.infer<typeof signedInSchema>>(await tokenAnswer(c, member, sessionId));
});

/** Where a person is signed in. */
export const sessionRoutes = new Hono<AppEnv>();
sessionRoutes.use(signedIn);

sessionRoutes.get('/', query(z.strictObject(listQuery)), async (c) => {
  const { limit, cursor } = c.req.valid('query');
  const { userId, sessionId } = personOf(c);
  const rows = await listSessions(openDatabase(c.env.DB), userId, limit, cursor);
  const show = (row: SessionRow) => ({
    id: row.id,
    createdAt: isoTime(row.createdAt),
    lastUsedAt: isoTime(row.lastUsedAt),
    expiresAt: isoTime(row.expiresAt),
    address: row.address,
    userAgent: row.userAgent,
    current: row.id === sessionId,
  });
  return c.json<z.infer<typeof sessionListSchema>>(page(c, rows, limit, (row) => row.id, show));
});

/** Its tokens are refused from the next request on, and its cookie gets no more of them. */
sessionRoutes.delete('/:id', uuidPathId('id', 'session'), async (c) => {
  const { userId } = personOf(c);
  const ended = await endSession({ id: c.req.param('id'), userId }, auditSource(c));
  if (!ended) return renderRefusal(c, notFound('session'));
  await sessionsEnded(c.env, userId);
  return c.body(null, 204);
});

/** All but the one of this token; safe to repeat. */
sessionRoutes.delete('/', async (c) => {
  const { sessionId, userId } = personOf(c);
  await endOthers(sessionId, auditOf(c));
  await sessionsEnded(c.env, userId);
  return c.body(null, 204);
});

/** Somebody who is signed in shows once more that it is them, before a dangerous act. */
export const stepUpRoutes = new Hono<AppEnv>();

/** Exactly one of both. */
const stepUpSchema = z.strictObject({
  password: passwordSchema.optional(),
  code: z.string().max(40).optional(),
});

stepUpRoutes.post('/', signedIn, jsonBody(stepUpSchema), async (c) => {
  const { password, code } = c.req.valid('json');
  const { userId, email, sessionId } = personOf(c);
  if (sessionId === null) {
    return renderRefusal(c, refuse('CONFLICT', 'Not needed with a token from an identity provider.'));
  }
  if ((password === undefined) === (code === undefined)) {
    return renderRefusal(c, invalidField('password', 'Either the password or a code, not both.'));
  }
  const db = openDatabase(c.env.DB);
  if (password !== undefined) {
    const problem = await confirmPassword(c, password, 'password');
    if (problem !== null) return renderRefusal(c, problem);
  } else {
    const factor = await findTwoFactor(db, userId);
    if (factor === null || factor.confirmedAt === null) {
      return renderRefusal(c, refuse('CONFLICT', 'Two-factor authentication is off: use the password.'));
    }
    const checked = await checkSecondFactor(c, { id: userId, email }, code);
    if (!checked.ok) {
      const { code: problem, details } = checked;
      // Who asks is signed in, so a wrong code is no 401 here.
      const wrong = refuse('FORBIDDEN', 'The code is wrong.', { ...(details && { details }) });
      return renderRefusal(c, problem === 'UNAUTHENTICATED' ? wrong : checked);
    }
  }
  const now = Date.now();
  await confirmSession(db, sessionId, now);
  return c.json<z.infer<typeof confirmedSchema>>({
    confirmedUntil: new Date(now + stepUpMs(c)).toISOString(),
  });
});

/** The second factor of whoever is signed in: an authenticator app (TOTP), and recovery codes for when it is lost. */
export const twoFactorRoutes = new Hono<AppEnv>();
twoFactorRoutes.use(signedIn);

const passwordBody = z.strictObject({ password: passwordSchema });
const isOn = (factor: { confirmedAt: number | null } | null) =>
  factor !== null && factor.confirmedAt !== null;
const notOn = refuse('CONFLICT', 'Two-factor authentication is off.');
/** Who asks is signed in, so a wrong code is no 401 here. */
const wrongCode = ({ details }: Refusal) =>
  refuse('FORBIDDEN', 'The code is wrong.', { ...(details && { details }) });
/** Of the app, or a recovery code. */
const codeSchema = z.string().max(40);

twoFactorRoutes.get('/', async (c) => {
  const { userId } = personOf(c);
  const db = openDatabase(c.env.DB);
  const enabled = isOn(await findTwoFactor(db, userId));
  return c.json<z.infer<typeof twoFactorSchema>>({
    enabled,
    recoveryCodesLeft: enabled ? await recoveryCodesLeft(db, userId) : 0,
  });
});

/** A secret for the app. Nothing changes for signing in until a code of it has come to `/verify`. */
twoFactorRoutes.post('/enable', jsonBody(passwordBody), async (c) => {
  const problem = await confirmPassword(c, c.req.valid('json').password, 'password');
  if (problem !== null) return renderRefusal(c, problem);
  const { userId, email } = personOf(c);
  const db = openDatabase(c.env.DB);
  if (isOn(await findTwoFactor(db, userId))) {
    return renderRefusal(c, refuse('CONFLICT', 'Two-factor authentication is already on.'));
  }
  const { secret, otpauthUrl } = newTotpSecret(email);
  await insertPendingSecret(db, userId, await sealTotpSecret(c.env, userId, secret));
  return c.json<z.infer<typeof twoFactorSecretSchema>>({ secret, otpauthUrl });
});

/** The app shows the right codes: from now on signing in takes one. */
twoFactorRoutes.post('/verify', jsonBody(z.strictObject({ code: z.string().max(20) })), async (c) => {
  const { userId, email } = personOf(c);
  const db = openDatabase(c.env.DB);
  const factor = await findTwoFactor(db, userId);
  if (factor === null || isOn(factor)) {
    return renderRefusal(c, refuse('CONFLICT', 'Two-factor setup has not been started.'));
  }
  const attempt = await takeAttempt(c, { kind: 'new_code', email });
  if (!attempt.ok) return renderRefusal(c, attempt);
  const code = c.req.valid('json').code.replaceAll(/\s/g, '');
  if (!(await isCodeOfApp(c, userId, factor.sealedSecret, code))) {
    const details = [{ path: 'code', message: 'The code is not valid now: check the clock of your device.' }];
    return renderRefusal(c, refuse('FORBIDDEN', 'The code is wrong.', { details }));
  }
  await attempt.succeeded();
  const recoveryCodes = newRecoveryCodes();
  await confirmTwoFactor(userId, recoveryCodes.map(hashRecoveryCode), Date.now(), auditOf(c));
  return c.json<z.infer<typeof recoveryCodesSchema>>({ recoveryCodes });
});

/** New recovery codes in place of the old ones. */
twoFactorRoutes.post('/recovery-codes', jsonBody(passwordBody), async (c) => {
  const problem = await confirmPassword(c, c.req.valid('json').password, 'password');
  if (problem !== null) return renderRefusal(c, problem);
  const { userId } = personOf(c);
  const db = openDatabase(c.env.DB);
  if (!isOn(await findTwoFactor(db, userId))) return renderRefusal(c, notOn);
  const recoveryCodes = newRecoveryCodes();
  await renewRecoveryCodes(userId, recoveryCodes.map(hashRecoveryCode), auditOf(c));
  return c.json<z.infer<typeof recoveryCodesSchema>>({ recoveryCodes });
});

const disableBody = z.strictObject({ password: passwordSchema, code: codeSchema });

/** Takes the factor itself beside the password: who has found a page left open has neither, who knows a password has one. */
twoFactorRoutes.post('/disable', jsonBody(disableBody), async (c) => {
  const { password, code } = c.req.valid('json');
  const problem = await confirmPassword(c, password, 'password');
  if (problem !== null) return renderRefusal(c, problem);
  const { userId, email } = personOf(c);
  const db = openDatabase(c.env.DB);
  if (!isOn(await findTwoFactor(db, userId))) return renderRefusal(c, notOn);
  const factor = await checkSecondFactor(c, { id: userId, email }, code);
  if (!factor.ok) return renderRefusal(c, factor.code === 'UNAUTHENTICATED' ? wrongCode(factor) : factor);
  await removeTwoFactor(userId, auditOf(c));
  return c.body(null, 204);
});
