/** The answer, or an error after so many milliseconds without one. The call itself goes on: its repeat must be safe. */
export async function withinDeadline<Answer>(answer: Promise<Answer>, deadlineMs: number): Promise<Answer> {
  const { promise: deadline, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${deadlineMs} ms`)), deadlineMs);
  try {
    return await Promise.race([answer, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
