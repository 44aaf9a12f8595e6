import {
  type CipherKey,
  createCipheriv,
  createDecipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';
import { proto } from '@whiskeysockets/baileys';

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
function sharedSecret(own: DhKeyPair, theirPublic: Uint8Array): Buffer {
  if (theirPublic.length !== 32) throw new Error(`a public key has 32 bytes, not ${theirPublic.length}`);
  const publicKey = createPublicKey({
    key: Buffer.concat([publicHeader, theirPublic]),
    format: 'der',
    type: 'spki',
  });
  return diffieHellman({ privateKey: own.privateKey, publicKey });
}

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
function seal(key: CipherKey, counter: number, plain: Uint8Array, associated: Uint8Array): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce(counter));
  cipher.setAAD(associated);
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Throws when the tag does not fit. */
function open(key: CipherKey, counter: number, sealed: Uint8Array, associated: Uint8Array): Buffer {
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

/** The first bytes of a client: `WA`, protocol 6, token dictionary 3. They are part of the handshake hash. */
export const clientIntro = Buffer.from([0x57, 0x41, 6, 3]);
const pattern = Buffer.from('Noise_XX_25519_AESGCM_SHA256\0\0\0\0', 'latin1');

type HandshakeKeys = { ephemeral: DhKeyPair; identity: DhKeyPair; certificateChain: Uint8Array };
type HandshakeResult = { clientKey: Buffer; payload: Buffer; transport: TransportCipher };

/** The server's half of Noise XX: `readClientHello`, then `readClientFinish`, each once. Both throw on bad input. */
export class ServerHandshake {
  readonly #keys: HandshakeKeys;
  #hash: Buffer = pattern;
  #salt: Buffer = pattern;
  #key: Buffer = pattern;
  #counter = 0;

  constructor(keys: HandshakeKeys) {
    this.#keys = keys;
    this.#mixHash(clientIntro);
  }

  /** Takes the client's ephemeral key; answers the server's hello, ready to be framed. */
  readClientHello(message: Uint8Array): Uint8Array {
    const ephemeral = proto.HandshakeMessage.decode(message).clientHello?.ephemeral;
    if (!ephemeral) throw new Error('the client hello bears no ephemeral key');
    const own = this.#keys;
    this.#mixHash(ephemeral);
    this.#mixHash(own.ephemeral.publicKey);
    this.#mixKey(sharedSecret(own.ephemeral, ephemeral));
    const sealedIdentity = this.#encrypt(own.identity.publicKey);
    this.#mixKey(sharedSecret(own.identity, ephemeral));
    const payload = this.#encrypt(own.certificateChain);
    return proto.HandshakeMessage.encode({
      serverHello: { ephemeral: own.ephemeral.publicKey, static: sealedIdentity, payload },
    }).finish();
  }

  /** Takes the client's static key and payload; the handshake is over then. */
  readClientFinish(message: Uint8Array): HandshakeResult {
    const finish = proto.HandshakeMessage.decode(message).clientFinish;
    if (!finish?.static || !finish.payload) throw new Error('the client finish bears no key or no payload');
    const clientKey = this.#decrypt(finish.static);
    this.#mixKey(sharedSecret(this.#keys.ephemeral, clientKey));
    const payload = this.#decrypt(finish.payload);
    const [clientToServer, serverToClient] = this.#derive(Buffer.alloc(0));
    return { clientKey, payload, transport: new TransportCipher(clientToServer, serverToClient) };
  }

  #mixHash(data: Uint8Array): void {
    this.#hash = createHash('sha256').update(this.#hash).update(data).digest();
  }

  #mixKey(secret: Uint8Array): void {
    [this.#salt, this.#key] = this.#derive(secret);
    this.#counter = 0;
  }

  #derive(secret: Uint8Array): [Buffer, Buffer] {
    const both = Buffer.from(hkdfSync('sha256', secret, this.#salt, Buffer.alloc(0), 64));
    return [both.subarray(0, 32), both.subarray(32)];
  }

  #encrypt(plain: Uint8Array): Buffer {
    const sealed = seal(this.#key, this.#counter++, plain, this.#hash);
    this.#mixHash(sealed);
    return sealed;
  }

  #decrypt(sealed: Uint8Array): Buffer {
    const plain = open(this.#key, this.#counter++, sealed, this.#hash);
    this.#mixHash(sealed);
    return plain;
  }
}
