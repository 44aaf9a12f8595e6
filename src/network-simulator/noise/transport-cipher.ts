import { createSecretKey, type KeyObject } from 'node:crypto';
import { open, seal } from './aead.ts';

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
