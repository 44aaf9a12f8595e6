import {
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';

// DER headers of an X25519 key; the 32 raw bytes follow.
const privateHeader = Buffer.from('302e020100300506032b656e04220420', 'hex');
const publicHeader = Buffer.from('302a300506032b656e032100', 'hex');

export type DhKeyPair = { publicKey: Buffer; privateKey: KeyObject };

export function generateDhKeyPair(): DhKeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('x25519');
  return {
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).subarray(publicHeader.length),
    privateKey,
  };
}

/** A key pair from its 32 private bytes. */
export function dhKeyPairFrom(privateBytes: Uint8Array): DhKeyPair {
  const privateKey = createPrivateKey({
    key: Buffer.concat([privateHeader, privateBytes]),
    format: 'der',
    type: 'pkcs8',
  });
  const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  return { publicKey: spki.subarray(publicHeader.length), privateKey };
}

/** The shared secret of 32 bytes. Throws for a public key of another length. */
export function sharedSecret(own: DhKeyPair, theirPublic: Uint8Array): Buffer {
  if (theirPublic.length !== 32) throw new Error(`a public key has 32 bytes, not ${theirPublic.length}`);
  const publicKey = createPublicKey({
    key: Buffer.concat([publicHeader, theirPublic]),
    format: 'der',
    type: 'spki',
  });
  return diffieHellman({ privateKey: own.privateKey, publicKey });
}
