import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writePrivateJson } from '../../local/home/private-file.ts';
import { DeployProblem } from '../deploy-problem.ts';
import { foldersOf } from '../deployment.ts';

export type Secrets = Record<string, string>;
const secretsFileSchema = z.record(z.string(), z.string());

export const secretsFileOf = (projectRoot: string, env: string) =>
  join(foldersOf(projectRoot).privateFolder, `${env}.secrets.json`);

/** Those that this machine knows: it made them, or somebody has put them there. The platform shows none of them again. */
export function loadSecrets(projectRoot: string, env: string): Secrets {
  const file = secretsFileOf(projectRoot, env);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new DeployProblem(`${file} cannot be read: ${(error as Error).message}.`);
  }
  try {
    return secretsFileSchema.parse(JSON.parse(text));
  } catch {
    // What the parser says may quote the text, and the text is secret.
    throw new DeployProblem(
      `${file} is damaged: it must be a JSON object of texts. Mend it; what it holds is made once.`,
    );
  }
}

export function saveSecrets(projectRoot: string, env: string, secrets: Secrets): void {
  mkdirSync(foldersOf(projectRoot).privateFolder, { recursive: true, mode: 0o700 });
  writePrivateJson(secretsFileOf(projectRoot, env), secrets);
}

const randomText = () => randomBytes(32).toString('base64url');
export const random32Bytes = () => randomBytes(32).toString('base64');

/** One that nobody has drawn before, of the form that its name asks for. */
export function makeSecret(name: string): string {
  if (name === 'JWT_PRIVATE_KEY') {
    const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
    return JSON.stringify({ ...jwk, kid: randomUUID(), alg: 'EdDSA' });
  }
  return name === 'WEBHOOK_SEALING_KEY' ? random32Bytes() : randomText();
}

/**
 * The secrets that the Worker lacks: as this machine or its environment has them, else made. `present` are the names of those
 * that the Worker has, which are never among them. Throws `DeployProblem` where one is lost that nothing can be in place of.
 */
export function missingSecrets(
  required: readonly string[],
  present: ReadonlySet<string>,
  known: Secrets,
  environment: Readonly<Record<string, string | undefined>>,
  file: string,
): Secrets {
  const missing = required.filter((name) => !present.has(name));
  return Object.fromEntries(
    missing.map((name) => {
      const given = known[name] || environment[name];
      // A Worker that has others has run: what was sealed would be lost under a new key, and nobody would notice.
      if (!given && name === 'WEBHOOK_SEALING_KEY' && required.some((other) => present.has(other)))
        throw new DeployProblem(
          `The Worker has lost WEBHOOK_SEALING_KEY, under which the secrets of webhooks are sealed. Put the old one into ${file} ` +
            'and run this again. Where it is lost for good, put a new one there (openssl rand -base64 32), and rotate the secret of each webhook.',
        );
      if (given && name === 'JWT_PRIVATE_KEY') checkPrivateKey(given);
      return [name, given || makeSecret(name)];
    }),
  );
}

const privateKeySchema = z.object({
  crv: z.literal('Ed25519'),
  d: z.string().min(40),
  x: z.string().min(40),
});

function checkPrivateKey(text: string): void {
  try {
    privateKeySchema.parse(JSON.parse(text));
  } catch {
    throw new DeployProblem(
      'JWT_PRIVATE_KEY must be the JWK of a private Ed25519 key. Leave it out to have one made.',
    );
  }
}
