import { type Refusal, refuse } from '../../../contract/errors.ts';
import { type Bucket, type BucketRate, takeTokens } from './token-bucket.ts';

/** How one limit stands after a request, for the `RateLimit` headers. */
export interface LimitState {
  name: 'key' | 'account' | 'address' | 'email';
  /** Requests that an untouched bucket takes at once. */
  quota: number;
  /** Seconds in which an empty bucket is full again. */
  windowSeconds: number;
  remaining: number;
  /** Seconds until there is another one, when none remains; else until the bucket is full again. */
  resetSeconds: number;
}

/** How a bucket stands. */
export function limitState(name: LimitState['name'], rate: BucketRate, bucket: Bucket): LimitState {
  const remaining = Math.max(0, Math.floor(bucket.tokens));
  const missing = remaining === 0 ? 1 - bucket.tokens : rate.burst - bucket.tokens;
  return {
    name,
    quota: rate.burst,
    windowSeconds: Math.max(1, Math.ceil(rate.burst / rate.perSecond)),
    remaining,
    resetSeconds: Math.max(0, Math.ceil(missing / rate.perSecond)),
  };
}

/** Where an account's own rate is not set, it is this many keys' worth. */
const accountFactorDefault = 4;

/** The buckets of an account and of each of its keys. In memory: losing them gives one more burst, nothing else. */
export class RateLimits {
  readonly #key: BucketRate;
  readonly #account: BucketRate;
  readonly #keyBuckets = new Map<string, Bucket>();
  #accountBucket: Bucket | undefined;

  constructor(env: Env) {
    this.#key = { perSecond: Number(env.KEY_RATE_PER_SECOND), burst: Number(env.KEY_RATE_BURST) };
    this.#account = {
      perSecond: Number(env.ACCOUNT_RATE_PER_SECOND ?? this.#key.perSecond * accountFactorDefault),
      burst: Number(env.ACCOUNT_RATE_BURST ?? this.#key.burst * accountFactorDefault),
    };
  }

  /**
   * Takes a token for each message from the key's bucket, and as many from the account's; a key that is over its own rate
   * takes none of the others'.
   */
  take(keyId: string, now: number, messages = 1): { refusal: Refusal | null; limits: LimitState[] } {
    const key = takeTokens(this.#keyBuckets.get(keyId), this.#key, now, messages);
    this.#keyBuckets.set(keyId, key.bucket);
    const keyState = limitState('key', this.#key, key.bucket);
    if (!key.ok) return { refusal: tooFast('API key', this.#key, key), limits: [keyState] };
    const account = takeTokens(this.#accountBucket, this.#account, now, messages);
    this.#accountBucket = account.bucket;
    const limits = [keyState, limitState('account', this.#account, account.bucket)];
    return { refusal: account.ok ? null : tooFast('account', this.#account, account), limits };
  }
}

function tooFast(who: string, rate: BucketRate, taken: { retryAfterSeconds: number }): Refusal {
  return refuse('RATE_LIMITED', `This ${who} may send ${rate.perSecond} requests a second.`, {
    retryAfterSeconds: taken.retryAfterSeconds,
  });
}
