import { readFileSync } from 'node:fs';

/** Of `/proc`, on every Linux that Node runs on. */
const tickMs = 10;

/** Processor time that a process has used, in milliseconds. */
export function processorMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}
