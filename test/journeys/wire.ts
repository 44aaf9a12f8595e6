import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { SocketFrames } from './socket-frames.ts';

/** A wire to a port of this machine that can be cut, and that counts what is said over it. */
export class Wire {
  /** Binary messages that went up over WebSockets. */
  said = 0;
  #isCut = false;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(port: number) {
    this.#server = createServer((near) => {
      if (this.#isCut) {
        near.destroy();
        return;
      }
      const far = connect(port, '127.0.0.1');
      const frames = new SocketFrames();
      near.on('data', (bytes: Buffer) => {
        this.said += frames.binary(bytes);
        far.write(bytes);
      });
      far.pipe(near);
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(one);
        one.on('error', () => other.destroy());
        one.on('close', () => {
          this.#sockets.delete(one);
          other.destroy();
        });
      }
    });
  }

  static async to(port: number): Promise<Wire> {
    const wire = new Wire(port);
    wire.#server.listen(0, '127.0.0.1');
    await once(wire.#server, 'listening');
    return wire;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Ends every connection and takes no new one. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  mend(): void {
    this.#isCut = false;
  }

  close(): void {
    this.cut();
    this.#server.close();
  }
}
