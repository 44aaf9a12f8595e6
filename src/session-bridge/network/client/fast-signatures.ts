import { createHash, createPublicKey, randomBytes, verify } from 'node:crypto';
import { createRequire } from 'node:module';
import { ed25519 } from '@noble/curves/ed25519.js';
import { bytesToNumberLE } from '@noble/curves/utils.js';

/** What the Signal library's module of curves gives to the client. */
interface Curves {
  calculateSignature(privateKey: Uint8Array, message: Uint8Array): Buffer;
  verifySignature(
    publicKey: Uint8Array,
    message: Uint8Array,
    signature: Uint8Array,
    isInit?: boolean,
  ): boolean;
}

const { BASE, Fp, Fn } = ed25519.Point;

/**
 * Whether the holder of this Curve25519 key (32 bytes) has signed the message; 64 bytes of signature. XEdDSA is Ed25519
 * under the same key as a point of the other curve, y = (u - 1) / (u + 1), whose sign stands in the signature's last bit:
 * https://signal.org/docs/specifications/xeddsa/
 */
export function isSigned(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (publicKey.length !== 32 || signature.length !== 64) return false;
  const u = bytesToNumberLE(publicKey) % 2n ** 255n;
  // By Fermat, as the specification has it: the inverse of 0 is 0.
  const inverse = Fp.pow(Fp.create(u + 1n), Fp.ORDER - 2n);
  const point = Fp.toBytes(Fp.mul(Fp.create(u - 1n), inverse));
  const plain = Buffer.from(signature);
  const last = plain[63] ?? 0;
  point[31] = (point[31] ?? 0) | (last & 0x80);
  plain[63] = last & 0x7f;
  const key = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(point).toString('base64url') };
  return verify(null, message, createPublicKey({ key, format: 'jwk' }), plain);
}

const hashed = (...parts: Uint8Array[]) => {
  const hash = createHash('sha512');
  for (const part of parts) hash.update(part);
  return Fn.create(bytesToNumberLE(hash.digest()));
};
/** Keeps apart what is hashed for the nonce and for the signature, as XEdDSA has it. */
const nonceMark = Buffer.alloc(32, 0xff).fill(0xfe, 0, 1);

/**
 * Signs with a Curve25519 key (32 bytes). Returns 64 bytes of signature, which {@link isSigned} verifies. Like the Signal
 * library, it puts the sign of the key's point into the signature's last bit, where XEdDSA would negate the key.
 */
export function signatureOf(privateKey: Uint8Array, message: Uint8Array): Buffer {
  const clamped = Buffer.from(privateKey);
  clamped[0] = (clamped[0] ?? 0) & 0xf8;
  clamped[31] = ((clamped[31] ?? 0) & 0x7f) | 0x40;
  const key = Fn.create(bytesToNumberLE(clamped));
  const nonce = hashed(nonceMark, clamped, message, randomBytes(64));
  const publicKey = BASE.multiply(key).toBytes();
  const commitment = BASE.multiply(nonce).toBytes();
  const scalar = Fn.toBytes(Fn.add(nonce, Fn.mul(hashed(commitment, publicKey, message), key)));
  scalar[31] = (scalar[31] ?? 0) | ((publicKey[31] ?? 0) & 0x80);
  return Buffer.concat([commitment, scalar]);
}

/**
 * The Signal library signs and verifies in its own JavaScript, which takes 10 ms of CPU each: for each login, and for each
 * message to or from a group. Here it takes less than 1 ms, with the same result. Import this before the client, since the
 * client captures the functions when it is loaded.
 */
const curves: Curves = createRequire(import.meta.resolve('@whiskeysockets/baileys'))(
  'libsignal/src/curve.js',
);
const { calculateSignature, verifySignature } = curves;
const keyType = 5;
curves.verifySignature = (publicKey, message, signature, isInit) => {
  const isUsual = publicKey?.length === 33 && publicKey[0] === keyType && signature?.length === 64;
  if (!isUsual || isInit || !message) return verifySignature(publicKey, message, signature, isInit);
  return isSigned(publicKey.subarray(1), message, signature);
};
curves.calculateSignature = (privateKey, message) => {
  const isUsual = privateKey instanceof Buffer && privateKey.length === 32 && message?.length > 0;
  return isUsual ? signatureOf(privateKey, message) : calculateSignature(privateKey, message);
};
