import { createPublicKey, verify } from 'node:crypto';
import { createRequire } from 'node:module';

/** What the Signal library's module of curves gives to the client. */
interface Curves {
  verifySignature(
    publicKey: Uint8Array,
    message: Uint8Array,
    signature: Uint8Array,
    isInit?: boolean,
  ): boolean;
}

const prime = 2n ** 255n - 19n;

/**
 * Whether the holder of this Curve25519 key (32 bytes) has signed the message; 64 bytes of signature. XEdDSA is Ed25519
 * under the same key as a point of the other curve, y = (u - 1) / (u + 1), whose sign stands in the signature's last bit:
 * https://signal.org/docs/specifications/xeddsa/
 */
export function isSigned(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const u = BigInt(`0x${Buffer.from(publicKey).reverse().toString('hex')}`) % 2n ** 255n;
  const y = remainder((u - 1n) * inverse(u + 1n));
  const point = Buffer.from(y.toString(16).padStart(64, '0'), 'hex').reverse();
  const plain = Buffer.from(signature);
  const last = plain[63] ?? 0;
  point[31] = (point[31] ?? 0) | (last & 0x80);
  plain[63] = last & 0x7f;
  const key = { kty: 'OKP', crv: 'Ed25519', x: point.toString('base64url') };
  return verify(null, message, createPublicKey({ key, format: 'jwk' }), plain);
}

const remainder = (value: bigint) => ((value % prime) + prime) % prime;

/** Fermat's; of 0 it is 0. */
function inverse(value: bigint): bigint {
  let [result, power] = [1n, remainder(value)];
  for (let exponent = prime - 2n; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = (result * power) % prime;
    power = (power * power) % prime;
  }
  return result;
}

/**
 * The Signal library verifies signatures in JavaScript, which takes 10 ms of a core each: two of them are half of what a
 * login takes. Here Node's own does it, with the same answer. Import this before the client, which takes the function as
 * it finds it.
 */
const curves: Curves = createRequire(import.meta.resolve('@whiskeysockets/baileys'))(
  'libsignal/src/curve.js',
);
const original = curves.verifySignature;
const keyType = 5;
curves.verifySignature = (publicKey, message, signature, isInit) => {
  const isUsual = publicKey?.length === 33 && publicKey[0] === keyType && signature?.length === 64;
  if (!isUsual || isInit || !message) return original(publicKey, message, signature, isInit);
  return isSigned(publicKey.subarray(1), message, signature);
};
