import { randomBytes } from 'node:crypto';
import type { LocalSecrets } from '../local/home/secrets.ts';
import { isStrongKey, isStrongText, strongKeyMust, strongTextMust } from '../settings/secrets.ts';
import type { HomeCopy } from './manifest.ts';
import { BackupProblem } from './problem.ts';

/** Those whose names differ by more than their form; the others are `mediaUrlSecret` here and `MEDIA_URL_SECRET` there. */
const otherNames: Record<string, string> = { bridgeToken: 'BRIDGE_ENROLMENT_TOKEN' };

const entries = Object.entries(otherNames);

/** `MEDIA_URL_SECRET` of `mediaUrlSecret`, and the same of `…Previous`. */
function deploymentName(name: string): string {
  const [own = '', other = ''] = entries.find(([it]) => name.startsWith(it)) ?? [];
  return (
    other +
    name
      .slice(own.length)
      .replaceAll(/[A-Z]/g, (letter) => `_${letter}`)
      .toUpperCase()
  );
}

/** The other way round. */
export function localName(name: string): string {
  const [own = '', other = ''] = entries.find(([, it]) => name.startsWith(it)) ?? [];
  const rest = name.slice(other.length).toLowerCase();
  return own + rest.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Whether they are those of a state folder, by their names. */
const isLocal = (secrets: HomeCopy['secrets']): boolean => 'webhookSealingKey' in secrets;

/** The secrets by the names that a deployment and its bridges have for them. */
export function deploymentSecrets(secrets: HomeCopy['secrets']): Record<string, string> {
  if (!isLocal(secrets)) return secrets as Record<string, string>;
  const { admin: _, network: __, ...own } = secrets;
  return Object.fromEntries(
    Object.entries(own).map(([name, secret]) => [
      deploymentName(name),
      typeof secret === 'string' ? secret : JSON.stringify(secret),
    ]),
  );
}

const needed = [
  'JWT_PRIVATE_KEY',
  'WEBHOOK_SEALING_KEY',
  'KEY_CHECKSUM_SECRET',
  'MEDIA_URL_SECRET',
  'BOOTSTRAP_TOKEN',
  'VAULT_KEY',
];

const keys = ['WEBHOOK_SEALING_KEY', 'VAULT_KEY'];
const texts = ['KEY_CHECKSUM_SECRET', 'MEDIA_URL_SECRET', 'BOOTSTRAP_TOKEN', 'BRIDGE_ENROLMENT_TOKEN'];

/** What the first one of these that no gateway or bridge would take has to be; null: there is none. It quotes nothing of them. */
export function unfitSecret(secrets: HomeCopy['secrets']): string | null {
  for (const [name, secret] of Object.entries(deploymentSecrets(secrets))) {
    const own = name.replace(/_PREVIOUS$/, '');
    const isText = typeof secret === 'string';
    if (keys.includes(own) && !(isText && isStrongKey(secret))) return `${name} must be ${strongKeyMust}.`;
    if (texts.includes(own) && !(isText && isStrongText(secret))) return `${name} must be ${strongTextMust}.`;
    if (own === 'JWT_PRIVATE_KEY' && !(isText && isJson(secret)))
      return `${name} must be the JWK of a private Ed25519 key.`;
  }
  return null;
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

/** Those of a state folder, made of whichever the backup holds; `network`: of the sessions. Throws `BackupProblem` where some are missing. */
export function localSecrets(secrets: HomeCopy['secrets'], network: LocalSecrets['network']): LocalSecrets {
  if (isLocal(secrets)) return secrets as LocalSecrets;
  const missing = needed.filter((name) => typeof secrets[name] !== 'string');
  if (missing.length > 0)
    throw new BackupProblem(
      `These secrets of the deployment are missing: ${missing.join(', ')}. Say --secrets FILE.`,
    );
  const own: Record<string, unknown> = { bridgeToken: randomBytes(32).toString('base64url') };
  for (const [name, secret] of Object.entries(secrets)) own[localName(name)] = secret;
  return {
    ...(own as LocalSecrets),
    jwtPrivateKey: JSON.parse(String(secrets.JWT_PRIVATE_KEY)),
    ...(typeof secrets.JWT_PRIVATE_KEY_PREVIOUS === 'string' && {
      jwtPrivateKeyPrevious: JSON.parse(secrets.JWT_PRIVATE_KEY_PREVIOUS),
    }),
    admin: { email: 'admin@heliograph.local', password: randomBytes(12).toString('base64url') },
    network,
  };
}
