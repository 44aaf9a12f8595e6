// `npm run backup -- --to DIR` and `npm run restore -- --from DIR`: docs/operating/backup.md.
import { ensureInstalled, isForRunningOnly, runNode } from './set-up.js';

ensureInstalled({ production: isForRunningOnly() });
process.exitCode = await runNode([
  '--disable-warning=ExperimentalWarning',
  'src/backup/main.ts',
  ...process.argv.slice(2),
]);
