import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { isSignedBy } from '../../../src/local/demo/demo-receiver.ts';

export interface Callback {
  headers: IncomingHttpHeaders;
  rawBody: string;
  id: string;
  event: string;
  timestamp: string;
  data: Record<string, string | boolean>;
}

/** A customer's endpoint: keeps every callback, and answers as it is told to. */
export class WebhookReceiver {
  readonly callbacks: Callback[] = [];
  /** The status of the answer to a callback; 204 unless a test says otherwise. */
  answer: (callback: Callback) => number = () => 204;
  /** It says `100 Continue` and `103 Early Hints` before its answers, as no callback asks it to. */
  saysInterim = false;
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const rawBody = Buffer.concat(chunks).toString('utf8');
      const { id, event, timestamp, data } = JSON.parse(rawBody);
      const callback = { headers: request.headers, rawBody, id, event, timestamp, data };
      const status = this.answer(callback);
      this.callbacks.push(callback);
      if (this.saysInterim) {
        response.writeContinue();
        response.writeEarlyHints({ link: '</style.css>; rel=preload' });
      }
      response.writeHead(status).end();
    });
  });

  static async start(): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver();
    await new Promise<void>((resolve) => receiver.#server.listen({ port: 0, host: '127.0.0.1' }, resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/callbacks`;
  }

  /** The callbacks about one message, in the order of their arrival. */
  about(messageId: string): Callback[] {
    return this.callbacks.filter(({ data }) => data.messageId === messageId);
  }

  async stop(): Promise<void> {
    await new Promise((resolve) => {
      this.#server.close(resolve);
      this.#server.closeAllConnections();
    });
  }
}

/** Whether both signatures of a callback were made with this secret. */
export function isSigned(callback: Callback, secret: string): boolean {
  const header = (name: string) => String(callback.headers[name] ?? '');
  try {
    new Webhook(secret).verify(callback.rawBody, {
      'webhook-id': header('webhook-id'),
      'webhook-timestamp': header('webhook-timestamp'),
      'webhook-signature': header('webhook-signature'),
    });
  } catch {
    return false;
  }
  return isSignedBy(secret, callback.rawBody, header('x-service-timestamp'), header('x-service-signature'));
}
