// `npm run build`: what a gateway needs to run without the tools that build it, in dist/. Afterwards `npm prune --omit=dev`
// may take those away.
import { ensureInstalled, runNode } from './set-up.js';

ensureInstalled();
process.exitCode = await runNode([
  '--disable-warning=ExperimentalWarning',
  'src/local/gateway/build-main.ts',
]);
