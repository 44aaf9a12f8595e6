/** What an isolate takes past the queue in a second; of what is more the queue makes fewer and larger batches. */
const eventsASecondMax = 300;
const windowMs = 1000;

let window = { from: 0, events: 0 };

/** Whether a call with so many events may be taken past the queue now; one that may is counted. */
export function admitAtOnce(events: number, now: number): boolean {
  if (now - window.from >= windowMs) window = { from: now, events: 0 };
  if (window.events > 0 && window.events + events > eventsASecondMax) return false;
  window.events += events;
  return true;
}
