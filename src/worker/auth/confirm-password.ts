import type { Context } from 'hono';
import { type Refusal, refuse } from '../../contract/errors.ts';
import type { AppEnv } from '../app-env.ts';
import { openDatabase } from '../db/database.ts';
import { findUser } from '../features/account/rows/accounts.ts';
import { personOf } from './callers.ts';
import { hashCost, passwordMatches } from './password.ts';
import { takeAttempt } from './sign-in-attempts.ts';

/** Whether whoever is signed in knows the password too; `field` is where it stands in the body. Null when they do. */
export async function confirmPassword(
  c: Context<AppEnv>,
  password: string,
  field: string,
): Promise<Refusal | null> {
  const { userId, email } = personOf(c);
  const attempt = await takeAttempt(c, { kind: 'confirm', email });
  if (!attempt.ok) return attempt;
  const user = await findUser(openDatabase(c.env.DB), userId);
  if (!(await passwordMatches(password, user?.passwordHash ?? null, hashCost(c.env)))) {
    return refuse('FORBIDDEN', 'The password is wrong.', {
      details: [{ path: field, message: 'The password is wrong.' }],
    });
  }
  await attempt.succeeded();
  return null;
}
