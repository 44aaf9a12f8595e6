import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parse } from 'smol-toml';
import { z } from 'zod';
import { release } from '../contract/release.ts';
import { writePrivateFile } from '../local/home/private-file.ts';
import { checkWorkerSettings, readWorkerSettings } from '../settings/worker-settings.ts';
import { DeployProblem } from './deploy-problem.ts';
import { type Deployment, foldersOf, loadDeployment, refuseShared, saveDeployment } from './deployment.ts';
import { type Gateway, inviteAdministrator, prepareBridge, untilReady } from './first-steps.ts';
import { type DeployOptions, readOptions, usage } from './options.ts';
import { type AccountState, lookAt, recallDeployment } from './platform/account-state.ts';
import { carryOut, configFileOf } from './platform/carry-out.ts';
import type { CloudflareApi } from './platform/cloudflare-api.ts';
import { signIn } from './platform/sign-in.ts';
import { type Ask, addressOf, deploymentFor } from './questions.ts';
import type { Surroundings, Terminal } from './surroundings.ts';
import { firstTime, type Plan, planOf, planRows } from './wanted/plan.ts';
import { configOf, type Resources, resourcesOf, type WranglerConfig } from './wanted/worker-config.ts';
import {
  loadSecrets,
  makeSecret,
  missingSecrets,
  type Secrets,
  saveSecrets,
  secretsFileOf,
} from './wanted/worker-secrets.ts';

/** What `npm run deploy` does. Throws `DeployProblem`, or `SettingsProblem`, with what to do. */
export async function runDeploy(args: readonly string[], around: Surroundings): Promise<void> {
  const options = readOptions(args);
  if (options === null) {
    around.terminal.text(usage.replaceAll('\n', '\n  '));
    return;
  }
  const { projectRoot, terminal } = around;
  const { env, isDryRun } = options;
  const ask = options.asksNothing ? null : around.ask;
  terminal.title(`Heliograph on Cloudflare: ${env}`);
  const api = await signIn(around, ask);
  const base = parse(readFileSync(join(projectRoot, 'wrangler.toml'), 'utf8')) as unknown as WranglerConfig;
  const accounts = await api.readAll('/accounts?per_page=50', accountSchema);
  const deployment = await askedDeployment(options, around, api, accounts, base, ask);
  const url = await addressOf(api, deployment, isDryRun ? null : ask);
  const config = configOf(base, deployment, url);
  checkWorkerSettings(config.vars);
  const resources = resourcesOf(config);
  const account = accounts.find(({ id }) => id === deployment.accountId);
  terminal.row('account', account ? `${account.name} (${account.id})` : deployment.accountId);
  terminal.row('Worker', deployment.name);
  terminal.row('address', url);

  const state = await lookAt(api, deployment, resources, around.environment.WORKERS_CI !== undefined);
  const known = loadSecrets(projectRoot, env);
  const secrets = secretsToGive(around, env, config, resources, state, known);
  const tag = fingerprintOf(projectRoot, config);
  const plan = planOf(state, resources, migrationsOf(projectRoot, resources), tag);
  const rows = planRows(plan, resources, deployment.name);
  showPlan(terminal, rows, isDryRun);
  if (isDryRun) return;

  saveDeployment(projectRoot, env, deployment);
  if (rows.length > 0) {
    if (ask !== null && /^n/i.test(await ask('\n  Go on? [Y/n] ')))
      throw new DeployProblem('Nothing was changed.');
    await refuseForeignDomain(deployment, state, around, ask);
    // Kept before they are given away: a run that is cut off here has lost none.
    if (Object.keys(secrets).length > 0) saveSecrets(projectRoot, env, { ...known, ...secrets });
    const { wrangler } = around;
    const { accountId } = deployment;
    const work = {
      projectRoot,
      env,
      accountId,
      api,
      wrangler,
      config,
      resources,
      plan,
      secrets,
      tag,
      release,
    };
    const onStep = (text: string) => terminal.text(text);
    terminal.text('');
    await carryOut({ ...work, databaseId: state.databaseId, onStep });
    terminal.ok('done', doneText(plan));
  }
  const operatorToken =
    around.environment.BOOTSTRAP_TOKEN || secrets.BOOTSTRAP_TOKEN || known.BOOTSTRAP_TOKEN;
  await tellFirstSteps(
    { url, operatorToken: operatorToken ?? null, ask: around.fetch },
    { env, admin: deployment.admin, madeOperatorToken: secrets.BOOTSTRAP_TOKEN !== undefined },
    around,
  );
  terminal.heading('Later');
  terminal.text('The same command brings a new release there, or finishes what was cut off.');
  terminal.text(`npx wrangler tail --config ${configFileOf(env)}   shows its log`);
}

const accountSchema = z.object({ id: z.string(), name: z.string() });

async function askedDeployment(
  options: DeployOptions,
  { projectRoot, environment }: Surroundings,
  api: CloudflareApi,
  accounts: readonly z.output<typeof accountSchema>[],
  base: WranglerConfig,
  ask: Ask,
): Promise<Deployment> {
  const { env } = options;
  const remembered = loadDeployment(projectRoot, env);
  // Workers Builds says under which name it builds.
  const ownName = environment.WRANGLER_CI_OVERRIDE_NAME || base.name;
  const defaultName = env === 'production' ? ownName : `${ownName}-${env}`;
  const accountId =
    options.accountId ?? remembered?.accountId ?? (environment.CLOUDFLARE_ACCOUNT_ID || undefined);
  const deployment = await deploymentFor(
    { ...options, accountId },
    remembered,
    defaultName,
    accounts,
    ask,
    (account, name) => recallDeployment(api, account, name, base.vars),
  );
  refuseShared(projectRoot, env, deployment);
  return deployment;
}

function secretsToGive(
  { projectRoot, environment }: Surroundings,
  env: string,
  config: WranglerConfig,
  { secrets: required }: Resources,
  state: AccountState,
  known: Secrets,
): Secrets {
  const file = relative(projectRoot, secretsFileOf(projectRoot, env));
  const given = missingSecrets(required, state.secrets, known, environment, file);
  // Those that the Worker has are as good as any that could be made: nobody can look at them.
  const all = Object.fromEntries(required.map((name) => [name, given[name] ?? makeSecret(name)]));
  readWorkerSettings({ ...config.vars, ...all });
  return given;
}

const migrationsOf = (projectRoot: string, { database }: Resources): string[] =>
  readdirSync(join(projectRoot, database.migrationsFolder))
    .filter((name) => name.endsWith('.sql'))
    .sort();

function showPlan(terminal: Terminal, rows: [string, string][], isDryRun: boolean): void {
  if (rows.length === 0) {
    terminal.text('');
    terminal.ok('there', 'everything is as it should be, nothing is to be changed');
    return;
  }
  terminal.heading(isDryRun ? 'Would be made or changed (nothing was)' : 'To be made or changed');
  for (const [what, which] of rows) terminal.row(what, which);
}

const doneText = ({ deploys }: Plan): string => {
  if (deploys === null) return 'what was missing is there';
  return deploys === firstTime ? 'all of it is there' : 'the new version is there';
};

// Without a terminal wrangler replaces the DNS records of a domain and says nothing.
async function refuseForeignDomain(
  { domain }: Deployment,
  { hasAddress }: AccountState,
  { resolves }: Surroundings,
  ask: Ask,
): Promise<void> {
  if (domain === null || hasAddress || !(await resolves(domain))) return;
  const isWanted =
    ask !== null &&
    /^y/i.test(await ask(`  ${domain} has DNS records already, which lead elsewhere. Replace them? [y/N] `));
  if (!isWanted)
    throw new DeployProblem(
      `${domain} has DNS records already: remove them, or give another --domain. Nothing was changed.`,
    );
}

interface About {
  env: string;
  admin: string | null;
  madeOperatorToken: boolean;
}

/** Looks at the gateway from outside, and says how to sign in and how to start a bridge. Throws `DeployProblem`. */
async function tellFirstSteps(gateway: Gateway, about: About, around: Surroundings): Promise<void> {
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

/** All that a deployment is made from, apart from its configuration. */
const sources = [
  'docs/guide',
  'package-lock.json',
  'scripts/build',
  ...['api-reference', 'contract', 'dashboard', 'database', 'durable', 'sdk', 'settings', 'worker'].map(
    (name) => `src/${name}`,
  ),
];

/** Of code and configuration, in 16 characters: a Worker that bears it as its tag has both. */
function fingerprintOf(projectRoot: string, config: WranglerConfig): string {
  const hash = createHash('sha256').update(JSON.stringify(config));
  for (const source of sources.map((name) => join(projectRoot, name)).filter(existsSync)) {
    for (const file of filesOf(source))
      hash.update(`\0${file.slice(projectRoot.length)}\0`).update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 16);
}

function filesOf(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return (
    readdirSync(path, { recursive: true, withFileTypes: true })
      // What a build makes there is no source.
      .filter((entry) => entry.isFile() && !/[\\/](generated|node_modules)([\\/]|$)/.test(entry.parentPath))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
  );
}
