// `npm test`: every suite, or with arguments what vitest selects by them.
import { ensureInstalled, runNode } from './set-up.js';

ensureInstalled();
process.exitCode = await runNode([
  '--disable-warning=ExperimentalWarning',
  'node_modules/vitest/vitest.mjs',
  'run',
  ...process.argv.slice(2),
]);
