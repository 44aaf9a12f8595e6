import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Home } from '../../src/local/home/home.ts';

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/** A state folder of one line of the bench, in the system's temporary folder. */
export function makeBenchHome(): Home {
  const path = mkdtempSync(join(tmpdir(), 'heliograph-bench-'));
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
    localJson: join(path, 'local.json'),
  };
}

export function removeBenchHome(home: Home): void {
  rmSync(home.path, { recursive: true, force: true });
}
