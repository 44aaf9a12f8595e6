import { parseArgs } from 'node:util';
import { DeployProblem } from '../deploy/deploy-problem.ts';
import { type SecretName, secretNames } from './replaced-secrets.ts';

export const usage = `npm run rotate -- NAME [--env production] [--finish]

Makes a new secret in place of the one that is in use. The one before is still accepted until --finish.

  NAME               ${secretNames.slice(0, 4).join(', ')},
                     ${secretNames.slice(4).join(', ')}
  --env <name>       of a deployment on Cloudflare; without it, of the state folder HELIOGRAPH_HOME
  --finish           the one before goes, where nothing needs it any more
  --force            with --finish: also where something does, which then is lost
`;

export interface RotateOptions {
  name: SecretName;
  /** Null: the state folder. */
  env: string | null;
  isFinish: boolean;
  isForced: boolean;
}

/** Throws `DeployProblem`; null where only help is wanted. */
export function readOptions(args: readonly string[]): RotateOptions | null {
  const flag = { type: 'boolean', default: false } as const;
  const options = {
    env: { type: 'string' },
    finish: flag,
    force: flag,
    help: { ...flag, short: 'h' },
  } as const;
  let parsed: ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>>;
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new DeployProblem(`${(error as Error).message}\n\n${usage}`);
  }
  const { values, positionals } = parsed;
  if (values.help) return null;
  const name = secretNames.find((it) => it === positionals[0]);
  if (name === undefined || positionals.length > 1)
    throw new DeployProblem(`Name one secret: ${secretNames.join(', ')}.\n\n${usage}`);
  if (values.force && !values.finish) throw new DeployProblem('--force is for --finish.');
  return { name, env: values.env ?? null, isFinish: values.finish, isForced: values.force };
}
