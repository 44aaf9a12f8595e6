import { makeSecret, random32Bytes } from '../deploy/wanted/worker-secrets.ts';

/** The secrets of one gateway and its bridges, by the names that a deployment has for them. */
export type Secrets = Record<string, string>;

/** Where the secrets of one gateway are kept, and how they come into force. */
export interface Target {
  /** Throws `DeployProblem` where there is none, or what is kept is damaged. */
  read(): Secrets;
  /** Keeps all of them, and forgets those that are not named. */
  write(secrets: Secrets): void;
  /** Puts these into force, and takes away those that are null. */
  apply(secret: ReplacedSecret, values: Record<string, string | null>): Promise<void>;
  /** Asks the gateway as its operator; null where it does not run, or does not know this operator. */
  ask(path: string): Promise<unknown>;
  /** Whether what is put into force is known everywhere only a while later. */
  isSpreadOut: boolean;
  /** What whoever has replaced this secret has to do now. */
  afterwards(secret: ReplacedSecret): string[];
  /** How the command was called, but for the flags. */
  command(name: string): string;
}

/** Of one secret: where it is, and how the one before it goes on. */
export interface ReplacedSecret {
  name: SecretName;
  /** Who has it: the Worker, or the session bridges alone. */
  isOf: 'worker' | 'bridges';
  make: () => string;
  /** Null: the one before is not accepted any more, once there is a new one. */
  previous: {
    /** So long it goes on at least, whatever else is true. */
    keptForMs: number;
    /** What ends it beside the time. */
    until: 'time' | 'resealed' | 'keys' | 'vaults';
  } | null;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

export const secretNames = [
  'JWT_PRIVATE_KEY',
  'WEBHOOK_SEALING_KEY',
  'KEY_CHECKSUM_SECRET',
  'MEDIA_URL_SECRET',
  'VAULT_KEY',
  'BOOTSTRAP_TOKEN',
  'BRIDGE_ENROLMENT_TOKEN',
] as const;
export type SecretName = (typeof secretNames)[number];

const of = (name: SecretName, more: Partial<ReplacedSecret> = {}): ReplacedSecret => ({
  name,
  isOf: 'worker',
  make: () => makeSecret(name),
  previous: null,
  ...more,
});

export const replacedSecrets: Readonly<Record<SecretName, ReplacedSecret>> = {
  // Whoever is signed in gets a token of the new key within a quarter of an hour; who is away for a day signs in again.
  JWT_PRIVATE_KEY: of('JWT_PRIVATE_KEY', { previous: { keptForMs: 24 * hourMs, until: 'time' } }),
  WEBHOOK_SEALING_KEY: of('WEBHOOK_SEALING_KEY', { previous: { keptForMs: 0, until: 'resealed' } }),
  KEY_CHECKSUM_SECRET: of('KEY_CHECKSUM_SECRET', { previous: { keptForMs: 0, until: 'keys' } }),
  // URLs of files are good for an hour.
  MEDIA_URL_SECRET: of('MEDIA_URL_SECRET', { previous: { keptForMs: hourMs + minuteMs, until: 'time' } }),
  VAULT_KEY: of('VAULT_KEY', {
    isOf: 'bridges',
    make: random32Bytes,
    previous: { keptForMs: 0, until: 'vaults' },
  }),
  BOOTSTRAP_TOKEN: of('BOOTSTRAP_TOKEN'),
  BRIDGE_ENROLMENT_TOKEN: of('BRIDGE_ENROLMENT_TOKEN'),
};

export const previousOf = (name: SecretName): string => `${name}_PREVIOUS`;
/** When it was replaced, as ISO 8601: it stands beside the secrets. */
export const replacedAtOf = (name: SecretName): string => `${name}_REPLACED_AT`;
