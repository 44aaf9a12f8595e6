import { expect, test } from 'vitest';
import { deploymentSecrets, localSecrets } from '../../../src/backup/secret-names.ts';

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
