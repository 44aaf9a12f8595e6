import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parse } from 'smol-toml';
import { z } from 'zod';
import { release } from '../contract/release.ts';
import { checkWorkerSettings, readWorkerSettings } from '../settings/worker-settings.ts';
import { DeployProblem } from './deploy-problem.ts';
import { type Deployment, loadDeployment, refuseShared, saveDeployment } from './deployment.ts';
import { tellFirstSteps } from './gateway/tell-first-steps.ts';
import { type DeployOptions, readOptions, usage } from './options.ts';
import { type AccountState, lookAt } from './platform/account-state.ts';
import { carryOut, configFileOf } from './platform/carry-out.ts';
import type { CloudflareApi } from './platform/cloudflare-api.ts';
import { signIn } from './platform/sign-in.ts';
import { recallDeployment } from './platform/worker-state.ts';
import { type Ask, addressOf, deploymentFor } from './questions.ts';
import type { Surroundings, Terminal } from './surroundings.ts';
import { fingerprintOf } from './wanted/fingerprint.ts';
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
