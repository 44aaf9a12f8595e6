import type { Context } from 'hono';
import { LRUCache } from 'lru-cache';
import { type Refusal, refuse } from '../../../contract/errors.ts';
import type { AppEnv } from '../../app-env.ts';
import { addressBlock, clientAddress } from '../../http/request/client-address.ts';

/**
 * What was wrong with a credential: `forged` ones are none of ours, and cost nothing to refuse; `ended` ones were ours,
 * and only an object or the database can tell.
 */
export type FailureKind = 'forged' | 'ended';

/** So long an address waits once it has failed too often; then the counter is asked again. */
const waitMs = 10_000;
/** As the platform's counter has it in `wrangler.toml`. */
const failuresMax = 60;
const failuresWindowMs = 60_000;

// Of this isolate alone: what is forgotten is only asked once more.
const waits = new LRUCache<string, { until: number; refused: number }>({ max: 20_000 });
const good = new LRUCache<string, true>({ max: 20_000 });
const forged = new LRUCache<string, { failures: number; until: number }>({ max: 20_000 });

function bucketOf(c: Context<AppEnv>, kind: FailureKind): string | null {
  const address = clientAddress(c);
  return address === null ? null : `${kind}:${addressBlock(address)}`;
}

function tooMany(until: number): Refusal {
  return refuse('RATE_LIMITED', 'Too many wrong credentials came from your network address: try later.', {
    retryAfterSeconds: Math.ceil((until - Date.now()) / 1000),
  });
}

function waitOf(bucket: string | null) {
  const wait = bucket === null ? undefined : waits.get(bucket);
  return wait === undefined || wait.until <= Date.now() ? null : wait;
}

function waiting(c: Context<AppEnv>, bucket: string | null): Refusal | null {
  const wait = waitOf(bucket);
  if (wait === null) return null;
  wait.refused += 1;
  c.set('isUnlogged', true);
  return tooMany(wait.until);
}

/** 429 for what is forged, from an address that waits for that; null for everything else. */
export function forgedRefusal(c: Context<AppEnv>, isForged: () => boolean): Refusal | null {
  const bucket = waits.size === 0 ? null : bucketOf(c, 'forged');
  return waitOf(bucket) !== null && isForged() ? waiting(c, bucket) : null;
}

/**
 * 429 where too many credentials that had ended came from this address; null where this one may be looked at. One that
 * was good here a while ago always is: others behind the same address do not lock it out.
 */
export function checkRefusal(c: Context<AppEnv>, credentialHash: string): Refusal | null {
  return good.has(credentialHash) ? null : waiting(c, bucketOf(c, 'ended'));
}

/** A credential has failed: what it is answered, or 429 when that came too often from its address. */
export async function failedCheck(
  c: Context<AppEnv>,
  kind: FailureKind,
  credentialHash: string,
  refusal: Refusal,
): Promise<Refusal> {
  good.delete(credentialHash);
  const bucket = bucketOf(c, kind);
  if (bucket === null) return refusal;
  const refused = waiting(c, bucket);
  if (refused !== null) return refused;
  const { refused: refusedBefore = 0 } = waits.get(bucket) ?? {};
  if (refusedBefore > 0) c.get('log').refusedBefore = refusedBefore;
  waits.delete(bucket);
  if (await isWithinRate(c, kind, bucket)) return refusal;
  const until = Date.now() + waitMs;
  waits.set(bucket, { until, refused: 0 });
  return tooMany(until);
}

/** Asking the platform's counter costs more than to refuse what was forged, so those are counted in this isolate alone. */
async function isWithinRate(c: Context<AppEnv>, kind: FailureKind, bucket: string): Promise<boolean> {
  if (kind === 'ended') return (await c.env.FAILED_CHECKS.limit({ key: bucket })).success;
  const now = Date.now();
  const known = forged.get(bucket);
  const counted = known && known.until > now ? known : { failures: 0, until: now + failuresWindowMs };
  counted.failures += 1;
  forged.set(bucket, counted);
  return counted.failures <= failuresMax;
}

/** A credential was good. */
export function noteGood(credentialHash: string): void {
  good.set(credentialHash, true);
}
