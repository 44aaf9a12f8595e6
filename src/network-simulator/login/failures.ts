import type { User } from '../accounts/user.ts';
import { type Stanza, stanza } from '../wire/stanza.ts';

/** The last word to a device that is refused, or put out. */
export function failure(reason: string, expiresInSeconds?: number): Stanza {
  const expire = expiresInSeconds === undefined ? undefined : String(expiresInSeconds);
  return stanza('failure', { reason, location: 'frc', expire });
}

/** How the logins of a number are refused now; undefined while they are not. */
export function failureOf(user: User): Stanza | undefined {
  if (user.banned) return failure('403');
  const set = user.faults.failure;
  if (!set || (set.endsAt !== null && set.endsAt <= Date.now())) return undefined;
  const leftSeconds = set.endsAt === null ? undefined : Math.ceil((set.endsAt - Date.now()) / 1000);
  return failure(set.reason, leftSeconds);
}
