// `npm run deploy`: this gateway on Cloudflare, made or brought up to date. What it takes: `npm run deploy -- --help`.
import { ensureInstalled, runNode } from './set-up.js';

ensureInstalled();
process.exitCode = await runNode([
  '--disable-warning=ExperimentalWarning',
  'src/deploy/main.ts',
  ...process.argv.slice(2),
]);
