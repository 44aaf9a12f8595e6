import { createPublicKey, verify } from 'node:crypto';

const prime = 2n ** 255n - 19n;
const ed25519Header = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * Whether `signature` (64 bytes) is an XEdDSA signature of the holder of an X25519 public key (32 bytes). Written here
 * with Node's own Ed25519, because the check that Baileys exports answers true for any signature.
 */
export function isSignedBy(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (publicKey.length !== 32 || signature.length !== 64) return false;
  const u = littleEndian(publicKey) & (2n ** 255n - 1n);
  const y = (((u - 1n + prime) % prime) * inverse((u + 1n) % prime)) % prime;
  const edwards = Buffer.alloc(32);
  for (let index = 0, rest = y; index < 32; index++, rest >>= 8n) edwards[index] = Number(rest & 0xffn);
  // The sign of the Edwards point travels in the highest bit of the signature.
  const plainSignature = Buffer.from(signature);
  const lastByte = plainSignature.readUInt8(63);
  edwards.writeUInt8(edwards.readUInt8(31) | (lastByte & 0x80), 31);
  plainSignature.writeUInt8(lastByte & 0x7f, 63);
  const key = createPublicKey({
    key: Buffer.concat([ed25519Header, edwards]),
    format: 'der',
    type: 'spki',
  });
  return verify(null, message, key, plainSignature);
}

function littleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
}

/** By Fermat: value^(prime - 2). */
function inverse(value: bigint): bigint {
  let result = 1n;
  let base = value;
  for (let exponent = prime - 2n; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = (result * base) % prime;
    base = (base * base) % prime;
  }
  return result;
}
