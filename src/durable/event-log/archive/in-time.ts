/** A call that takes longer counts as failed. It may still write what it was given: then it is written twice. */
export const callMsMax = 60_000;

/** What a call answers, unless it takes too long. */
export async function inTime<T>(call: Promise<T>): Promise<T> {
  const over = new AbortController();
  const late = scheduler.wait(callMsMax, { signal: over.signal }).then(() => {
    throw new Error(`no answer within ${callMsMax} ms`);
  });
  try {
    return await Promise.race([call, late]);
  } finally {
    over.abort();
  }
}
