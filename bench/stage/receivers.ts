import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { wallClockMs } from './wall-clock.ts';

/** A callback as it arrived. All times are milliseconds since 1970. */
export interface Arrival {
  path: string;
  /** Its last byte. */
  at: number;
  id: string;
  event: string;
  /** When the event happened, by its own account. */
  happenedAt: number;
  /** When this attempt was begun, by its own account; NaN for what is no callback of ours. */
  attemptedAt: number;
  data: Record<string, string | undefined>;
}

/** Receivers of callbacks, told apart by their paths. */
export interface Receivers {
  url: string;
  /** In the order of their arrival. */
  arrivals: Arrival[];
  /** Callbacks to paths that begin so get no answer; null: all get one. */
  hang(prefix: string | null): void;
  close(): void;
}

/** Answers every callback with 204 at once, but where it is told to hang. */
export async function startReceivers(): Promise<Receivers> {
  const arrivals: Arrival[] = [];
  let hanging: string | null = null;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const at = wallClockMs();
      const path = request.url ?? '';
      const { id, event, timestamp, data } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      const happenedAt = Date.parse(timestamp);
      const attemptedAt = Date.parse(String(request.headers['x-service-timestamp']));
      arrivals.push({ path, at, id, event, happenedAt, attemptedAt, data });
      if (hanging === null || !path.startsWith(hanging)) response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1' }, resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals,
    hang: (prefix) => {
      hanging = prefix;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
