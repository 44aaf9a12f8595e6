import { createServer, type Server } from 'node:http';
import { ConfigError } from '../config.ts';
import type { Readiness } from './readiness.ts';

export interface HealthOptions {
  port: number;
  host: string;
  readiness: () => Readiness;
  /** The port cannot be had: the process must end. */
  onRefused: (error: ConfigError) => void;
}

/**
 * Answers whoever watches the process: `GET /livez` is 200 as long as it runs, `GET /readyz` 200 while the bridge can do
 * its work, else 503 with the reasons. It tells of no number and takes no orders, so nothing asks for a credential.
 */
export function openHealth({ port, host, readiness, onRefused }: HealthOptions): Server {
  const server = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0];
    const isKnown = path === '/livez' || path === '/readyz';
    if (!isKnown || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(isKnown ? 405 : 404).end();
      return;
    }
    const { isReady, reasons } = path === '/livez' ? { isReady: true, reasons: [] } : readiness();
    const body = JSON.stringify({ ok: isReady, reasons });
    response
      .writeHead(isReady ? 200 : 503, { 'content-type': 'application/json', 'cache-control': 'no-store' })
      .end(request.method === 'HEAD' ? undefined : body);
  });
  server.once('error', (error: NodeJS.ErrnoException) => {
    const why = error.code === 'EADDRINUSE' ? 'another program has it' : (error.code ?? error.message);
    onRefused(
      new ConfigError(
        `HEALTH_PORT ${port} cannot be opened on ${host}: ${why}. Set HEALTH_PORT to a free port, or leave it out.`,
      ),
    );
  });
  server.listen({ port, host });
  // What asks must not keep a bridge that has ended.
  server.unref();
  return server;
}
