import { DeployProblem } from '../deploy/deploy-problem.ts';
import type { Surroundings } from '../deploy/surroundings.ts';
import { deploymentTarget } from './deployment-target.ts';
import { homeTarget } from './home-target.ts';
import { readOptions, usage } from './options.ts';
import { previousOf, type ReplacedSecret, replacedAtOf, replacedSecrets } from './replaced-secrets.ts';
import type { Target } from './target.ts';
import { whatNeedsPrevious } from './what-needs-previous.ts';

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
  if (kept === null) terminal.text('The one before is not accepted any more.');
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
