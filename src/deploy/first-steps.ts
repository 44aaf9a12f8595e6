import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writePrivateFile } from '../local/home/private-file.ts';
import { DeployProblem } from './deploy-problem.ts';
import { foldersOf } from './deployment.ts';
import { random32Bytes } from './wanted/worker-secrets.ts';

/** Asks a deployed gateway, as anybody outside does. */
export interface Gateway {
  url: string;
  /** The operator's token; null where this machine does not know it. */
  operatorToken: string | null;
  ask: typeof fetch;
}

export interface Readiness {
  database: boolean;
  queue: boolean;
  bridges: boolean;
}

const readinessSchema = z.object({
  checks: z.object({ database: z.boolean(), queue: z.boolean(), bridges: z.boolean() }),
});
/** A bridge's one-time token: the file may have to be taken somewhere. */
const tokenSeconds = 24 * 3600;
const firstAnswerWithinMs = 180_000;
const attemptEveryMs = 2_000;

const headersOf = ({ operatorToken }: Gateway) => ({
  'Content-Type': 'application/json',
  ...(operatorToken !== null && { Authorization: `Bearer ${operatorToken}` }),
});

/**
 * Waits until the gateway answers, which a new address takes a while for, and asks how it does. Null: it answers, and this machine
 * has no token to ask further with. Throws `DeployProblem`.
 */
export async function untilReady(
  gateway: Gateway,
  wait: (ms: number) => Promise<void>,
  now: () => number,
): Promise<Readiness | null> {
  const until = now() + firstAnswerWithinMs;
  let seen = 'nothing';
  for (;;) {
    try {
      const answer = await gateway.ask(`${gateway.url}/healthz`, { signal: AbortSignal.timeout(10_000) });
      const text = await answer.text();
      if (answer.ok) break;
      seen = `${answer.status}`;
      if (text.includes('A setting of this gateway is wrong'))
        throw new DeployProblem(
          'The gateway runs, and refuses every request: a setting or a secret of it is wrong. Its log names which (npx wrangler tail, with the --config named below); ' +
            'mend a secret with npx wrangler secret put, a setting in .cloudflare, and run this again.',
        );
    } catch (error) {
      if (error instanceof DeployProblem) throw error;
      seen = (error as { cause?: Error }).cause?.message ?? (error as Error).message;
    }
    if (now() > until)
      throw new DeployProblem(
        `Everything is deployed, but ${gateway.url} does not answer yet (${seen}). A new address may take some minutes: run this again then.`,
      );
    await wait(attemptEveryMs);
  }
  if (gateway.operatorToken === null) return null;
  const answer = await gateway.ask(`${gateway.url}/readyz`, { headers: headersOf(gateway) });
  const parsed = readinessSchema.safeParse(await answer.json().catch(() => null));
  // The token here is not the Worker's any more.
  if (!parsed.success) return null;
  const { checks } = parsed.data;
  if (!checks.database || !checks.queue)
    throw new DeployProblem(
      `The gateway answers, but its ${checks.database ? 'queue' : 'database'} does not: run this again in a minute, and see its log (npx wrangler tail) where that does not help.`,
    );
  return checks;
}

const invitationSchema = z.object({
  link: z.string().optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});

/** `link`: good once, and for a day. `mailed`: they have it by e-mail. `there`: they have signed up before. */
export type FirstSignIn =
  | { is: 'link'; link: string }
  | { is: 'mailed' }
  | { is: 'there' }
  | { is: 'refused'; why: string };

/** Invites the first administrator. An earlier link ends with that, and somebody who has used theirs is left alone. */
export async function inviteAdministrator(gateway: Gateway, email: string): Promise<FirstSignIn> {
  const [name = email] = email.split('@');
  const answer = await gateway.ask(`${gateway.url}/v1/auth/sign-up`, {
    method: 'POST',
    headers: headersOf(gateway),
    body: JSON.stringify({ email, name, accountName: name }),
  });
  const body = invitationSchema.parse(await answer.json().catch(() => ({})));
  if (answer.status === 202) return body.link ? { is: 'link', link: body.link } : { is: 'mailed' };
  if (body.error?.code === 'CONFLICT') return { is: 'there' };
  return { is: 'refused', why: body.error?.message ?? `it answered ${answer.status}` };
}

export const bridgeFileOf = (projectRoot: string, env: string) =>
  join(foldersOf(projectRoot).privateFolder, `${env}.bridge.env`);

/**
 * What a first bridge is started with, in a file for its owner alone: the gateway, a one-time token, and the key that seals sessions,
 * which is made once and which the gateway never has. A token that is good still is kept. Answers the file; null where the
 * gateway makes no token.
 */
export async function prepareBridge(
  gateway: Gateway,
  projectRoot: string,
  env: string,
  now: number,
): Promise<string | null> {
  const file = bridgeFileOf(projectRoot, env);
  const before = readIfThere(file);
  const kept = (name: string) => new RegExp(`^${name}=(.+)$`, 'm').exec(before)?.[1];
  const goodUntil = /^# The token is good until (\S+?)\.?$/m.exec(before)?.[1];
  if (kept('GATEWAY_URL') === gateway.url && goodUntil !== undefined && Date.parse(goodUntil) > now)
    return file;
  const answer = await gateway.ask(`${gateway.url}/v1/operator/bridges`, {
    method: 'POST',
    headers: headersOf(gateway),
    body: JSON.stringify({ name: 'first', expiresInSeconds: tokenSeconds }),
  });
  const made = z
    .object({ token: z.string(), expiresAt: z.string() })
    .safeParse(await answer.json().catch(() => null));
  if (!made.success) return null;
  mkdirSync(foldersOf(projectRoot).privateFolder, { recursive: true, mode: 0o700 });
  writePrivateFile(
    file,
    `# For one session bridge. Secret: whoever has it can bring a bridge, and open the sessions of numbers.
# Keep VAULT_KEY for good: without it every number has to be paired anew. All bridges have the same.
# The token is good until ${made.data.expiresAt}.
GATEWAY_URL=${gateway.url}
BRIDGE_ENROLMENT_TOKEN=${made.data.token}
VAULT_KEY=${kept('VAULT_KEY') ?? random32Bytes()}
NETWORK=whatsapp
`,
  );
  return file;
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
