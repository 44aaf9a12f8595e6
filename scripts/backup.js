// `npm run backup -- --to DIR` and `npm run restore -- --from DIR`: docs/operating/backup.md.
import { ensureInstalled, runNode } from './set-up.js';

ensureInstalled();
process.exitCode = await runNode([
  '--disable-warning=ExperimentalWarning',
  'src/backup/main.ts',
  ...process.argv.slice(2),
]);
