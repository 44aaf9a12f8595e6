import { readFileSync } from 'node:fs';

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
