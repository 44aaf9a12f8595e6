import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Home } from '../../src/local/home/home.ts';

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/** Where a line keeps its state: on the disk, or in memory, where the system has a file system there. */
export type StateIn = 'disk' | 'memory';

/** A state folder of one line of the bench. */
export function makeBenchHome(stateIn: StateIn = 'disk'): Home {
  const parent = (stateIn === 'memory' && process.env.BENCH_MEMORY_FOLDER) || tmpdir();
  const path = mkdtempSync(join(parent, 'heliograph-bench-'));
  const folder = (name: string) => {
    const made = join(path, name);
    mkdirSync(made);
    return made;
  };
  return {
    path,
    gateway: folder('gateway'),
    bridge: folder('bridge'),
    simulator: folder('simulator'),
    logs: folder('logs'),
    scratch: folder('scratch'),
    setAsideAt: null,
    localJson: join(path, 'local.json'),
  };
}

export function removeBenchHome(home: Home): void {
  rmSync(home.path, { recursive: true, force: true });
}
