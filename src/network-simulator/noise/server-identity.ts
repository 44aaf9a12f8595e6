import { Curve, proto, WA_CERT_DETAILS } from '@whiskeysockets/baileys';
import { blob, type Store } from '../store.ts';
import { type DhKeyPair, dhKeyPairFrom } from './server-handshake.ts';

export type ServerIdentity = { identity: DhKeyPair; certificateChain: Buffer; rootPublicKey: Buffer };

const yearSeconds = 365 * 24 * 3600;

/**
 * The server's long-lived Noise key, and a correctly signed chain (root, intermediate, leaf) that vouches for it. Both
 * are made at the first start and kept. Baileys 7 takes the chain without knowing the root; a client that checks it
 * must be given `rootPublicKey`.
 */
export function loadServerIdentity(store: Store): ServerIdentity {
  const key = (name: string): Buffer => {
    const row = store.get('SELECT value FROM server_keys WHERE name = ?', name);
    if (row) return blob(row.value);
    const made = Buffer.from(Curve.generateKeyPair().private);
    store.write('INSERT INTO server_keys (name, value) VALUES (?, ?)', name, made);
    return made;
  };
  const rootPrivate = key('noise-root');
  const intermediatePrivate = key('noise-intermediate');
  const identity = dhKeyPairFrom(key('noise-identity'));
  const nowSeconds = Math.floor(Date.now() / 1000);
  const validity = { notBefore: nowSeconds - 24 * 3600, notAfter: nowSeconds + yearSeconds };
  const details = proto.CertChain.NoiseCertificate.Details;
  const intermediate = details
    .encode({
      serial: 3,
      issuerSerial: WA_CERT_DETAILS.SERIAL,
      key: dhKeyPairFrom(intermediatePrivate).publicKey,
      ...validity,
    })
    .finish();
  const leaf = details.encode({ serial: 4, issuerSerial: 3, key: identity.publicKey, ...validity }).finish();
  const chain = proto.CertChain.encode({
    intermediate: { details: intermediate, signature: Curve.sign(rootPrivate, intermediate) },
    leaf: { details: leaf, signature: Curve.sign(intermediatePrivate, leaf) },
  }).finish();
  return {
    identity,
    certificateChain: Buffer.from(chain),
    rootPublicKey: dhKeyPairFrom(rootPrivate).publicKey,
  };
}
