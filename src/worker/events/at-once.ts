/** Events that an isolate takes past the queue in a second: it makes fewer and larger batches of what is more. */
const eventsASecondMax = 400;
const windowMs = 1000;

let began = 0;
let taken = 0;

/** Whether so many events may be taken past the queue now; those that may are counted. */
export function admitAtOnce(events: number, now: number): boolean {
  if (now - began >= windowMs) {
    began = now;
    taken = 0;
  }
  if (taken > 0 && taken + events > eventsASecondMax) return false;
  taken += events;
  return true;
}
