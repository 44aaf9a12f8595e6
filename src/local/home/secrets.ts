import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isStrongKey, isStrongText, strongKeyMust, strongTextMust } from '../../settings/secrets.ts';
import { StartProblem } from '../settings.ts';
import { writePrivateJson } from './private-file.ts';

const key32Schema = z.string().refine(isStrongKey, { error: `must be ${strongKeyMust}` });
const textSchema = z.string().refine(isStrongText, { error: `must be ${strongTextMust}` });
const jwkSchema = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  kid: z.string().min(1),
  alg: z.literal('EdDSA'),
  d: z.string().min(40),
  x: z.string().min(40),
});

const secretsSchema = z.object({
  /** JWK of the Ed25519 key that signs the dashboard's tokens. */
  jwtPrivateKey: jwkSchema,
  /** Seals webhook secrets in D1. */
  webhookSealingKey: key32Schema,
  /** Makes the checksums of API keys. */
  keyChecksumSecret: textSchema,
  /** Signs the URLs of files. */
  mediaUrlSecret: textSchema,
  /** Seals session credentials; only bridges hold it. */
  vaultKey: key32Schema,
  /** Lets the bridges of this machine in. */
  bridgeToken: textSchema,
  bootstrapToken: textSchema,
  /** Those before, while they are still accepted: see docs/operating/secrets.md. */
  jwtPrivateKeyPrevious: jwkSchema.optional(),
  webhookSealingKeyPrevious: key32Schema.optional(),
  keyChecksumSecretPrevious: textSchema.optional(),
  mediaUrlSecretPrevious: textSchema.optional(),
  vaultKeyPrevious: key32Schema.optional(),
  bridgeTokenPrevious: textSchema.optional(),
  bootstrapTokenPrevious: textSchema.optional(),
  /** Since when. */
  jwtPrivateKeyReplacedAt: z.iso.datetime().optional(),
  webhookSealingKeyReplacedAt: z.iso.datetime().optional(),
  keyChecksumSecretReplacedAt: z.iso.datetime().optional(),
  mediaUrlSecretReplacedAt: z.iso.datetime().optional(),
  vaultKeyReplacedAt: z.iso.datetime().optional(),
  admin: z.object({ email: z.email(), password: z.string().min(8) }),
  /** The network that the sessions in this folder belong to. */
  network: z.enum(['simulator', 'whatsapp']),
});

export type LocalSecrets = z.infer<typeof secretsSchema>;

/** Those that can be replaced while the one before is still accepted. */
const replaceable = [
  'jwtPrivateKey',
  'webhookSealingKey',
  'keyChecksumSecret',
  'mediaUrlSecret',
  'vaultKey',
] as const;

const sameAsBefore = (secrets: LocalSecrets): string[] =>
  replaceable
    .filter((name) => JSON.stringify(secrets[name]) === JSON.stringify(secrets[`${name}Previous`]))
    .map((name) => `${name}Previous`);

/**
 * The secrets of this state folder, made on the first start. A damaged file is never replaced, since what is sealed
 * under the old keys would be lost with them: {@link StartProblem} says what to do.
 */
export function loadOrMakeSecrets(
  home: string,
  network: LocalSecrets['network'],
): LocalSecrets & { areNew?: true } {
  const path = join(home, 'secrets.json');
  if (!existsSync(path)) {
    // State without its secrets cannot be opened by new ones.
    if (existsSync(join(home, 'gateway', 'd1')))
      throw damaged(path, 'it is missing, but the state that it belongs to is there');
    const made = makeSecrets(network);
    writePrivateJson(path, made);
    return { ...made, areNew: true };
  }
  const content = completed(readSecretsFile(home), path);
  const parsed = secretsSchema.safeParse(content);
  const names = parsed.success
    ? sameAsBefore(parsed.data)
    : [...new Set(parsed.error.issues.map((issue) => issue.path.join('.')))];
  if (parsed.success && names.length === 0) return forNetwork(parsed.data, network, home);
  throw damaged(path, `these values are missing or malformed: ${names.join(', ')}`);
}

/**
 * The secrets of a state folder that has some, whichever network its sessions belong to. Throws {@link StartProblem} as
 * {@link loadOrMakeSecrets} does.
 */
export function secretsOf(home: string): LocalSecrets {
  const { network } = (readSecretsFile(home) ?? {}) as Partial<LocalSecrets>;
  return loadOrMakeSecrets(home, network ?? 'simulator');
}

function readSecretsFile(home: string): unknown {
  const path = join(home, 'secrets.json');
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    // A parser's message may quote the text, and the text is secret.
    throw damaged(path, error instanceof SyntaxError ? 'it is not valid JSON' : 'it cannot be read');
  }
}

/** A folder of an earlier release lacks what only signs for an hour: that can be made anew. */
function completed(content: unknown, path: string): unknown {
  if (typeof content !== 'object' || content === null || 'mediaUrlSecret' in content) return content;
  const whole = { ...content, mediaUrlSecret: token() };
  if (secretsSchema.safeParse(whole).success) writePrivateJson(path, whole);
  return whole;
}

const token = () => randomBytes(32).toString('base64url');

// Credentials of one network must never be shown to another.
function forNetwork(secrets: LocalSecrets, network: LocalSecrets['network'], home: string): LocalSecrets {
  if (secrets.network === network) return secrets;
  throw new StartProblem(
    `The state folder ${home} belongs to NETWORK=${secrets.network}. Set HELIOGRAPH_HOME to another folder for NETWORK=${network}.`,
  );
}

function damaged(path: string, what: string): StartProblem {
  return new StartProblem(
    `The secrets file ${path} is damaged: ${what}. Restore it from a backup, or delete the whole state folder to start afresh.`,
  );
}

function makeSecrets(network: LocalSecrets['network']): LocalSecrets {
  const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  return secretsSchema.parse({
    jwtPrivateKey: { ...jwk, kid: randomUUID(), alg: 'EdDSA' },
    webhookSealingKey: randomBytes(32).toString('base64'),
    keyChecksumSecret: token(),
    mediaUrlSecret: token(),
    vaultKey: randomBytes(32).toString('base64'),
    bridgeToken: token(),
    bootstrapToken: token(),
    admin: { email: 'admin@heliograph.local', password: randomBytes(12).toString('base64url') },
    network,
  });
}
