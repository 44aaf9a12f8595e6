import type { Database } from '../db/database.ts';
import { findTwoFactor, useRecoveryCode, useStep } from '../db/people/two-factors.ts';
import { hashRecoveryCode, openTotpSecret, stepOfCode } from './totp.ts';

/** Whether a person's app shows this code now. Each code is good once. */
export async function isCodeOfApp(
  env: Env,
  db: Database,
  userId: string,
  sealedSecret: string,
  code: string,
): Promise<boolean> {
  if (!/^\d{6}$/.test(code)) return false;
  const step = stepOfCode(await openTotpSecret(env, userId, sealedSecret), code, Date.now());
  return step !== null && (await useStep(db, userId, step));
}

/** What a sign-in with the right password still needs: nothing, a code, or a right one. */
export async function secondFactor(
  env: Env,
  db: Database,
  userId: string,
  code: string | undefined,
): Promise<'passed' | 'missing' | 'wrong'> {
  const factor = await findTwoFactor(db, userId);
  if (factor === null || factor.confirmedAt === null) return 'passed';
  if (code === undefined) return 'missing';
  const digits = code.replaceAll(/\s/g, '');
  if (await isCodeOfApp(env, db, userId, factor.sealedSecret, digits)) return 'passed';
  return (await useRecoveryCode(db, userId, hashRecoveryCode(code))) ? 'passed' : 'wrong';
}
