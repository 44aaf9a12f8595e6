import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { deploymentSecrets, localSecrets, unfitSecret } from '../../../src/backup/secret-names.ts';

const jwk = { kty: 'OKP', crv: 'Ed25519', kid: 'k', alg: 'EdDSA', d: 'd', x: 'x' };
const ofDeployment = {
  JWT_PRIVATE_KEY: JSON.stringify(jwk),
  JWT_PRIVATE_KEY_PREVIOUS: JSON.stringify({ ...jwk, kid: 'before' }),
  WEBHOOK_SEALING_KEY: 'sealing',
  WEBHOOK_SEALING_KEY_PREVIOUS: 'sealing before',
  KEY_CHECKSUM_SECRET: 'checksum',
  MEDIA_URL_SECRET: 'media',
  BOOTSTRAP_TOKEN: 'operator',
  VAULT_KEY: 'vault',
  BRIDGE_ENROLMENT_TOKEN: 'bridges',
  BRIDGE_ENROLMENT_TOKEN_PREVIOUS: 'bridges before',
};

test('the secrets of a deployment become those of a state folder, and back', () => {
  const own = localSecrets(ofDeployment, 'whatsapp');
  expect(own).toMatchObject({
    jwtPrivateKey: jwk,
    jwtPrivateKeyPrevious: { kid: 'before' },
    webhookSealingKeyPrevious: 'sealing before',
    bridgeToken: 'bridges',
    bootstrapToken: 'operator',
    network: 'whatsapp',
    admin: { email: 'admin@heliograph.local' },
  });
  expect(deploymentSecrets(own)).toEqual(ofDeployment);
});

test('a deployment without a token for all bridges gets one as a state folder, and what it lacks is named', () => {
  const { BRIDGE_ENROLMENT_TOKEN: _, ...without } = ofDeployment;
  expect(localSecrets(without, 'whatsapp').bridgeToken).toMatch(/^[\w-]{43}$/);
  const { VAULT_KEY: __, MEDIA_URL_SECRET: ___, ...lacking } = ofDeployment;
  expect(() => localSecrets(lacking, 'whatsapp')).toThrow(
    'These secrets of the deployment are missing: MEDIA_URL_SECRET, VAULT_KEY. Say --secrets FILE.',
  );
});

const key = () => randomBytes(32).toString('base64');
const fit: Record<string, string> = {
  JWT_PRIVATE_KEY: JSON.stringify(jwk),
  WEBHOOK_SEALING_KEY: key(),
  KEY_CHECKSUM_SECRET: key(),
  MEDIA_URL_SECRET: key(),
  BOOTSTRAP_TOKEN: key(),
  VAULT_KEY: key(),
  BRIDGE_ENROLMENT_TOKEN: key(),
  SMTP_PASSWORD: 'short',
};

test('secrets that gateway and bridges take are none that is unfit, under the names of either', () => {
  expect(unfitSecret(fit)).toBeNull();
  expect(unfitSecret(localSecrets(fit, 'whatsapp'))).toBeNull();
  expect(unfitSecret({})).toBeNull();
});

test.each([
  ['VAULT_KEY', 'base64 of 32 bytes'],
  ['VAULT_KEY_PREVIOUS', 'base64 of 32 bytes'],
  ['WEBHOOK_SEALING_KEY', 'base64 of 32 bytes'],
  ['KEY_CHECKSUM_SECRET', 'at least 32 characters'],
  ['MEDIA_URL_SECRET_PREVIOUS', 'at least 32 characters'],
  ['BOOTSTRAP_TOKEN', 'at least 32 characters'],
  ['BRIDGE_ENROLMENT_TOKEN', 'at least 32 characters'],
  ['JWT_PRIVATE_KEY', 'the JWK of a private Ed25519 key'],
])('a %s that is none is named, and not shown', (name, must) => {
  for (const secret of ['guessable', '', 7, null]) {
    const told = unfitSecret({ ...fit, [name]: secret });
    expect(told).toContain(`${name} must be ${must}`);
    expect(told).not.toContain('guessable');
  }
});
