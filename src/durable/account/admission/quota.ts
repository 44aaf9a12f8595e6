/** The calendar month (UTC) that a time falls into, as `YYYY-MM`. */
export function periodOf(at: number): string {
  return new Date(at).toISOString().slice(0, 7);
}

/** When the period ends and the count begins anew; ISO 8601, UTC, milliseconds. */
export function resetAt(period: string): string {
  const [year = 0, month = 0] = period.split('-').map(Number);
  return new Date(Date.UTC(year, month, 1)).toISOString();
}

/** While sends are being rejected, `quota.exceeded` is told at most this often. */
const exceededEveryMs = 60_000;

/** Whether a rejected send is to be told: the first of a period, then at most one a minute, also by a clock that was set back. */
export function tellsExceeded(lastToldAt: number | null, now: number): boolean {
  return lastToldAt === null || Math.abs(now - lastToldAt) >= exceededEveryMs;
}
