// Stands in for `uuid`, whose ids never go back: here they follow the clock, or one test's journey into the future would reach
// the others.
import { v7 as original, type Version7Options } from 'uuid';

export * from 'uuid';

let last = { msecs: 0, seq: 0 };

export function v7(options?: Version7Options): string {
  const msecs = Date.now();
  if (options === undefined) last = { msecs, seq: msecs === last.msecs ? last.seq + 1 : 0 };
  return original(options ?? last);
}
