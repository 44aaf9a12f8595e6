/**
 * What an isolate takes past the queue in a second: calls, of which each makes a request to D1 or two, and events. Of what is
 * more the queue makes fewer and larger batches.
 */
const aSecondMax = { calls: 150, events: 300 };
const windowMs = 1000;

let window = { from: 0, calls: 0, events: 0 };

/** Whether a call with so many events may be taken past the queue now; one that may is counted. */
export function admitAtOnce(events: number, now: number): boolean {
  if (now - window.from >= windowMs) window = { from: now, calls: 0, events: 0 };
  const isFull = window.calls >= aSecondMax.calls || window.events + events > aSecondMax.events;
  if (window.calls > 0 && isFull) return false;
  window.calls += 1;
  window.events += events;
  return true;
}
