import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { SocketFrames } from './socket-frames.ts';

/** A wire to a port of this machine that can be cut, stalled or held, and that counts what is said over it. */
export class Wire {
  /** Binary messages that went up over WebSockets. */
  said = 0;
  #isCut = false;
  #isStalled = false;
  #isHeld = false;
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
        if (far.writable && !this.#isStalled) far.write(bytes);
      });
      far.on('data', (bytes: Buffer) => this.#isStalled || near.write(bytes));
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(one);
        one.on('error', () => other.destroy());
        one.on('close', () => {
          this.#sockets.delete(one);
          if (one === near || !this.#isHeld) other.destroy();
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

  /** Nothing arrives any more, either way, and nobody is told. Mending it ends these connections: what was said is lost. */
  stall(): void {
    this.#isStalled = true;
  }

  /** Whoever dialled does not learn that the other end has hung up, as over a line that is lost, and may go on speaking. */
  hold(): void {
    this.#isHeld = true;
  }

  mend(): void {
    if (this.#isStalled) this.cut();
    this.#isCut = false;
    this.#isStalled = false;
    this.#isHeld = false;
  }

  close(): void {
    this.cut();
    this.#server.close();
  }
}
