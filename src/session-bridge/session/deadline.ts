/** Waits for `work`, but not beyond the deadline (Unix time in milliseconds). */
export async function before<Result>(
  deadlineMs: number,
  work: Promise<Result>,
  otherwise?: Result,
): Promise<Result> {
  const { promise, resolve } = Promise.withResolvers<Result>();
  const timer = setTimeout(() => resolve(otherwise as Result), Math.max(0, deadlineMs - Date.now()));
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
