import { decodeBinaryNode, encodeBinaryNode, type proto } from '@whiskeysockets/baileys';
import type { WebSocket } from 'ws';
import type { Device, DeviceLink, User } from '../accounts/user.ts';
import type { Logger } from '../log.ts';
import { FrameReader, frame } from '../noise/frames.ts';
import { generateDhKeyPair, ServerHandshake, type TransportCipher } from '../noise/server-handshake.ts';
import type { ServerIdentity } from '../noise/server-identity.ts';
import type { Store } from '../store.ts';
import type { Stanza } from './stanza.ts';

export type ConnectionHandlers = {
  /** The handshake is over; `payload` is the encoded `ClientPayload`. */
  opened(connection: ClientConnection, payload: Uint8Array): void | Promise<void>;
  received(connection: ClientConnection, stanza: Stanza): void | Promise<void>;
  closed(connection: ClientConnection): void;
};

/** What a connection that is not logged in keeps while it is being linked. */
type Registration = {
  payload: proto.ClientPayload.IDevicePairingRegistrationData;
  pushName: string | undefined;
  platform: string;
};

/** What a connection needs of the network. */
type Surroundings = { serverIdentity: ServerIdentity; store: Store; log: Logger };

const closeGraceMs = 2_000;

/** One client's WebSocket: handshake, frames, stanzas, in the order they come. */
export class ClientConnection implements DeviceLink {
  readonly #network: Surroundings;
  readonly #socket: WebSocket;
  readonly #handlers: ConnectionHandlers;
  readonly #reader = new FrameReader();
  readonly #handshake: ServerHandshake;
  #helloRead = false;
  #transport: TransportCipher | undefined;
  #work = Promise.resolve();
  #open = true;

  /** The key the client proved to hold in the handshake. */
  clientKey: Buffer = Buffer.alloc(0);
  device: Device | undefined;
  registration: Registration | undefined;
  caughtUp = false;
  /** What of its queue it has been handed since the login: up to which place, and how many. */
  readonly offline = { last: 0, sent: 0 };
  /** Messages the device could not read and asked for again: the error that follows is no confirmation. */
  readonly askedAgain = new Set<string>();
  readonly watched = new Set<User>();

  constructor(network: Surroundings, socket: WebSocket, handlers: ConnectionHandlers) {
    this.#network = network;
    this.#socket = socket;
    this.#handlers = handlers;
    const { identity, certificateChain } = network.serverIdentity;
    this.#handshake = new ServerHandshake({ ephemeral: generateDhKeyPair(), identity, certificateChain });
    socket.on('message', (data: Buffer) => {
      this.#work = this.#work.then(() => this.#read(data)).catch((error: unknown) => this.#fail(error));
    });
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      this.#open = false;
      handlers.closed(this);
    });
  }

  send(stanza: Stanza): void {
    this.sendEncoded(encodeBinaryNode(stanza));
  }

  sendEncoded(encoded: Uint8Array): void {
    this.#network.store.afterCommit(() => {
      if (this.#open && this.#transport) this.#socket.send(frame(this.#transport.seal(encoded)));
    });
  }

  end(lastWord: Stanza): void {
    this.send(lastWord);
    this.#network.store.afterCommit(() => {
      this.#open = false;
      this.#socket.close();
      // A client that does not answer the close is cut off.
      setTimeout(() => this.#socket.terminate(), closeGraceMs).unref();
    });
  }

  cut(): void {
    this.#socket.terminate();
  }

  async #read(data: Buffer): Promise<void> {
    for (const bytes of this.#reader.push(data)) {
      if (!this.#open) return;
      if (this.#transport) {
        await this.#handlers.received(this, await decodeBinaryNode(this.#transport.open(bytes)));
      } else if (!this.#helloRead) {
        this.#helloRead = true;
        this.#socket.send(frame(this.#handshake.readClientHello(bytes)));
      } else {
        const { clientKey, payload, transport } = this.#handshake.readClientFinish(bytes);
        this.clientKey = clientKey;
        this.#transport = transport;
        await this.#handlers.opened(this, payload);
      }
    }
  }

  #fail(error: unknown): void {
    this.#network.log.warn({ reason: String(error) }, 'connection.failed');
    this.cut();
  }
}
