import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers requests on a free port of this machine. */
export async function startLoopbackServer(
  answer: RequestListener,
): Promise<{ origin: string; close(): Promise<void> }> {
  const server = createServer(answer).listen({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
