/** What a rate an hour lets through in one go: half a minute's worth, so that the numbers are not idle between two looks. */
const burstMs = 30_000;

/** How many may go now, where `nextAt` is when the next one is due; null: as many as one likes. */
export function allowedNow(nextAt: number, ratePerHour: number | null, now: number): number | null {
  if (ratePerHour === null) return null;
  const intervalMs = 3_600_000 / ratePerHour;
  const from = Math.max(nextAt, now - burstMs);
  return now < from ? 0 : Math.floor((now - from) / intervalMs) + 1;
}

/** When the next one is due after so many have gone. */
export function nextDue(nextAt: number, ratePerHour: number | null, now: number, gone: number): number {
  if (ratePerHour === null) return nextAt;
  return Math.max(nextAt, now - burstMs) + Math.round((gone * 3_600_000) / ratePerHour);
}
