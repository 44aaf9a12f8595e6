import type { Context } from 'hono';
import type { LimitState } from '../../../durable/account/admission/rate-limits.ts';
import type { AppEnv } from '../../app-env.ts';

/**
 * `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers): of each limit that the request went
 * through, how many requests remain (`r`) and for how many seconds that holds (`t`); and its quota (`q`) and window (`w`).
 */
export function showLimits(c: Context<AppEnv>, limits: readonly LimitState[] | undefined): void {
  if (limits === undefined || limits.length === 0) return;
  c.header('RateLimit', limits.map((it) => `"${it.name}";r=${it.remaining};t=${it.resetSeconds}`).join(', '));
  c.header(
    'RateLimit-Policy',
    limits.map((it) => `"${it.name}";q=${it.quota};w=${it.windowSeconds}`).join(', '),
  );
}
