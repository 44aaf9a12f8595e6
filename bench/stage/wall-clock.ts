/** Milliseconds since 1970 with their fraction: the same clock in every process of a machine. */
export const wallClockMs = (): number => performance.timeOrigin + performance.now();
