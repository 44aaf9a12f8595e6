import { DurableObject } from 'cloudflare:workers';
import { type LimitState, limitState } from '../account/admission/rate-limits.ts';
import { type Bucket, type BucketRate, takeTokens } from '../account/admission/token-bucket.ts';

const bucketKey = 'bucket';

/** An attempt that may be made, or after how many seconds the next one may. */
type AttemptTaken = { ok: boolean; retryAfterSeconds: number; limit: LimitState };

/**
 * The sign-in attempts of one network address, or at one e-mail address (its name says which). Owns one token bucket;
 * an attempt takes a token, and one that proves to be the right person's gives it back, so only failures count. The
 * bucket is stored, so that an eviction is no second chance, and forgotten when it would be full again.
 */
export class SignInGuard extends DurableObject<Env> {
  async take(): Promise<AttemptTaken> {
    const now = Date.now();
    const taken = takeTokens(this.#bucket(), this.#rate(), now);
    await this.#store(taken.bucket);
    const limit = limitState(
      this.ctx.id.name?.startsWith('email:') ? 'email' : 'address',
      this.#rate(),
      taken.bucket,
    );
    return { ok: taken.ok, retryAfterSeconds: taken.ok ? 0 : taken.retryAfterSeconds, limit };
  }

  /** The attempt that {@link take} allowed was no failure. */
  async giveBack(): Promise<void> {
    const bucket = this.#bucket();
    if (bucket === undefined) return;
    await this.#store({ ...bucket, tokens: Math.min(this.#rate().burst, bucket.tokens + 1) });
  }

  #rate(): BucketRate {
    const { SIGN_IN_BURST = '20', SIGN_IN_PER_MINUTE = '10' } = this.env;
    return { burst: Number(SIGN_IN_BURST), perSecond: Number(SIGN_IN_PER_MINUTE) / 60 };
  }

  #bucket(): Bucket | undefined {
    return this.ctx.storage.kv.get<Bucket>(bucketKey);
  }

  async #store(bucket: Bucket): Promise<void> {
    this.ctx.storage.kv.put(bucketKey, bucket);
    const { burst, perSecond } = this.#rate();
    await this.ctx.storage.setAlarm(bucket.at + ((burst - bucket.tokens) / perSecond) * 1000 + 1000);
  }

  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }
}
