import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { startLoopbackServer } from './loopback-server.ts';

const nameColumn = 24;
/** What the eye can follow; under load the rest is counted. */
const linesASecond = 10;

/** Makes a line of each event, and under load one of many. */
export function showEvents(write: (line: string) => void): (event: ReceivedEvent) => void {
  let shown = 0;
  let more = 0;
  let isCounting = false;
  const endSecond = () => {
    if (more > 0) write(`… and ${more} more events`);
    shown = 0;
    more = 0;
    isCounting = false;
  };
  return (event) => {
    if (!isCounting) setTimeout(endSecond, 1000).unref();
    isCounting = true;
    if (shown === linesASecond) {
      more += 1;
      return;
    }
    shown += 1;
    const verdict = event.verified ? 'signature verified ✓' : 'signature does NOT fit ✗';
    const about = event.data.messageId ?? event.data.numberId ?? '';
    write(`${event.event.padEnd(nameColumn)}${verdict}   ${about}`.trimEnd());
  };
}

const bodyBytesMax = 1024 * 1024;

/** A callback that the demo receiver has got. */
export interface ReceivedEvent {
  id: string;
  event: string;
  data: Record<string, unknown>;
  /** Both signatures fit: `X-Service-Signature`, and the one of Standard Webhooks. */
  verified: boolean;
}

export interface DemoReceiver {
  url: string;
  /** Until the secret is known nothing is accepted; the gateway comes back with it. */
  verifyWith(secret: string): void;
  close(): Promise<void>;
}

/** Receives webhooks on a free port of this machine and verifies each as a customer would. */
export async function startDemoReceiver(onEvent: (event: ReceivedEvent) => void): Promise<DemoReceiver> {
  let secret: string | null = null;
  const { origin, close } = await startLoopbackServer(async (request, response) => {
    const rawBody = await readBody(request);
    if (secret === null || rawBody === null) {
      response.writeHead(secret === null ? 503 : 400).end();
      return;
    }
    const verified = isVerified(secret, rawBody, request);
    response.writeHead(verified ? 204 : 401).end();
    const envelope = parseEnvelope(rawBody);
    if (envelope !== null) onEvent({ ...envelope, verified });
  });
  return {
    url: `${origin}/webhooks`,
    verifyWith: (shown) => {
      secret = shown;
    },
    close,
  };
}

function isVerified(secret: string, rawBody: string, request: IncomingMessage): boolean {
  const header = (name: string) => String(request.headers[name] ?? '');
  if (!isSignedBy(secret, rawBody, header('x-service-timestamp'), header('x-service-signature')))
    return false;
  try {
    new Webhook(secret).verify(rawBody, {
      'webhook-id': header('webhook-id'),
      'webhook-timestamp': header('webhook-timestamp'),
      'webhook-signature': header('webhook-signature'),
    });
    return true;
  } catch {
    return false;
  }
}

function parseEnvelope(rawBody: string): Omit<ReceivedEvent, 'verified'> | null {
  try {
    const { id, event, data } = JSON.parse(rawBody);
    return { id: String(id), event: String(event), data: data ?? {} };
  } catch {
    return null;
  }
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Whether a callback was signed with this secret: what a customer's receiver does with each request. */
export function isSignedBy(secret: string, rawBody: string, timestamp: string, signature: string): boolean {
  const expected = Buffer.from(createHmac('sha256', secret).update(`${rawBody}.${timestamp}`).digest('hex'));
  const presented = Buffer.from(signature);
  return expected.length === presented.length && timingSafeEqual(expected, presented);
}
