// `npm test`: every suite, or with arguments what vitest selects by them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureInstalled, runNode } from './set-up.js';

ensureInstalled();
// Processes that a test kills cannot clean up after themselves: what they leave goes with this folder.
const scratch = mkdtempSync(join(tmpdir(), 'heliograph-test-'));
try {
  process.exitCode = await runNode(
    [
      '--disable-warning=ExperimentalWarning',
      'node_modules/vitest/vitest.mjs',
      'run',
      ...process.argv.slice(2),
    ],
    { TMPDIR: scratch },
  );
} finally {
  rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
}
