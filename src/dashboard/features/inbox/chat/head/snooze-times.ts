const morning = 9;

/** The times that are offered, in the viewer's zone: in hours, tomorrow, after the weekend, in a week. */
export function snoozeTimes(now: Date) {
  const inHours = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
  const inDays = (days: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, morning);
  const untilMonday = ((8 - now.getDay()) % 7) + (now.getDay() === 1 ? 7 : 0);
  return [
    { name: 'hour', until: inHours(1) },
    { name: 'hours', until: inHours(4) },
    { name: 'tomorrow', until: inDays(1) },
    { name: 'monday', until: inDays(untilMonday) },
    { name: 'week', until: inDays(7) },
  ] as const;
}
