export interface BucketRate {
  perSecond: number;
  burst: number;
}

/** A full bucket holds `burst` tokens; it is filled again at `perSecond`. */
export interface Bucket {
  tokens: number;
  /** Milliseconds since 1970. */
  at: number;
}

export type Taken = { ok: true; bucket: Bucket } | { ok: false; bucket: Bucket; retryAfterSeconds: number };

/** Takes one token at `now`, or says after how many whole seconds there will be one. */
export function takeToken(bucket: Bucket | undefined, rate: BucketRate, now: number): Taken {
  const since = bucket ? Math.max(0, now - bucket.at) / 1000 : 0;
  const tokens = bucket ? Math.min(rate.burst, bucket.tokens + since * rate.perSecond) : rate.burst;
  if (tokens >= 1) return { ok: true, bucket: { tokens: tokens - 1, at: now } };
  return {
    ok: false,
    bucket: { tokens, at: now },
    retryAfterSeconds: Math.max(1, Math.ceil((1 - tokens) / rate.perSecond)),
  };
}
