import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile, writePrivateJson } from '../../local/home/private-file.ts';
import { DeployProblem } from '../deploy-problem.ts';
import { foldersOf } from '../deployment.ts';
import type { Plan } from '../wanted/plan.ts';
import { type Resources, type WranglerConfig, withDatabase } from '../wanted/worker-config.ts';
import type { Secrets } from '../wanted/worker-secrets.ts';
import { databaseIdOf, mediaDays } from './account-state.ts';
import type { CloudflareApi } from './cloudflare-api.ts';
import type { Wrangler } from './wrangler.ts';

export interface Work {
  projectRoot: string;
  env: string;
  accountId: string;
  api: CloudflareApi;
  wrangler: Wrangler;
  config: WranglerConfig;
  resources: Resources;
  databaseId: string | null;
  plan: Plan;
  /** Those that the Worker lacks. */
  secrets: Secrets;
  tag: string;
  release: string;
  /** Before a step that takes its time. */
  onStep: (text: string) => void;
}

/** The configuration of a deployment for wrangler, which reads it from the folder of the sources. */
export const configFileOf = (env: string) => `wrangler.${env}.json`;

/**
 * Does what the plan says, in an order in which a run that is cut off anywhere leaves nothing that the next one cannot go on
 * from: the database and its migrations before the code that needs them, the secrets in one step with the code.
 */
export async function carryOut(work: Work): Promise<void> {
  const { projectRoot, env, wrangler, config, resources, plan, onStep } = work;
  const { database } = resources;
  if (plan.makesDatabase) {
    onStep(`Making the database ${database.name} …`);
    const account = { CLOUDFLARE_ACCOUNT_ID: work.accountId };
    await wrangler.run(['d1', 'create', database.name, '--no-update-config'], account);
  }
  const databaseId = work.databaseId ?? (await databaseIdOf(work.api, work.accountId, database.name));
  if (databaseId === null)
    throw new DeployProblem(
      `The database ${database.name} was made, but is not to be seen yet: run this again in a minute.`,
    );
  const file = configFileOf(env);
  writePrivateJson(join(projectRoot, file), withDatabase(config, databaseId));
  if (plan.migrations.length > 0) {
    onStep('Applying migrations …');
    await wrangler.run(['d1', 'migrations', 'apply', database.binding, '--remote', '--config', file]);
  }
  if (plan.deploys !== null) {
    onStep('Building and uploading the Worker, with what it is bound to …');
    await deploy(work, file);
  }
  if (plan.setsExpiry) {
    onStep(`Setting the rule of ${resources.mediaBucket} …`);
    const rule = [`delete-after-${mediaDays}-days`, '', '--expire-days', String(mediaDays), '--force'];
    await wrangler.run([
      'r2',
      'bucket',
      'lifecycle',
      'add',
      resources.mediaBucket,
      ...rule,
      '--config',
      file,
    ]);
  }
}

// `wrangler deploy` makes queues and buckets that are missing, and keeps every secret that the file does not name.
async function deploy({ projectRoot, env, wrangler, secrets, tag, release }: Work, file: string) {
  const args = ['deploy', '--config', file, '--tag', tag, '--message', `Heliograph ${release}`];
  if (Object.keys(secrets).length === 0) {
    await wrangler.run(args);
    return;
  }
  const secretsFile = join(foldersOf(projectRoot).privateFolder, `${env}.upload.json`);
  const remove = () => rmSync(secretsFile, { force: true });
  // Also where a Ctrl-C ends this process in the middle.
  process.once('exit', remove);
  try {
    writePrivateFile(secretsFile, JSON.stringify(secrets));
    await wrangler.run([...args, '--secrets-file', secretsFile]);
  } finally {
    remove();
    process.off('exit', remove);
  }
}
