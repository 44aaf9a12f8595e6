import { settingsOf } from '../../settings/worker-settings.ts';
import {
  type Bucket,
  type BucketRate,
  type LimitState,
  limitState,
  takeTokens,
} from '../account/admission/rate-limits.ts';
import { BackedUpObject } from '../backup/backed-up-object.ts';
import { objectName } from '../storage/object-name.ts';
import { type CodeTries, codeTriesKeptMs, takeCodeTry } from './code-lock.ts';

const bucketKey = 'bucket';
const codesKey = 'codes';

/** An attempt that may be made, or after how many seconds the next one may. */
type AttemptTaken = { ok: boolean; retryAfterSeconds: number; limit: LimitState };

/**
 * Attempts of one kind from one source, which its name contains (a network address, an e-mail address, a device). Owns one
 * token bucket, or the wrong codes of one second factor. An attempt takes a token, and a successful one returns it, so only
 * failures count. The state is stored, so that an eviction gives no additional attempts, and deleted when it would not change
 * anything any more.
 */
export class SignInGuard extends BackedUpObject {
  async take(rate: BucketRate = this.#failureRate()): Promise<AttemptTaken> {
    const taken = takeTokens(this.#bucket(), rate, Date.now());
    await this.#store(taken.bucket, rate);
    const limit = limitState(
      objectName(this.ctx).startsWith('email:') ? 'email' : 'address',
      rate,
      taken.bucket,
    );
    return { ok: taken.ok, retryAfterSeconds: taken.ok ? 0 : taken.retryAfterSeconds, limit };
  }

  /** The attempt that {@link take} allowed was no failure. */
  async giveBack(rate: BucketRate = this.#failureRate()): Promise<void> {
    const bucket = this.#bucket();
    if (bucket === undefined) return;
    await this.#store({ ...bucket, tokens: Math.min(rate.burst, bucket.tokens + 1) }, rate);
  }

  /** Before a code of a second factor is looked at; it counts as wrong until {@link codeWasRight}. */
  async takeCode(): Promise<{ ok: boolean; retryAfterSeconds: number; isFirstLock: boolean }> {
    const now = Date.now();
    const taken = takeCodeTry(this.ctx.storage.kv.get<CodeTries>(codesKey), now);
    if (!taken.ok) return { ...taken, isFirstLock: false };
    this.ctx.storage.kv.put(codesKey, taken.tries);
    await this.ctx.storage.setAlarm(now + codeTriesKeptMs);
    return { ok: true, retryAfterSeconds: 0, isFirstLock: taken.isFirstLock };
  }

  codeWasRight(): void {
    this.ctx.storage.kv.delete(codesKey);
  }

  #failureRate(): BucketRate {
    const { SIGN_IN_BURST, SIGN_IN_PER_MINUTE } = settingsOf(this.env);
    return { burst: SIGN_IN_BURST, perSecond: SIGN_IN_PER_MINUTE / 60 };
  }

  #bucket(): Bucket | undefined {
    return this.ctx.storage.kv.get<Bucket>(bucketKey);
  }

  async #store(bucket: Bucket, { burst, perSecond }: BucketRate): Promise<void> {
    this.ctx.storage.kv.put(bucketKey, bucket);
    await this.ctx.storage.setAlarm(bucket.at + ((burst - bucket.tokens) / perSecond) * 1000 + 1000);
  }

  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }
}
