import {
  type CipherKey,
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  type KeyObject,
} from 'node:crypto';

const noAssociatedData = Buffer.alloc(0);

/** The two directions after the handshake, each with a key and a counter of its own. */
export class TransportCipher {
  readonly #readKey: KeyObject;
  readonly #writeKey: KeyObject;
  #readCounter = 0;
  #writeCounter = 0;

  constructor(readKey: Uint8Array, writeKey: Uint8Array) {
    this.#readKey = createSecretKey(readKey);
    this.#writeKey = createSecretKey(writeKey);
  }

  /** Frames must be opened in the order they came in. */
  open(sealed: Uint8Array): Buffer {
    return open(this.#readKey, this.#readCounter++, sealed, noAssociatedData);
  }

  /** Frames must leave in the order they were sealed. */
  seal(plain: Uint8Array): Buffer {
    return seal(this.#writeKey, this.#writeCounter++, plain, noAssociatedData);
  }
}

const tagBytes = 16;

/** AES-256-GCM; the nonce is eight zero bytes and the counter as 32 bits, the tag follows the ciphertext. */
export function seal(key: CipherKey, counter: number, plain: Uint8Array, associated: Uint8Array): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce(counter));
  cipher.setAAD(associated);
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Throws when the tag does not fit. */
export function open(key: CipherKey, counter: number, sealed: Uint8Array, associated: Uint8Array): Buffer {
  if (sealed.length < tagBytes) throw new Error('a sealed frame is shorter than its tag');
  const decipher = createDecipheriv('aes-256-gcm', key, nonce(counter));
  decipher.setAAD(associated);
  decipher.setAuthTag(sealed.subarray(sealed.length - tagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(0, sealed.length - tagBytes)), decipher.final()]);
}

function nonce(counter: number): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt32BE(counter, 8);
  return bytes;
}
