import { parseArgs } from 'node:util';
import { z } from 'zod';
import { DeployProblem } from '../deploy/deploy-problem.ts';
import type { Surroundings } from '../deploy/surroundings.ts';
import { vaultBeginning } from '../session-bridge/vault/seal.ts';
import { VaultKey } from '../session-bridge/vault/vault-keys.ts';
import { secretMark } from '../settings/secrets.ts';
import { deploymentTarget } from './deployment-target.ts';
import { homeTarget } from './home-target.ts';
import {
  previousOf,
  type ReplacedSecret,
  replacedAtOf,
  replacedSecrets,
  type SecretName,
  type Secrets,
  secretNames,
  type Target,
} from './target.ts';

/** So long it takes at most until every place of the platform has a secret. */
const spreadMs = 60_000;

/**
 * What `npm run rotate` does. A run that is cut off anywhere has lost no secret: the next one goes on from there. Throws
 * `DeployProblem` with what to do.
 */
export async function runRotate(args: readonly string[], around: Surroundings): Promise<void> {
  const options = readOptions(args);
  if (options === null) {
    around.terminal.text(usage.replaceAll('\n', '\n  '));
    return;
  }
  const { name, env, isFinish, isForced } = options;
  const secret = replacedSecrets[name];
  const target = env === null ? homeTarget(around) : deploymentTarget(env, around);
  if (isFinish) await finish(secret, target, around, isForced);
  else await replace(secret, target, around);
}

async function replace(secret: ReplacedSecret, target: Target, around: Surroundings): Promise<void> {
  const { name, make, previous: kept } = secret;
  const { terminal } = around;
  const known = target.read();
  const [previous, replacedAt] = [previousOf(name), replacedAtOf(name)];
  if (known[previous] !== undefined && kept !== null) {
    // It may have been cut off before it was in force.
    await target.apply(secret, { [name]: known[name] ?? null, [previous]: known[previous] });
    throw new DeployProblem(
      `${name} is being replaced already${known[replacedAt] ? `, since ${known[replacedAt]}` : ''}; the new one is in place. ` +
        `End that first: ${target.command(name)} --finish`,
    );
  }
  const current = known[previous] === undefined ? known[name] : known[previous];
  if (current === undefined)
    throw new DeployProblem(
      `${name} is not known here, so it cannot be kept as the one before. Nothing was changed.`,
    );
  const made = known[previous] === undefined ? make() : (known[name] ?? make());
  const next = {
    ...known,
    [name]: made,
    [previous]: current,
    ...(kept && { [replacedAt]: new Date(around.now()).toISOString() }),
  };
  // Kept before it is given away: a run that is cut off has lost neither.
  target.write(next);
  if (kept === null) {
    await target.apply(secret, { [name]: made });
    const { [previous]: _, ...rest } = next;
    target.write(rest);
  } else {
    if (target.isSpreadOut && secret.isOf === 'worker') {
      terminal.text('Making the new one known everywhere, before anything uses it: a minute …');
      await target.apply(secret, { [previous]: made });
      await around.wait(spreadMs);
    }
    await target.apply(secret, { [name]: made, [previous]: current });
  }
  terminal.ok('replaced', name);
  for (const line of target.afterwards(secret)) terminal.text(line);
  if (kept === null)
    terminal.text(`${target.isSpreadOut ? 'The' : 'From then on the'} one before is not accepted any more.`);
  else terminal.text(`The one before is still accepted. When it may go: ${target.command(name)} --finish`);
}

async function finish(
  secret: ReplacedSecret,
  target: Target,
  around: Surroundings,
  isForced: boolean,
): Promise<void> {
  const { name, previous: kept } = secret;
  const known = target.read();
  const previous = previousOf(name);
  if (kept === null || known[previous] === undefined)
    throw new DeployProblem(`${name} is not being replaced: there is nothing to end.`);
  if (!isForced) {
    const why = await whatNeedsPrevious(secret, known, target, around.now());
    if (why !== null) throw new DeployProblem(`The ${name} before has to stay: ${why} Nothing was changed.`);
  }
  await target.apply(secret, { [previous]: null });
  const { [previous]: _, [replacedAtOf(name)]: __, ...rest } = known;
  target.write(rest);
  around.terminal.ok('ended', `the ${name} before is gone`);
  for (const line of target.afterwards(secret)) around.terminal.text(line);
}

const usage = `npm run rotate -- NAME [--env production] [--finish]

Makes a new secret in place of the one that is in use. The one before is still accepted until --finish.

  NAME               ${secretNames.slice(0, 4).join(', ')},
                     ${secretNames.slice(4).join(', ')}
  --env <name>       of a deployment on Cloudflare; without it, of the state folder HELIOGRAPH_HOME
  --finish           the one before goes, where nothing needs it any more
  --force            with --finish: also where something does, which then is lost
`;

interface RotateOptions {
  name: SecretName;
  /** Null: the state folder. */
  env: string | null;
  isFinish: boolean;
  isForced: boolean;
}

/** Throws `DeployProblem`; null where only help is wanted. */
function readOptions(args: readonly string[]): RotateOptions | null {
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

const stateSchema = z.object({
  marks: z.record(z.string(), z.string()),
  sealed: z.object({ current: z.number(), previous: z.number(), unknown: z.number() }),
  accountsToRefresh: z.number(),
  madeBefore: z.object({ apiKeys: z.number(), bridges: z.number() }),
});
/** A gateway that has not been restarted since does not know a new operator's token. */
const noAnswer =
  'the gateway does not say what is still under it: start it, or restart it if BOOTSTRAP_TOKEN was replaced since, and run this again.';
const vaultsSchema = z.object({
  numbers: z.array(z.object({ numberId: z.string(), entries: z.number() })),
  next: z.string().nullable(),
});

/** Why the secret before cannot go yet, as a sentence; null where nothing needs it. */
async function whatNeedsPrevious(
  { name, isOf, previous }: ReplacedSecret,
  known: Secrets,
  target: Target,
  now: number,
): Promise<string | null> {
  if (previous === null) return null;
  const replacedAt = known[replacedAtOf(name)];
  const goodFrom = replacedAt === undefined ? 0 : Date.parse(replacedAt) + previous.keptForMs;
  if (now < goodFrom) return `what it has signed is good until ${new Date(goodFrom).toISOString()}.`;
  if (previous.until === 'time') return null;
  if (previous.until === 'vaults') return vaultsUnderPrevious(known, target);
  const since = encodeURIComponent(replacedAt ?? new Date(now).toISOString());
  const answer = stateSchema.safeParse(await target.ask(`/operator/secrets?madeBefore=${since}`));
  if (!answer.success) return noAnswer;
  const { marks, sealed, accountsToRefresh, madeBefore } = answer.data;
  if (isOf === 'worker' && marks[name] !== secretMark(name, known[name] ?? ''))
    return 'the gateway does not use the new one yet: restart it, or wait a minute.';
  if (previous.until === 'resealed') {
    if (sealed.previous > 0)
      return `${sealed.previous} of ${sealed.current + sealed.previous} entries are sealed under it. They are sealed anew in the background, some hundreds a minute; what does not open stands in the log as secret.not_resealed.`;
    if (accountsToRefresh > 0)
      return `the objects of ${accountsToRefresh} accounts have to be told first, which takes a minute or two.`;
    return null;
  }
  const { apiKeys, bridges } = madeBefore;
  if (apiKeys + bridges === 0) return null;
  return `${apiKeys} API keys and ${bridges} session bridges have theirs from before ${replacedAt ?? 'now'}. Make these keys anew and revoke the old ones, and let these bridges in anew (npm run bridge:enrol).`;
}

/** Asks number after number: those that are not connected too. */
async function vaultsUnderPrevious(known: Secrets, target: Target): Promise<string | null> {
  const key = new VaultKey(Buffer.from(known.VAULT_KEY ?? '', 'base64'), 'VAULT_KEY');
  const beginning = vaultBeginning(key).toString('hex');
  const found: { numberId: string; entries: number }[] = [];
  let after: string | null = null;
  do {
    const query: string = after === null ? '' : `&after=${encodeURIComponent(after)}`;
    const answer = vaultsSchema.safeParse(
      await target.ask(`/operator/secrets/vaults?beginning=${beginning}${query}`),
    );
    if (!answer.success) return noAnswer;
    found.push(...answer.data.numbers);
    after = answer.data.next;
  } while (after !== null);
  if (found.length === 0) return null;
  const entries = found.reduce((sum, one) => sum + one.entries, 0);
  const some = found
    .slice(0, 5)
    .map(({ numberId }) => numberId)
    .join(', ');
  return `${entries} entries of ${found.length} numbers are sealed under it, or under one before (${some}${found.length > 5 ? ', …' : ''}). Their bridge seals them anew while they are connected: docs/operating/vault-keys.md.`;
}
