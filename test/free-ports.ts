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

/** Below the ports that the system gives to outgoing connections, which come and go while a test restarts something. */
const portsFrom = 20_000;
const portsPerWorker = 1500;

/**
 * Files that run at the same time have ports of their own: another's gateway could take a port between a kill and the
 * restart. Vitest numbers the workers that it runs at once from 1, at most seven (vitest.config.ts); what they share, and a bench,
 * has none.
 */
const firstPort = portsFrom + (Number(process.env.VITEST_POOL_ID ?? 0) % 8) * portsPerWorker;

/** Runs beside this one have ids near each other: each begins 40 pairs away from the next one's. */
let nextPair = process.pid * 40;

/** A port that was free a moment ago, and so was the one above it. */
export async function freePortPair(): Promise<number> {
  for (;;) {
    const port = firstPort + ((2 * nextPair) % portsPerWorker);
    nextPair += 1;
    const taken = [await occupyPort(port), await occupyPort(port + 1)];
    await Promise.all(taken.map((held) => held?.close()));
    if (taken.every((held) => held !== null)) return port;
  }
}

/** One for the gateway, and the first of two for the simulator. */
export async function freePorts(): Promise<{ port: number; simulatorPort: number }> {
  const port = await freePortPair();
  let simulatorPort = await freePortPair();
  while (simulatorPort === port) simulatorPort = await freePortPair();
  return { port, simulatorPort };
}
