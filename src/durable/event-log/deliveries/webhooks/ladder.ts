/** The waits whose sum a receiver must have been failing for before its circuit opens. */
const circuitRungs = 3;

/** How long a receiver must have been failing before its circuit may open: a restart under load must not open it. */
export const circuitAfterMs = (ladderSeconds: readonly number[]): number =>
  ladderSeconds.slice(0, circuitRungs).reduce((sum, seconds) => sum + seconds, 0) * 1000;
