import { type Refusal, refuse } from '../../../contract/errors.ts';
import type { WorkerSettings } from '../../../settings/worker-settings.ts';

/** How one limit stands after a request, for the `RateLimit` headers. */
export interface LimitState {
  name: 'key' | 'account' | 'person' | 'address' | 'email';
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

/**
 * The buckets of an account, of each of its keys, and of each of its people. In memory: when they are lost, one more burst is
 * possible.
 */
export class RateLimits {
  readonly #key: BucketRate;
  readonly #account: BucketRate;
  readonly #person: BucketRate;
  readonly #keyBuckets = new Map<string, Bucket>();
  #accountBucket: Bucket | undefined;
  readonly #personBuckets = new Map<string, Bucket>();

  constructor(settings: WorkerSettings) {
    this.#key = { perSecond: settings.KEY_RATE_PER_SECOND, burst: settings.KEY_RATE_BURST };
    this.#account = {
      perSecond: settings.ACCOUNT_RATE_PER_SECOND ?? this.#key.perSecond * accountFactorDefault,
      burst: settings.ACCOUNT_RATE_BURST ?? this.#key.burst * accountFactorDefault,
    };
    this.#person = { perSecond: settings.PERSON_RATE_PER_SECOND, burst: settings.PERSON_RATE_BURST };
  }

  /**
   * Takes a token for each message from the key's bucket, and as many from the account's; a key that is over its own rate
   * takes none of the others'.
   */
  consume(keyId: string, now: number, messages = 1): { refusal: Refusal | null; limits: LimitState[] } {
    const key = takeTokens(this.#keyBuckets.get(keyId), this.#key, now, messages);
    this.#keyBuckets.set(keyId, key.bucket);
    const keyState = limitState('key', this.#key, key.bucket);
    if (!key.ok) return { refusal: tooFast('API key', this.#key, key), limits: [keyState] };
    const account = takeTokens(this.#accountBucket, this.#account, now, messages);
    this.#accountBucket = account.bucket;
    const limits = [keyState, limitState('account', this.#account, account.bucket)];
    return { refusal: account.ok ? null : tooFast('account', this.#account, account), limits };
  }

  /** Takes a token for a request of somebody who is signed in. Their account's keys do not feel it. */
  takeForPerson(userId: string, now: number): { refusal: Refusal | null; limits: LimitState[] } {
    const taken = takeTokens(this.#personBuckets.get(userId), this.#person, now);
    this.#personBuckets.set(userId, taken.bucket);
    const limits = [limitState('person', this.#person, taken.bucket)];
    return { refusal: taken.ok ? null : tooFast('person', this.#person, taken), limits };
  }
}

function tooFast(who: string, rate: BucketRate, taken: { retryAfterSeconds: number }): Refusal {
  return refuse('RATE_LIMITED', `This ${who} may make ${rate.perSecond} requests a second.`, {
    retryAfterSeconds: taken.retryAfterSeconds,
  });
}

export interface BucketRate {
  perSecond: number;
  burst: number;
}

/** A full bucket holds `burst` tokens; it is filled again at `perSecond`. */
export interface Bucket {
  tokens: number;
  at: number;
}

export type Taken = { ok: true; bucket: Bucket } | { ok: false; bucket: Bucket; retryAfterSeconds: number };

/**
 * Takes tokens at `now`, or returns after how many whole seconds they can be taken. More tokens than a full bucket holds can
 * be taken when it is full. They are then owed, so later requests wait longer.
 */
export function takeTokens(bucket: Bucket | undefined, rate: BucketRate, now: number, wanted = 1): Taken {
  const since = bucket ? Math.max(0, now - bucket.at) / 1000 : 0;
  const tokens = bucket ? Math.min(rate.burst, bucket.tokens + since * rate.perSecond) : rate.burst;
  const needed = Math.min(wanted, rate.burst);
  if (tokens >= needed) return { ok: true, bucket: { tokens: tokens - wanted, at: now } };
  return {
    ok: false,
    bucket: { tokens, at: now },
    retryAfterSeconds: Math.max(1, Math.ceil((needed - tokens) / rate.perSecond)),
  };
}
