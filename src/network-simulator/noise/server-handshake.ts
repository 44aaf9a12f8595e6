import { createHash, hkdfSync } from 'node:crypto';
import { proto } from '@whiskeysockets/baileys';
import { open, seal, TransportCipher } from './transport-cipher.ts';
import { type DhKeyPair, sharedSecret } from './x25519.ts';

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
