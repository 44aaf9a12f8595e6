import type { Context } from 'hono';
import { type Refusal, refuse } from '../../contract/errors.ts';
import type { AppEnv } from '../app-env.ts';
import { openDatabase } from '../db/database.ts';
import { findTwoFactor, useRecoveryCode, useStep } from '../features/people/rows/two-factors.ts';
import { afterAnswer } from '../http/after-answer.ts';
import { guessedCodeLetter } from '../mail/letters.ts';
import { sendMail } from '../mail/mailer.ts';
import { readDevice } from './cookies.ts';
import { hashRecoveryCode, openTotpSecret, stepOfCode } from './totp.ts';

/** Whether a person's app shows this code now. Each code is good once. */
export async function isCodeOfApp(
  c: Context<AppEnv>,
  userId: string,
  sealedSecret: string,
  code: string,
): Promise<boolean> {
  if (!/^\d{6}$/.test(code)) return false;
  const step = stepOfCode(await openTotpSecret(c.env, userId, sealedSecret), code, Date.now());
  return step !== null && (await useStep(openDatabase(c.env.DB), userId, step));
}

const codeProblem = (code: 'SECOND_FACTOR_REQUIRED' | 'SECOND_FACTOR_WRONG', message: string) =>
  refuse('UNAUTHENTICATED', 'A two-factor code is required.', {
    details: [{ path: 'code', code, message }],
  });

/**
 * Whether a person with the right password has the second factor too, if they use one. Wrong codes of the app are counted
 * separately, for each known device, and lock the app for longer and longer. A recovery code, which nobody can guess, is
 * accepted even then.
 */
export async function checkSecondFactor(
  c: Context<AppEnv>,
  user: { id: string; email: string },
  code: string | undefined,
): Promise<{ ok: true } | Refusal> {
  const db = openDatabase(c.env.DB);
  const factor = await findTwoFactor(db, user.id);
  if (factor === null || factor.confirmedAt === null) return { ok: true };
  if (code === undefined) {
    return codeProblem('SECOND_FACTOR_REQUIRED', 'The code of your app, or a recovery code.');
  }
  const wrong = codeProblem('SECOND_FACTOR_WRONG', 'The code is wrong, or was used already.');
  const digits = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(digits)) {
    return (await useRecoveryCode(db, user.id, hashRecoveryCode(code))) ? { ok: true } : wrong;
  }
  const device = await readDevice(c, user.email);
  const name = device === null ? `codes:${user.id}` : `codes:${user.id}:${device}`;
  const guard = c.env.SIGN_IN_GUARD.getByName(name);
  const { ok, retryAfterSeconds, isFirstLock } = await guard.takeCode();
  if (!ok) {
    return refuse('RATE_LIMITED', 'Too many wrong codes: use a recovery code, or try again later.', {
      retryAfterSeconds,
    });
  }
  if (await isCodeOfApp(c, user.id, factor.sealedSecret, digits)) {
    await guard.codeWasRight();
    return { ok: true };
  }
  if (isFirstLock) {
    const requestId = c.get('requestId');
    afterAnswer(c, 'second_factor.not_told', async () => {
      await sendMail(c.env, guessedCodeLetter(user.email), requestId);
    });
  }
  return wrong;
}
