import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** For both sides alike, so that what is measured is what they hold and not what the collector has left for later. */
export const collectableFlags = [
  '--expose-gc',
  '--import',
  new URL('./collect-garbage.ts', import.meta.url).href,
];

/** What a login leaves behind (answers to its queries, timers of a second) is over by then. */
const settleMs = 2_000;
const samples = 4;
const sampleEveryMs = 400;

/** Resident memory of a process, in bytes. */
export const residentBytes = (pid: number): number => statusBytes(pid, 'VmRSS');

/** From here on the highest resident memory of a process is counted anew. */
export function startPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** The highest since then, in bytes. */
export const peakBytes = (pid: number): number => statusBytes(pid, 'VmHWM');

function statusBytes(pid: number, field: string): number {
  const match = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(match?.[1]) * 1024;
}

/** What of it no file stands behind, and what is pages of files that are mapped, in bytes. */
export function residentKinds(pid: number): { anonymous: number; mapped: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) * 1024;
  return { anonymous: of('RssAnon'), mapped: of('RssFile') + of('RssShmem') };
}

/** The least of several samples after forced collections, in bytes. The process runs under {@link collectableFlags}. */
export async function settledBytes(pid: number): Promise<number> {
  await delay(settleMs);
  let least = Number.POSITIVE_INFINITY;
  for (let sample = 0; sample < samples; sample += 1) {
    process.kill(pid, 'SIGUSR2');
    await delay(sampleEveryMs);
    least = Math.min(least, residentBytes(pid));
  }
  return least;
}
