import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { writePrivateJson } from '../local/home/private-file.ts';
import { DeployProblem } from './deploy-problem.ts';

/** So short that the longest name of a queue that begins with it has room: 63 characters. */
const nameCharactersMax = 38;
const hostPattern = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;

export const nameSchema = z
  .string()
  .regex(/^[a-z]([a-z0-9-]*[a-z0-9])?$/, {
    error: 'must have lower-case letters, digits and hyphens, and begin with a letter',
  })
  .max(nameCharactersMax, { error: `must have ${nameCharactersMax} characters at most` });
export const domainSchema = z
  .string()
  .regex(hostPattern, { error: 'must be a host name such as gateway.example.com' });
export const adminSchema = z.email({ error: 'must be an e-mail address' });

const deploymentSchema = z.strictObject({
  name: nameSchema,
  accountId: z.string().min(1),
  /** Null: the address is the Worker's on workers.dev. */
  domain: domainSchema.nullable(),
  /** Null: nobody was named; no link to sign up is made. */
  admin: adminSchema.nullable(),
  /** Settings of the Worker that differ from wrangler.toml. */
  vars: z.record(z.string(), z.string()).default({}),
});
/** What a deployment was told, and remembers. Nothing of it is secret. */
export type Deployment = z.output<typeof deploymentSchema>;

/** Where a deployment keeps what it remembers. `privateFolder` is for its owner alone, and not for git. */
export const foldersOf = (projectRoot: string) => {
  const folder = join(projectRoot, '.cloudflare');
  return { folder, privateFolder: join(folder, 'private') };
};

const fileOf = (projectRoot: string, env: string) => join(foldersOf(projectRoot).folder, `${env}.json`);

/** Null where nothing is remembered. Throws `DeployProblem`. */
export function loadDeployment(projectRoot: string, env: string): Deployment | null {
  const file = fileOf(projectRoot, env);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return null;
  }
  try {
    return deploymentSchema.parse(JSON.parse(text));
  } catch (error) {
    const what =
      error instanceof z.ZodError
        ? error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join(', ')
        : 'it is not valid JSON';
    throw new DeployProblem(`${file} cannot be used: ${what}. Mend it, or delete it to be asked again.`);
  }
}

export function saveDeployment(projectRoot: string, env: string, deployment: Deployment): void {
  mkdirSync(foldersOf(projectRoot).folder, { recursive: true });
  writePrivateJson(fileOf(projectRoot, env), deployment);
}

/** Two deployments share nothing: no other one that is remembered here may have this name or this domain. */
export function refuseShared(
  projectRoot: string,
  env: string,
  { name, accountId, domain }: Deployment,
): void {
  const { folder } = foldersOf(projectRoot);
  let files: string[] = [];
  try {
    files = readdirSync(folder).filter((file) => file.endsWith('.json') && file !== `${env}.json`);
  } catch {
    return;
  }
  for (const file of files) {
    const otherEnv = basename(file, '.json');
    const other = loadDeployment(projectRoot, otherEnv);
    if (other === null) continue;
    if (other.accountId === accountId && other.name === name)
      throw new DeployProblem(
        `${otherEnv} has the name ${name} already: give ${env} another one with --name.`,
      );
    if (domain !== null && other.domain === domain)
      throw new DeployProblem(
        `${otherEnv} has the domain ${domain} already: give ${env} another one with --domain.`,
      );
  }
}
