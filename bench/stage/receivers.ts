import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A callback as it arrived. */
interface Arrival {
  path: string;
  /** Milliseconds since 1970 at its last byte. */
  at: number;
  id: string;
  event: string;
  /** When the event happened, by its own account. */
  timestamp: string;
  messageId: string | undefined;
}

/** Receivers of callbacks in this process, told apart by their paths. */
export interface Receivers {
  url: string;
  arrivals: Arrival[];
  close(): void;
}

/** Answers every callback with 204 at once, but where `hangs` says not to. */
export async function startReceivers(hangs: (path: string) => boolean = () => false): Promise<Receivers> {
  const arrivals: Arrival[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const at = Date.now();
      const path = request.url ?? '';
      const { id, event, timestamp, data } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      arrivals.push({ path, at, id, event, timestamp, messageId: data.messageId });
      if (!hangs(path)) response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1' }, resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
