import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A wire to the network that can be made deaf: what is sent still arrives there, and no answer comes back. */
export class DeafWire {
  isDeaf = false;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(networkPort: number) {
    this.#server = createServer((near) => {
      const far = connect(networkPort, '127.0.0.1');
      this.#sockets.add(near).add(far);
      near.pipe(far);
      far.on('data', (bytes) => this.isDeaf || near.write(bytes));
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        one.on('error', () => other.destroy());
        one.on('close', () => other.destroy());
      }
    });
  }

  static async open(networkPort: number): Promise<DeafWire> {
    const wire = new DeafWire(networkPort);
    wire.#server.listen(0, '127.0.0.1');
    await once(wire.#server, 'listening');
    return wire;
  }

  get socketUrl(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}/ws/chat`;
  }

  /** Breaks every connection, as a network does. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  close(): void {
    this.cut();
    this.#server.close();
  }
}
