import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { LocalRun } from '../bridge-side/local-run.ts';
import { residentBytes } from '../bridge-side/resident-memory.ts';
import { liveBytes } from './inspector.ts';

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

/** What is left after a forced collection: what somebody still holds, and not what nobody had to collect. */
export interface LiveSample {
  /** Since the start of the soak, in milliseconds. */
  atMs: number;
  /** The bridge's heap and buffers. */
  bridgeLiveMib: number;
  /** Of the isolate of our Worker and its objects. */
  workerLiveMib: number;
  /** Of all other isolates in workerd: the local stand-ins for D1, R2 and the queues, with what waits in these. */
  standInsLiveMib: number;
  /** Resident memory just after the collection. */
  bridgeSettledMib: number;
  workerdSettledMib: number;
}

export interface InspectorPorts {
  bridge: number;
  workerd: number;
}

/** What a run is started with so that {@link liveSample} finds its inspectors. */
export function inspectable({ bridge, workerd }: InspectorPorts): Record<string, string> {
  return {
    BRIDGE_NODE_OPTIONS: `--inspect=127.0.0.1:${bridge}`,
    WORKERD_INSPECTOR_PORT: String(workerd),
  };
}

export const ourWorker = 'core:user:heliograph';

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

/** Null while a part is being started again. */
export async function liveSample(
  run: LocalRun,
  ports: InspectorPorts,
  startedAt: number,
): Promise<LiveSample | null> {
  try {
    const atMs = Date.now() - startedAt;
    const sum = (bytes: Iterable<number>) => [...bytes].reduce((total, one) => total + one, 0) / mib;
    const bridgeLiveMib = sum((await liveBytes(ports.bridge)).values());
    const bridgeSettledMib = residentBytes(run.pidOf('bridge')) / mib;
    const isolates = [...(await liveBytes(ports.workerd))];
    const workerdSettledMib = residentBytes(run.pidOf('workerd')) / mib;
    const of = (isOurs: boolean) =>
      sum(isolates.filter(([name]) => name.endsWith(ourWorker) === isOurs).map(([, bytes]) => bytes));
    return {
      atMs,
      bridgeLiveMib,
      workerLiveMib: of(true),
      standInsLiveMib: of(false),
      bridgeSettledMib,
      workerdSettledMib,
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
export function slopeOf<Measure extends string>(
  samples: readonly ({ atMs: number } & Record<Measure, number>)[],
  measure: Measure,
): { perHour: number; error: number } {
  const points = samples.map((one) => ({ x: one.atMs / 3_600_000, y: one[measure] }));
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const meanX = mean(points.map(({ x }) => x));
  const meanY = mean(points.map(({ y }) => y));
  const sxx = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  const perHour = points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / sxx;
  const residual = points.reduce((sum, { x, y }) => sum + (y - meanY - perHour * (x - meanX)) ** 2, 0);
  return { perHour, error: Math.sqrt(residual / (points.length - 2) / sxx) };
}
