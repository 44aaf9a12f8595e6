import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** The kernel counts CPU time in hundredths of a second. */
const tickMs = 10;

/** CPU time that a process has used so far, in milliseconds; null where the system does not say. */
export function cpuMsOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * tickMs;
  } catch {
    return null;
  }
}

const lookEveryMs = 250;
const idleShare = 0.1;

/** Waits until a process uses less than a tenth of a core, at most so long; milliseconds that it took. */
export async function untilIdle(pid: number, patienceMs: number): Promise<number> {
  const startedAt = performance.now();
  let before = cpuMsOf(pid);
  while (performance.now() - startedAt < patienceMs) {
    await delay(lookEveryMs);
    const now = cpuMsOf(pid);
    if (before === null || now === null || now - before < lookEveryMs * idleShare) break;
    before = now;
  }
  return performance.now() - startedAt;
}
