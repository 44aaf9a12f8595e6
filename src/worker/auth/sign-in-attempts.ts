import type { Context } from 'hono';
import { type Refusal, refuse } from '../../contract/errors.ts';
import type { BucketRate } from '../../durable/account/admission/rate-limits.ts';
import { settingsOf } from '../../settings/worker-settings.ts';
import type { AppEnv } from '../app-env.ts';
import { showLimits } from '../http/answer/rate-limit-headers.ts';
import { addressBlock } from '../http/request/address-block.ts';
import { clientAddress } from '../http/request/client-address.ts';
import { readDevice } from './cookies.ts';
import { hashSecretToken } from './tokens/secret-token.ts';

/** An attempt that may go on; `succeeded` when it was the right person, so that it does not count. */
export interface Attempt {
  ok: true;
  succeeded(): Promise<void>;
}

/** What is tried at an e-mail address: each kind counts for itself. */
export type AttemptKind = 'sign_in' | 'confirm' | 'new_code';

/** Failures at one e-mail address from everywhere together, in times of what one network address may fail. */
const everywhereFactor = 5;

interface Guarded {
  name: string;
  rate: BucketRate | undefined;
}

/**
 * Takes one attempt from the bucket of the request's network address. If the request names an e-mail address, known or not, it
 * also takes one from the bucket of that address and this kind of act. Only failures count: a success gives the attempt back. The
 * bucket of an e-mail address is large, so that only an attack from many places can empty it. A device on which its owner has
 * signed in before has a bucket of its own, so that nobody can lock it out.
 */
export async function takeAttempt(
  c: Context<AppEnv>,
  at: { kind: AttemptKind; email: string } | null,
): Promise<Attempt | Refusal> {
  const guarded = await guardedBy(c, at);
  const guards = guarded.map(({ name }) => c.env.SIGN_IN_GUARD.getByName(name));
  const taken = await Promise.all(guards.map((guard, index) => guard.take(guarded[index]?.rate)));
  showLimits(
    c,
    taken.map(({ limit }) => limit),
  );
  const retryAfterSeconds = Math.max(0, ...taken.filter(({ ok }) => !ok).map((it) => it.retryAfterSeconds));
  const giveBack = async () => {
    await Promise.all(
      guards.map((guard, index) => (taken[index]?.ok ? guard.giveBack(guarded[index]?.rate) : null)),
    );
  };
  if (retryAfterSeconds === 0) return { ok: true, succeeded: giveBack };
  await giveBack();
  return refuse('RATE_LIMITED', 'Too many failed attempts: try again later.', { retryAfterSeconds });
}

async function guardedBy(
  c: Context<AppEnv>,
  at: { kind: AttemptKind; email: string } | null,
): Promise<Guarded[]> {
  const address = clientAddress(c);
  const byAddress = address === null ? [] : [{ name: `address:${addressBlock(address)}`, rate: undefined }];
  if (at === null) return byAddress;
  const device = await readDevice(c, at.email);
  if (device !== null) return [{ name: `device:${at.kind}:${device}`, rate: undefined }];
  const { SIGN_IN_BURST, SIGN_IN_PER_MINUTE } = settingsOf(c.env);
  const rate = { burst: SIGN_IN_BURST * everywhereFactor, perSecond: SIGN_IN_PER_MINUTE / 60 };
  // Hashed: names of objects are shown to operators.
  return [...byAddress, { name: `email:${at.kind}:${hashSecretToken(at.email)}`, rate }];
}
