// `npm test`: every suite, or with arguments what vitest selects by them. `--slowest` tells afterwards what took longest.
import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureInstalled, runNode } from './set-up.js';

/** A file system in memory, on Linux. */
const memory = '/dev/shm';
/** What all suites keep at a time, and more. */
const memoryBytesMin = 2 * 1024 ** 3;

ensureInstalled();
const own = process.argv.slice(2);
const slowest = own.includes('--slowest')
  ? ['--reporter=default', '--reporter=./scripts/checks/slowest-tests.js']
  : [];
// Processes that a test kills cannot clean up after themselves: what they leave goes with this folder.
const scratch = mkdtempSync(join(hasRoom(memory) ? memory : tmpdir(), 'heliograph-test-'));
try {
  process.exitCode = await runNode(
    [
      '--disable-warning=ExperimentalWarning',
      'node_modules/vitest/vitest.mjs',
      'run',
      ...slowest,
      ...own.filter((argument) => argument !== '--slowest'),
    ],
    { TMPDIR: scratch },
  );
} finally {
  rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
}

// The tests kill processes, not machines: what a process has written is there for the next one, in memory too.
function hasRoom(folder) {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= memoryBytesMin;
  } catch {
    return false;
  }
}
