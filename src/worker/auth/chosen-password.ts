import { invalidField, type Refusal } from '../../contract/errors.ts';
import { hashCost, hashPassword } from './password.ts';

/** Loaded when somebody chooses a password: every other isolate starts without the list. */
async function isCommon(password: string): Promise<boolean> {
  const { commonPasswords } = await import('./common-passwords.ts');
  return commonPasswords.has(password.normalize('NFKC').toLowerCase());
}

/** The hash of a password that somebody chooses; `field` is where it stands in the body. */
export async function choosePassword(
  env: Env,
  password: string,
  field: string,
): Promise<{ ok: true; passwordHash: string } | Refusal> {
  if (await isCommon(password)) {
    return invalidField(field, 'One of the passwords that are tried first: choose another one.');
  }
  return { ok: true, passwordHash: await hashPassword(password, hashCost(env)) };
}
