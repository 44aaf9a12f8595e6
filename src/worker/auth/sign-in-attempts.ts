import type { Context } from 'hono';
import { type Refusal, refuse } from '../../contract/errors.ts';
import type { AppEnv } from '../app-env.ts';
import { showLimits } from '../http/rate-limit-headers.ts';
import { addressBlock, clientAddress } from '../http/request/client-address.ts';
import { hashSecretToken } from './tokens/secret-token.ts';

/** An attempt that may go on; `succeeded` when it was the right person, so that it does not count. */
export interface Attempt {
  ok: true;
  succeeded(): Promise<void>;
}

/**
 * Takes one attempt from the bucket of the request's network address, and from that of the e-mail address where there
 * is one, known or not. Only failures count: those who prove who they are get it back.
 */
export async function takeAttempt(c: Context<AppEnv>, email: string | null): Promise<Attempt | Refusal> {
  const address = clientAddress(c);
  const names = [
    ...(address === null ? [] : [`address:${addressBlock(address)}`]),
    // Hashed: names of objects are shown to operators.
    ...(email === null ? [] : [`email:${hashSecretToken(email)}`]),
  ];
  const guards = names.map((name) => c.env.SIGN_IN_GUARD.getByName(name));
  const taken = await Promise.all(guards.map((guard) => guard.take()));
  showLimits(
    c,
    taken.map(({ limit }) => limit),
  );
  const retryAfterSeconds = Math.max(0, ...taken.filter(({ ok }) => !ok).map((it) => it.retryAfterSeconds));
  const giveBack = async () => {
    await Promise.all(guards.map((guard, index) => (taken[index]?.ok ? guard.giveBack() : null)));
  };
  if (retryAfterSeconds === 0) return { ok: true, succeeded: giveBack };
  await giveBack();
  return refuse('RATE_LIMITED', 'Too many failed attempts: try again later.', { retryAfterSeconds });
}
