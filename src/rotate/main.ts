/* `npm run rotate`: replaces a secret, and says why where it cannot: docs/operating/secrets.md. */
import { setTimeout } from 'node:timers/promises';
import { DeployProblem } from '../deploy/deploy-problem.ts';
import { wranglerIn } from '../deploy/platform/wrangler.ts';
import { projectRoot } from '../local/project-root.ts';
import { terminal } from '../local/terminal.ts';
import { runRotate } from './run-rotate.ts';

try {
  await runRotate(process.argv.slice(2), {
    projectRoot,
    environment: process.env,
    wrangler: wranglerIn(projectRoot, process.env),
    terminal,
    ask: null,
    fetch,
    resolves: async () => false,
    wait: (ms) => setTimeout(ms),
    now: Date.now,
  });
  process.exit(0);
} catch (error) {
  terminal.fail(error instanceof DeployProblem ? error.message : ((error as Error).stack ?? String(error)));
  process.exit(1);
}
