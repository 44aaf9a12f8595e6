import { parseArgs } from 'node:util';
import { DeployProblem } from './deploy-problem.ts';

export const usage = `npm run deploy -- [--env staging] [--dry-run] [--yes]

Puts this gateway on Cloudflare, or brings it up to date there. Can be repeated: what is there already stays.

  --env <name>       a deployment of its own beside production, such as staging; production is the default
  --dry-run          says what would be changed, and changes nothing
  --yes              asks nothing: what was answered before, and defaults

What is asked for can be given at once, and is kept in .cloudflare/<env>.json:
  --name <name>      of the Worker, and first part of all other names; heliograph, or heliograph-<env>
  --domain <host>    a domain of your own, such as gateway.example.com, whose zone is in the account
  --workers-dev      no domain of your own: https://<name>.<subdomain>.workers.dev
  --admin <e-mail>   the first administrator
  --account <id>     the account, where you have several
`;

export interface DeployOptions {
  env: string;
  isDryRun: boolean;
  asksNothing: boolean;
  name?: string | undefined;
  /** Null: workers.dev. */
  domain?: string | null | undefined;
  admin?: string | undefined;
  accountId?: string | undefined;
}

/** Throws `DeployProblem`; null where only help is wanted. */
export function readOptions(args: readonly string[]): DeployOptions | null {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const options = {
    ...{ env: text, name: text, domain: text, admin: text, account: text },
    ...{ 'dry-run': flag, yes: flag, 'workers-dev': flag, help: { ...flag, short: 'h' } },
  } as const;
  let values: ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];
  try {
    ({ values } = parseArgs({ args: [...args], options }));
  } catch (error) {
    throw new DeployProblem(`${(error as Error).message}\n\n${usage}`);
  }
  if (values.help) return null;
  const { env = 'production', name, domain, admin, account: accountId } = values;
  if (!/^[a-z][a-z0-9-]{0,19}$/.test(env))
    throw new DeployProblem(`--env must be a short name such as staging, but it is "${env}".`);
  if (domain !== undefined && values['workers-dev'])
    throw new DeployProblem('Either --domain or --workers-dev, not both.');
  return {
    env,
    isDryRun: values['dry-run'],
    asksNothing: values.yes,
    name,
    domain: values['workers-dev'] ? null : domain?.toLowerCase(),
    admin,
    accountId,
  };
}
