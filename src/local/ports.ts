import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { StartProblem } from './settings.ts';

/** The parts of a run that was killed let go of their ports within this time. */
const patienceMs = 1500;

/** Throws {@link StartProblem} naming the port, its variable and the remedy if another program listens there. */
export async function requireFreePort(
  port: number,
  variable: string,
  remedy = `set ${variable} to a free port`,
  host = '127.0.0.1',
): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const code = await bindError(port, host);
    if (code === null) return;
    if (code !== 'EADDRINUSE') {
      throw new StartProblem(`Port ${port} (${variable}) cannot be opened on ${host}: ${code}.`);
    }
    if (Date.now() >= deadline) {
      throw new StartProblem(
        `Port ${port} (${variable}) is in use by another program. Stop it, or ${remedy}.`,
      );
    }
    await delay(100);
  }
}

function bindError(port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, host }, () => server.close(() => resolve(null)));
  });
}

/** A port of this machine that nobody listens on now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port: 0, host: '127.0.0.1' }, () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
