const attemptsMax = 5;
const firstWaitMs = 50;

/** What D1 says when the database was away for a moment; everything else is no better the second time. */
const transientMessages = [
  'Network connection lost',
  'storage caused object to be reset',
  'reset because its code was updated',
  'starting up',
  'internal error',
  'overloaded',
  'timeout',
];

/** Whether the same statement may well succeed a moment later. */
export function isTransient(error: unknown): boolean {
  const text: string[] = [];
  for (let it = error; it instanceof Error; it = it.cause) text.push(it.message);
  return transientMessages.some((message) => text.join('\n').toLowerCase().includes(message.toLowerCase()));
}

/** Runs what is safe to repeat up to five times, with full-jitter waits that double (at most 50, 100, 200, 400 ms). */
export async function retryTransient<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt === attemptsMax || !isTransient(error)) throw error;
      await scheduler.wait(Math.random() * firstWaitMs * 2 ** (attempt - 1));
    }
  }
}
