// `npm run rotate -- NAME`: a new secret in place of one that is in use. What it takes: `npm run rotate -- --help`.
import { ensureInstalled, isForRunningOnly, runNode } from './set-up.js';

ensureInstalled({ production: isForRunningOnly() });
process.exitCode = await runNode([
  '--disable-warning=ExperimentalWarning',
  'src/rotate/main.ts',
  ...process.argv.slice(2),
]);
