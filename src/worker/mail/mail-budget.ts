import type { Context } from 'hono';
import { type Refusal, refuse } from '../../contract/errors.ts';
import type { BucketRate } from '../../durable/account/admission/rate-limits.ts';
import type { AppEnv } from '../app-env.ts';
import { hashSecretToken } from '../auth/tokens/secret-token.ts';
import { addressBlock } from '../http/request/address-block.ts';
import { clientAddress } from '../http/request/client-address.ts';
import type { Mail } from './mailer.ts';

const hourSeconds = 3600;
/** Mails of one kind that one person gets: five, then one every two hours. */
const perRecipient: BucketRate = { burst: 5, perSecond: 1 / (2 * hourSeconds) };
/** Mails that one network address causes, whoever gets them. */
const perNetworkAddress: BucketRate = { burst: 20, perSecond: 20 / hourSeconds };
/** Mails that the people of one account cause. */
const perAccount: BucketRate = { burst: 100, perSecond: 100 / hourSeconds };

/**
 * Takes one mail from the budget of whoever causes it, then from that of who gets it. A sender without one left is
 * refused; whether the recipient has had enough is for the route to tell or to keep quiet about.
 */
export async function takeMail(
  c: Context<AppEnv>,
  mail: { kind: Mail['kind']; to: string; accountId?: string },
): Promise<{ ok: true; hadEnough: boolean; retryAfterSeconds: number } | Refusal> {
  const take = (name: string, rate: BucketRate) => c.env.SIGN_IN_GUARD.getByName(name).take(rate);
  const address = clientAddress(c);
  const taken = await Promise.all([
    ...(address === null ? [] : [take(`mails-from:${addressBlock(address)}`, perNetworkAddress)]),
    ...(mail.accountId === undefined ? [] : [take(`mails-from:account:${mail.accountId}`, perAccount)]),
  ]);
  const senderWaits = Math.max(0, ...taken.map(({ retryAfterSeconds }) => retryAfterSeconds));
  if (senderWaits > 0) {
    return refuse('RATE_LIMITED', 'Too many e-mails were asked for from here: try again later.', {
      retryAfterSeconds: senderWaits,
    });
  }
  // Hashed: names of objects are shown to operators.
  const { ok, retryAfterSeconds } = await take(
    `mails-to:${mail.kind}:${hashSecretToken(mail.to)}`,
    perRecipient,
  );
  return { ok: true, hadEnough: !ok, retryAfterSeconds };
}
