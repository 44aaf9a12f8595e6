/** Messages of one number that may be with its bridge at a time. The bridge sends one after the other; more waiting there than keep it busy would only have to be resolved after a crash. */
const inFlightMax = 32;

/** After that long without an answer a message no longer holds up others; it stays with the bridge that has it. */
export const ackTimeoutMs = 60_000;

/** How many more may be handed over now. */
export function roomInFlight(inFlight: ReadonlyMap<string, number>): number {
  return Math.max(0, inFlightMax - inFlight.size);
}
