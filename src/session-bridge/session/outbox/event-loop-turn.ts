/** How long the numbers together may hold the process before what came in meanwhile is looked at. */
const heldMsMax = 4;

let heldSince = 0;

/**
 * Lets the event loop turn when this turn has taken its time. A busy outbox would otherwise go from message to message
 * without one, and neither acknowledgements nor other numbers' frames would be read.
 */
export async function yieldWhenDue(): Promise<void> {
  if (performance.now() - heldSince < heldMsMax) return;
  await new Promise<void>((resolve) => setImmediate(resolve));
  heldSince = performance.now();
}
