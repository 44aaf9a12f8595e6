import { minuteMs } from '../../../contract/times.ts';

/** A time as a field for a day and a time takes it, by the clocks of who looks: `2026-12-31T09:30`. */
export const localTime = (at: Date): string =>
  new Date(at.getTime() - at.getTimezoneOffset() * minuteMs).toISOString().slice(0, 16);
