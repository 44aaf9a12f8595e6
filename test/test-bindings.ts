import { generateKeyPairSync, randomBytes } from 'node:crypto';

/** Caps are for the tests that are about them: others make as many of each as they need. */
const uncapped = Object.fromEntries(
  ['storageBytes', 'numbers', 'webhooks', 'keys', 'members', 'pairings'].map((name) => [name, 'unlimited']),
);

/** The secrets and variables of a Worker under test, where its configuration has others or none. */
export const testBindings = () => ({
  JWT_PRIVATE_KEY: JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })),
  WEBHOOK_SEALING_KEY: randomBytes(32).toString('base64'),
  KEY_CHECKSUM_SECRET: randomBytes(32).toString('base64url'),
  MEDIA_URL_SECRET: randomBytes(32).toString('base64url'),
  BRIDGE_ENROLMENT_TOKEN: randomBytes(32).toString('base64url'),
  BOOTSTRAP_TOKEN: randomBytes(32).toString('base64url'),
  WEBHOOK_TARGETS: 'loopback',
  OPERATOR_EMAILS: 'Operator@gateway.test',
  PLANS: JSON.stringify({ free: uncapped, small: { ...uncapped, storageBytes: 100_000 } }),
  FUZZ_SECONDS: process.env.FUZZ_SECONDS ?? '',
  FUZZ_SEED: process.env.FUZZ_SEED ?? '',
});
