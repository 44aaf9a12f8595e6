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
 * Takes tokens at `now`, or says after how many whole seconds they can be taken. More than a full bucket holds can be
 * taken when it is full, and are then owed: what comes next waits the longer.
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
