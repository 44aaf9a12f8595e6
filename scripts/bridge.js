// `npm run bridge`: a session bridge alone, as the image runs it. How it is set up: docs/operating/bridges.md.
import { ensureInstalled, runNode } from './set-up.js';

ensureInstalled({ production: true });
process.exitCode = await runNode([
  '--disable-warning=ExperimentalWarning',
  // Whatever ends this process ends the bridge: none goes on that nobody sees.
  '--import',
  './src/local/parts/exit-with-parent.ts',
  'src/session-bridge/main.ts',
]);
