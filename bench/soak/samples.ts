import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { LocalRun } from '../bridge-side/local-run.ts';
import { residentBytes } from '../bridge-side/resident-memory.ts';

const mib = 2 ** 20;

export interface Sample {
  /** Since the start of the soak, in milliseconds. */
  atMs: number;
  bridgeMib: number;
  workerdMib: number;
  journalMib: number;
  /** All SQLite files of the objects. */
  objectsMib: number;
  databaseMib: number;
}

export type Measure = Exclude<keyof Sample, 'atMs'>;

/** Null while a part is being started again. */
export function sample(run: LocalRun, startedAt: number): Sample | null {
  try {
    return {
      atMs: Date.now() - startedAt,
      bridgeMib: residentBytes(run.pidOf('bridge')) / mib,
      workerdMib: residentBytes(run.pidOf('workerd')) / mib,
      journalMib: bytesBelow(join(run.home, 'bridge')) / mib,
      objectsMib: bytesBelow(join(run.home, 'gateway', 'do')) / mib,
      databaseMib: bytesBelow(join(run.home, 'gateway', 'd1')) / mib,
    };
  } catch {
    return null;
  }
}

function bytesBelow(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name)).size;
  }
  return bytes;
}

/** Least squares over the samples, in MiB an hour, with its standard error. */
export function slopeOf(samples: readonly Sample[], measure: Measure): { perHour: number; error: number } {
  const points = samples.map((one) => ({ x: one.atMs / 3_600_000, y: one[measure] }));
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const meanX = mean(points.map(({ x }) => x));
  const meanY = mean(points.map(({ y }) => y));
  const sxx = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  const perHour = points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / sxx;
  const residual = points.reduce((sum, { x, y }) => sum + (y - meanY - perHour * (x - meanX)) ** 2, 0);
  return { perHour, error: Math.sqrt(residual / (points.length - 2) / sxx) };
}
