import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { projectRoot } from '../stage/bench-home.ts';
import type { Neighbour } from '../stage/edge.ts';

const source = dirname(fileURLToPath(new URL('./bare-worker.ts', import.meta.url)));

/** The bare Worker, bundled as the Worker is. */
export async function buildNeighbour(): Promise<Neighbour> {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-bare-'));
  try {
    const wrangler = join(projectRoot, 'node_modules', 'wrangler', 'bin', 'wrangler.js');
    await promisify(execFile)(process.execPath, [wrangler, 'deploy', '--dry-run', '--outdir', folder], {
      cwd: source,
    });
    return {
      contents: readFileSync(join(folder, 'bare-worker.js'), 'utf8'),
      objects: { ONE_ROW: { className: 'OneRow', useSQLite: true } },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
