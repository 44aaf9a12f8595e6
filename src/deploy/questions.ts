import { z } from 'zod';
import { DeployProblem } from './deploy-problem.ts';
import { adminSchema, type Deployment, domainSchema, nameSchema } from './deployment.ts';
import type { DeployOptions } from './options.ts';
import type { CloudflareApi } from './platform/cloudflare-api.ts';

/** Asks whoever sits at the terminal; null where nobody is to be asked. */
export type Ask = ((question: string) => Promise<string>) | null;

/**
 * What this deployment is to be: as it was said now, else as it is remembered here or by its Worker, else as it is answered. `defaultName`: that of
 * `wrangler.toml`, followed by the environment's.
 */
export async function deploymentFor(
  options: DeployOptions,
  remembered: Deployment | null,
  defaultName: string,
  accounts: readonly { id: string; name: string }[],
  ask: Ask,
  recall: (accountId: string, name: string) => Promise<Omit<Deployment, 'name' | 'accountId'> | null>,
): Promise<Deployment> {
  const accountId = await accountFor(options.accountId ?? remembered?.accountId, accounts, ask);
  if (remembered !== null && options.name !== undefined && options.name !== remembered.name)
    throw new DeployProblem(
      `${options.env} is called ${remembered.name}: under another name it would be another deployment, without what this one holds. Give that one an --env of its own.`,
    );
  const name = await answered('--name', nameSchema, options.name ?? remembered?.name, ask, {
    question: `Name of the Worker, and first part of all other names [${defaultName}]: `,
    fallback: defaultName,
  });
  // Where this machine remembers nothing, and the deployment is there: it must not lose its domain to a default.
  const before = remembered ?? (await recall(accountId, name));
  const domain =
    options.domain === null
      ? null
      : await answered('--domain', domainSchema.nullable(), options.domain ?? before?.domain, ask, {
          question: 'Domain of your own, such as gateway.example.com (Enter: one of workers.dev): ',
          fallback: null,
        });
  const admin = await answered('--admin', adminSchema.nullable(), options.admin ?? before?.admin, ask, {
    question: 'E-mail address of the first administrator: ',
    fallback: null,
  });
  return { name, accountId, domain, admin, vars: before?.vars ?? {} };
}

async function accountFor(
  wanted: string | undefined,
  accounts: readonly { id: string; name: string }[],
  ask: Ask,
): Promise<string> {
  if (wanted !== undefined) {
    if (accounts.length === 0 || accounts.some(({ id }) => id === wanted)) return wanted;
    throw new DeployProblem(
      `You are signed in to Cloudflare, but not to the account ${wanted}: sign in as somebody of that account (npx wrangler login), or give --account.`,
    );
  }
  const [only, ...others] = accounts;
  if (only === undefined)
    throw new DeployProblem(
      'The credential names no account: give its id with --account, or in CLOUDFLARE_ACCOUNT_ID.',
    );
  if (others.length === 0) return only.id;
  const list = accounts.map(({ id, name }, index) => `  ${index + 1}  ${name} (${id})`).join('\n');
  if (ask === null) throw new DeployProblem(`You have several accounts: say which with --account.\n${list}`);
  const chosen = accounts[Number(await ask(`${list}\n  Which account? `)) - 1];
  if (chosen === undefined) throw new DeployProblem(`There is no such account. Give --account.\n${list}`);
  return chosen.id;
}

/** The value as it was given or remembered (null counts), else as it is answered; an answer that does not fit is asked for again. */
async function answered<Value extends string | null>(
  flag: string,
  schema: z.ZodType<Value>,
  known: Value | undefined,
  ask: Ask,
  { question, fallback }: { question: string; fallback: Value },
): Promise<Value> {
  let value = known;
  while (value === undefined) {
    const text = ask === null ? '' : (await ask(`  ${question}`)).trim();
    const read = schema.safeParse(text === '' ? fallback : text);
    if (read.success) value = read.data;
    else if (ask !== null) await ask(`  It ${read.error.issues[0]?.message}. Enter to try again. `);
    else throw new DeployProblem(`${flag} ${read.error.issues[0]?.message}.`);
  }
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  throw new DeployProblem(`${flag} ${read.error.issues[0]?.message}, but it is "${value}".`);
}

const subdomainSchema = z.object({ subdomain: z.string().min(1) });

/** Where the gateway is to be reached. An account without a workers.dev subdomain is given one, once, where `ask` may. */
export async function addressOf(
  api: CloudflareApi,
  { accountId, name, domain }: Deployment,
  ask: Ask,
): Promise<string> {
  if (domain !== null) return `https://${domain}`;
  const path = `/accounts/${accountId}/workers/subdomain`;
  let known = await api.read(path, subdomainSchema);
  if (known === null && ask !== null) {
    const wanted = await ask(
      '  The account has no workers.dev subdomain yet. Its name, once for all Workers (acme: https://….acme.workers.dev): ',
    );
    if (!/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(wanted))
      throw new DeployProblem('A workers.dev subdomain has lower-case letters, digits and hyphens.');
    known = await api.send('PUT', path, { subdomain: wanted }, subdomainSchema);
  }
  if (known === null)
    throw new DeployProblem(
      'The account has no workers.dev subdomain yet: run this at a terminal without --yes and --dry-run, open Workers & Pages in dash.cloudflare.com once, or give --domain.',
    );
  return `https://${name}.${known.subdomain}.workers.dev`;
}
