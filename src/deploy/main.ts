/* `npm run deploy`: puts the gateway on Cloudflare, or brings it up to date there, and says why where it cannot. */
import { resolveAny } from 'node:dns/promises';
import { createInterface } from 'node:readline/promises';
import { setTimeout } from 'node:timers/promises';
import { projectRoot } from '../local/project-root.ts';
import { terminal } from '../local/terminal.ts';
import { SettingsProblem } from '../settings/setting.ts';
import { DeployProblem } from './deploy-problem.ts';
import { wranglerIn } from './platform/wrangler.ts';
import { runDeploy } from './run-deploy.ts';

const isAtTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true;

// wrangler, which it runs, gets a Ctrl-C too; a signal to this process alone ends it where it is, and the next run goes on.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stopped());
process.once('disconnect', () => process.exit(1));

function stopped(): never {
  terminal.fail('Stopped. Run it again to go on from here.');
  process.exit(130);
}

async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  lines.once('SIGINT', stopped);
  // Ctrl-D leaves the question open for ever.
  lines.once('close', stopped);
  try {
    return await lines.question(question);
  } finally {
    lines.off('close', stopped);
    lines.close();
  }
}

/** Any answer of the DNS but that there is none. */
const resolves = (host: string) =>
  resolveAny(host).then(
    (records) => records.length > 0,
    () => false,
  );

try {
  await runDeploy(process.argv.slice(2), {
    projectRoot,
    environment: process.env,
    wrangler: wranglerIn(projectRoot, process.env),
    terminal,
    ask: isAtTerminal ? ask : null,
    fetch,
    resolves,
    wait: (ms) => setTimeout(ms),
    now: Date.now,
  });
  process.exit(0);
} catch (error) {
  const isExpected = error instanceof DeployProblem || error instanceof SettingsProblem;
  terminal.fail(isExpected ? error.message : ((error as Error).stack ?? String(error)));
  process.exit(1);
}
