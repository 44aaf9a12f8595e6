import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { deploymentSecrets } from '../../../src/backup/secret-names.ts';
import { loadOrMakeSecrets } from '../../../src/local/home/secrets.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'heliograph-home-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const load = () => loadOrMakeSecrets(home, 'simulator');
const file = () => join(home, 'secrets.json');
const change = (more: object) =>
  writeFileSync(file(), JSON.stringify({ ...JSON.parse(readFileSync(file(), 'utf8')), ...more }));

test('a state folder holds the secrets before, and a deployment that is made of it gets them too', () => {
  load();
  const [key, jwk] = [load().webhookSealingKey, load().jwtPrivateKey];
  rmSync(file());
  load();
  change({ webhookSealingKeyPrevious: key, jwtPrivateKeyPrevious: jwk });
  expect(load()).toMatchObject({ webhookSealingKeyPrevious: key, jwtPrivateKeyPrevious: jwk });
  expect(deploymentSecrets(load())).toMatchObject({
    WEBHOOK_SEALING_KEY_PREVIOUS: key,
    JWT_PRIVATE_KEY_PREVIOUS: JSON.stringify(jwk),
  });
});

test.each([
  ['vaultKeyPrevious', 'c2hvcnQ='],
  ['webhookSealingKeyPrevious', Buffer.alloc(32, 1).toString('base64')],
  ['keyChecksumSecretPrevious', 'short-and-guessable'],
  ['mediaUrlSecretPrevious', 'x'.repeat(40)],
  ['keyChecksumSecret', 'x'.repeat(40)],
])('a state folder whose %s is weak starts nothing, and says which it is', (name, value) => {
  load();
  change({ [name]: value });
  expect(load).toThrow(`these values are missing or malformed: ${name}`);
  expect(load).not.toThrow(value);
});

test('a secret that is said to be the one before itself is none', () => {
  const { vaultKey } = load();
  change({ vaultKeyPrevious: vaultKey });
  expect(load).toThrow('these values are missing or malformed: vaultKeyPrevious');
});
