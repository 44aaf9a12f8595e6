/** Longest wait a queue can keep. */
const delaySecondsMax = 86_400;
/** The waits whose sum a receiver must have been failing for before its circuit opens. */
const circuitRungs = 3;

/**
 * `WEBHOOK_RETRY_SECONDS`: the waits before attempts 2, 3 and so on, whole seconds separated by commas. Throws on
 * anything else: that is a wrong deployment.
 */
export function parseLadder(variable: string): number[] {
  const rungs = variable.split(',').map((rung) => rung.trim());
  if (!rungs.every((rung) => /^\d+$/.test(rung) && Number(rung) <= delaySecondsMax)) {
    throw new Error(
      `WEBHOOK_RETRY_SECONDS must hold whole seconds up to ${delaySecondsMax}, separated by commas`,
    );
  }
  return rungs.map(Number);
}

/** How long a receiver must have been failing before its circuit may open: a restart under load must not open it. */
export const circuitAfterMs = (ladderSeconds: readonly number[]): number =>
  ladderSeconds.slice(0, circuitRungs).reduce((sum, seconds) => sum + seconds, 0) * 1000;
