const pollEveryMs = 5;
const patienceMs = 30_000;

/** Polls until the condition holds. Throws, naming what was awaited, when it does not in 90 seconds. */
export async function until(condition: () => boolean | Promise<boolean>, awaited: string): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`waited in vain for ${awaited}`);
    await new Promise((resolve) => setTimeout(resolve, pollEveryMs));
  }
}
