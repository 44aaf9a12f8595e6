import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { projectRoot } from './bench-home.ts';

const source = dirname(fileURLToPath(new URL('../neighbour/bare-worker.ts', import.meta.url)));

/** The bare Hono route, bundled as the Worker is: the text of a module. */
export async function buildNeighbour(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-bare-'));
  try {
    const wrangler = join(projectRoot, 'node_modules', 'wrangler', 'bin', 'wrangler.js');
    await promisify(execFile)(process.execPath, [wrangler, 'deploy', '--dry-run', '--outdir', folder], {
      cwd: source,
    });
    return readFileSync(join(folder, 'bare-worker.js'), 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
