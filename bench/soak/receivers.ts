import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How a receiver fails, and how often: every n-th callback. `null` answers all of them. */
export type Failing = { how: 'error' | 'hang' | 'reset'; every: number } | null;

interface CallbackBody {
  id: string;
  event: string;
  data: { messageId?: string; providerMessageId?: string; text?: string };
}

/** A customer's endpoint. It keeps what it has taken by event id, and how often each came. */
export class SoakReceiver {
  readonly failing: Failing;
  webhookId = '';
  /** Event ids by what they tell of: `<event> <message id>`. */
  readonly idsOf = new Map<string, Set<string>>();
  /** Texts of `message.received`, with their event ids. */
  readonly inbound = new Map<string, Set<string>>();
  callbacks = 0;
  repeats = 0;
  readonly #seen = new Set<string>();
  readonly #server: Server;

  private constructor(failing: Failing) {
    this.failing = failing;
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => this.#take(Buffer.concat(chunks).toString('utf8'), response));
    });
  }

  static async start(failing: Failing = null): Promise<SoakReceiver> {
    const receiver = new SoakReceiver(failing);
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #take(text: string, response: ServerResponse): void {
    this.callbacks += 1;
    if (this.failing && this.callbacks % this.failing.every === 0) {
      if (this.failing.how === 'error') response.writeHead(500).end('no');
      if (this.failing.how === 'reset') response.socket?.resetAndDestroy();
      return;
    }
    // What is kept is kept before the answer, as a careful customer does.
    this.#keep(JSON.parse(text));
    response.writeHead(204).end();
  }

  #keep({ id, event, data }: CallbackBody): void {
    if (this.failing !== null) return;
    if (this.#seen.has(id)) {
      this.repeats += 1;
      return;
    }
    this.#seen.add(id);
    if (event === 'message.received') add(this.inbound, data.text ?? '', id);
    else if (data.messageId) add(this.idsOf, `${event} ${data.messageId}`, id);
  }
}

function add(map: Map<string, Set<string>>, key: string, value: string): void {
  const known = map.get(key);
  if (known) known.add(value);
  else map.set(key, new Set([value]));
}
