import { createServer, type Server } from 'node:net';

/** Opens a port on loopback; 0 for any free one. Resolves null when it is taken. */
export function occupyPort(port: number): Promise<{ port: number; close(): Promise<void> } | null> {
  return new Promise((resolve) => {
    const server: Server = createServer();
    server.once('error', () => resolve(null));
    server.listen({ port, host: '127.0.0.1' }, () => {
      const address = server.address();
      resolve({
        port: typeof address === 'object' && address !== null ? address.port : port,
        close: () => new Promise((closed) => server.close(() => closed())),
      });
    });
  });
}

/** Ports that were free a moment ago: one for the gateway, and two in a row for the simulator. */
export async function freePorts(): Promise<{ port: number; simulatorPort: number }> {
  for (;;) {
    const [gateway, plain] = [await occupyPort(0), await occupyPort(0)];
    const tls = plain === null ? null : await occupyPort(plain.port + 1);
    await Promise.all([gateway?.close(), plain?.close(), tls?.close()]);
    if (gateway !== null && plain !== null && tls !== null) {
      return { port: gateway.port, simulatorPort: plain.port };
    }
  }
}
