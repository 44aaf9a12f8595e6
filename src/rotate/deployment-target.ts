import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DeployProblem } from '../deploy/deploy-problem.ts';
import { foldersOf, loadDeployment } from '../deploy/deployment.ts';
import { bridgeFileOf } from '../deploy/first-steps.ts';
import { signIn } from '../deploy/platform/sign-in.ts';
import { addressOf } from '../deploy/questions.ts';
import type { Surroundings } from '../deploy/surroundings.ts';
import { loadSecrets, saveSecrets } from '../deploy/wanted/worker-secrets.ts';
import { writePrivateFile } from '../local/home/private-file.ts';
import { previousOf, type Target } from './target.ts';

const answerWithinMs = 60_000;
const vaultLines = ['VAULT_KEY', previousOf('VAULT_KEY')];

/** The secrets of a deployment, as this machine keeps them: Cloudflare shows none of them again. */
export function deploymentTarget(env: string, around: Surroundings): Target {
  const { projectRoot, wrangler } = around;
  const deployment = loadDeployment(projectRoot, env);
  if (deployment === null)
    throw new DeployProblem(
      `No deployment ${env} is known on this machine: npm run deploy -- --env ${env} remembers it in .cloudflare.`,
    );
  const bridgeFile = bridgeFileOf(projectRoot, env);
  const bridgeText = () => (existsSync(bridgeFile) ? readFileSync(bridgeFile, 'utf8') : '');
  const bridgeLine = (name: string) => new RegExp(`^${name}=(.+)$`, 'm').exec(bridgeText())?.[1];
  return {
    isSpreadOut: true,
    read: () => {
      const vaultKey = bridgeLine('VAULT_KEY');
      return { ...(vaultKey && { VAULT_KEY: vaultKey }), ...loadSecrets(projectRoot, env) };
    },
    write: (secrets) => saveSecrets(projectRoot, env, secrets),
    apply: async ({ isOf }, values) => {
      if (isOf === 'worker') return putSecrets(deployment.name, values);
      const others = bridgeText()
        .split('\n')
        .filter(
          (line) => line !== '' && !vaultLines.some((name) => name in values && line.startsWith(`${name}=`)),
        );
      const own = Object.entries(values).flatMap(([name, value]) =>
        value === null ? [] : [`${name}=${value}`],
      );
      if (bridgeText() !== '') writePrivateFile(bridgeFile, `${[...others, ...own].join('\n')}\n`);
    },
    ask: async (path) => {
      try {
        const api = await signIn(around, null);
        const url = await addressOf(api, deployment, null);
        const token = around.environment.BOOTSTRAP_TOKEN || loadSecrets(projectRoot, env).BOOTSTRAP_TOKEN;
        const answer = await around.fetch(`${url}${path}`, {
          headers: { Authorization: `Bearer ${token}` },
          signal: AbortSignal.timeout(answerWithinMs),
        });
        return await answer.json();
      } catch (error) {
        if (error instanceof DeployProblem) throw error;
        return null;
      }
    },
    afterwards: ({ isOf }) =>
      isOf === 'worker'
        ? []
        : [
            `Give every bridge VAULT_KEY and VAULT_KEY_PREVIOUS as they stand in .cloudflare/private/${env}.secrets.json, and start it`,
            'anew. In which order, with several bridges: docs/operating/vault-keys.md.',
          ],
    command: (name) => `npm run rotate -- ${name} --env ${env}`,
  };

  // All of it in one step, so that the Worker has never one without the other.
  async function putSecrets(name: string, values: Record<string, string | null>): Promise<void> {
    const file = join(foldersOf(projectRoot).privateFolder, `${env}.upload.json`);
    const remove = () => rmSync(file, { force: true });
    process.once('exit', remove);
    try {
      writePrivateFile(file, JSON.stringify(values));
      const account = { CLOUDFLARE_ACCOUNT_ID: deployment?.accountId };
      await wrangler.run(['secret', 'bulk', file, '--name', name], account);
    } finally {
      remove();
      process.off('exit', remove);
    }
  }
}
