import { Hono } from 'hono';
import { z } from 'zod';
import { type Refusal, refuse } from '../../../../contract/errors.ts';
import type { AppEnv } from '../../../app-env.ts';
import { personOf, signedIn } from '../../../auth/callers.ts';
import { confirmPassword } from '../../../auth/confirm-password.ts';
import { checkSecondFactor, isCodeOfApp } from '../../../auth/second-factor.ts';
import { takeAttempt } from '../../../auth/sign-in-attempts.ts';
import { hashRecoveryCode, newRecoveryCodes, newTotpSecret, sealTotpSecret } from '../../../auth/totp.ts';
import { openDatabase } from '../../../db/database.ts';
import { renderRefusal } from '../../../http/answer/refusal-response.ts';
import { jsonBody } from '../../../http/request/body/json-body.ts';
import { passwordSchema } from '../../../http/request/shared-fields.ts';
import { auditOf } from '../../audit-log/audit-context.ts';
import type { recoveryCodesSchema, twoFactorSchema, twoFactorSecretSchema } from '../records.ts';
import {
  confirmTwoFactor,
  findTwoFactor,
  insertPendingSecret,
  recoveryCodesLeft,
  removeTwoFactor,
  renewRecoveryCodes,
} from '../rows/two-factors.ts';

/** The second factor of whoever is signed in: an authenticator app (TOTP), and recovery codes for when it is lost. */
export const twoFactorRoutes = new Hono<AppEnv>();
twoFactorRoutes.use(signedIn);

const passwordBody = z.strictObject({ password: passwordSchema });
const isOn = (factor: { confirmedAt: number | null } | null) =>
  factor !== null && factor.confirmedAt !== null;
const notOn = refuse('CONFLICT', 'Two-factor is off.');
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
    return renderRefusal(c, refuse('CONFLICT', 'Two-factor is already on.'));
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
    return renderRefusal(c, refuse('CONFLICT', 'Two-factor setup was not started.'));
  }
  const attempt = await takeAttempt(c, { kind: 'new_code', email });
  if (!attempt.ok) return renderRefusal(c, attempt);
  const code = c.req.valid('json').code.replaceAll(/\s/g, '');
  if (!(await isCodeOfApp(c, userId, factor.sealedSecret, code))) {
    const details = [
      { path: 'code', message: 'The code is not valid at this time: check the clock of your device.' },
    ];
    return renderRefusal(c, refuse('FORBIDDEN', 'The code is wrong.', { details }));
  }
  await attempt.succeeded();
  const recoveryCodes = newRecoveryCodes();
  await confirmTwoFactor(db, userId, recoveryCodes.map(hashRecoveryCode), Date.now(), auditOf(c));
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
  await renewRecoveryCodes(db, userId, recoveryCodes.map(hashRecoveryCode), auditOf(c));
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
  await removeTwoFactor(db, userId, auditOf(c));
  return c.body(null, 204);
});
