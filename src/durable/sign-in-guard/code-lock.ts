/** How guessing a second factor has gone so far. */
export interface CodeTries {
  failures: number;
  lockedUntil: number;
}

/** Wrong codes before the first lock-out. */
const freeFailures = 5;
const firstLockMs = 60_000;
const lockMsMax = 24 * 3600_000;
/** So long after the last failure all of them are forgotten. */
export const codeTriesKeptMs = 7 * 24 * 3600_000;

type CodeTry =
  | {
      ok: true;
      tries: CodeTries /** This try, if it is wrong, begins a series of lock-outs. */;
      isFirstLock: boolean;
    }
  | { ok: false; retryAfterSeconds: number };

/**
 * One more try. It counts as a failure until it proves to be right, so that simultaneous tries count too. From the fifth
 * failure on, each locks for twice as long as the one before.
 */
export function takeCodeTry(tries: CodeTries | undefined, now: number): CodeTry {
  const { failures, lockedUntil } = tries ?? { failures: 0, lockedUntil: 0 };
  if (now < lockedUntil) return { ok: false, retryAfterSeconds: Math.ceil((lockedUntil - now) / 1000) };
  const counted = failures + 1;
  const locksMs = Math.min(lockMsMax, firstLockMs * 2 ** (counted - freeFailures));
  return {
    ok: true,
    tries: { failures: counted, lockedUntil: counted < freeFailures ? 0 : now + locksMs },
    isFirstLock: counted === freeFailures,
  };
}
