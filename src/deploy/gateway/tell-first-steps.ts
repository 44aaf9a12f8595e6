import { mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { writePrivateFile } from '../../local/home/private-file.ts';
import { foldersOf } from '../deployment.ts';
import { configFileOf } from '../platform/carry-out.ts';
import type { Surroundings } from '../surroundings.ts';
import { secretsFileOf } from '../wanted/worker-secrets.ts';
import { type Gateway, inviteAdministrator, prepareBridge, untilReady } from './first-steps.ts';

interface About {
  env: string;
  admin: string | null;
  madeOperatorToken: boolean;
}

/** Looks at the gateway from outside, and says how to sign in and how to start a bridge. Throws `DeployProblem`. */
export async function tellFirstSteps(gateway: Gateway, about: About, around: Surroundings): Promise<void> {
  const { terminal, wait, now, environment } = around;
  terminal.text(`Asking ${gateway.url} how it does …`);
  const ready = await untilReady(gateway, wait, now);
  terminal.ok('answers', ready === null ? 'from outside' : 'from outside, with its database and its queue');
  if (environment.CI) {
    tellBuild(about, around);
    return;
  }
  if (ready === null) {
    terminal.heading('Sign in');
    terminal.text(gateway.url);
    terminal.text(
      `The operator's token is not on this machine: BOOTSTRAP_TOKEN=… npm run deploy makes the first sign-in and the file of a bridge.`,
    );
    return;
  }
  await tellSignIn(gateway, about, around);
  if (ready.bridges) return;
  await tellBridge(gateway, about, around);
}

// The log of a build is kept, and read by whoever may.
function tellBuild({ env, madeOperatorToken }: About, { terminal }: Surroundings): void {
  if (!madeOperatorToken) return;
  terminal.warn(
    "The operator's token was made here, and is shown to nobody. Give the Worker one of your own, from a clone:",
  );
  terminal.text(
    `openssl rand -base64 32 | tee /dev/tty | npx wrangler secret put BOOTSTRAP_TOKEN --config ${configFileOf(env)}`,
  );
  terminal.text('BOOTSTRAP_TOKEN=… npm run deploy   then makes the first sign-in and the file of a bridge');
}

async function tellSignIn(gateway: Gateway, { env, admin }: About, around: Surroundings): Promise<void> {
  const { terminal, projectRoot } = around;
  terminal.heading('Sign in');
  if (admin === null) {
    terminal.text(`${gateway.url}`);
    terminal.text(
      'Nobody is named as the first administrator: npm run deploy -- --admin you@example.com makes a link.',
    );
    return;
  }
  const first = await inviteAdministrator(gateway, admin);
  if (first.is === 'there') terminal.text(`${gateway.url}, as ${admin}`);
  else if (first.is === 'mailed') terminal.text(`${admin} has a link by e-mail, good once and for a day.`);
  else if (first.is === 'refused') terminal.warn(`No link was made for ${admin}: ${first.why}`);
  else if (terminal.isRead) {
    terminal.text(first.link);
    terminal.text(`Good once, and for a day: with it ${admin} chooses a password.`);
  } else {
    const { privateFolder } = foldersOf(projectRoot);
    const file = join(privateFolder, `${env}.sign-in.txt`);
    mkdirSync(privateFolder, { recursive: true, mode: 0o700 });
    writePrivateFile(file, `${first.link}\n`);
    terminal.text(`A link for ${admin}, good once and for a day, lies in ${relative(projectRoot, file)}.`);
  }
}

async function tellBridge(gateway: Gateway, { env }: About, around: Surroundings): Promise<void> {
  const { terminal, projectRoot, now } = around;
  const file = await prepareBridge(gateway, projectRoot, env, now());
  terminal.heading('Start a bridge, which holds the numbers (docs/operating/bridges.md)');
  if (file === null) {
    terminal.warn('The gateway makes no token for a bridge: the dashboard does, under Bridges.');
    return;
  }
  const shown = relative(projectRoot, file);
  terminal.text(`BRIDGE_HOME=~/heliograph-bridge node --env-file=${shown} scripts/bridge.js`);
  terminal.text(
    'here, or wherever you take that file. Keep it: it has the key that seals the sessions of your numbers,',
  );
  terminal.text(
    `and ${relative(projectRoot, secretsFileOf(projectRoot, env))} has the secrets of the gateway. Cloudflare shows none of them again.`,
  );
}
