import { once } from 'node:events';
import {
  createServer as createPlainServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { z } from 'zod';
import { answerAdmin } from '../admin/answer-admin.ts';
import { closeSession, openSession } from '../login/login.ts';
import { answerMedia } from '../media/answer-media.ts';
import type { Network } from '../network.ts';
import { Refusal } from '../refusal.ts';
import { routeStanza } from '../routing/stanza-router.ts';
import { ClientConnection, type ConnectionHandlers } from '../wire/client-connection.ts';
import type { Certificate } from './certificate.ts';
import { sendJson } from './http-body.ts';

const host = '127.0.0.1';
const socketPath = '/ws/chat';

export type Listener = { port: number; close(): Promise<void> };

/** Listens on the loopback address, with TLS where a certificate is given. Port 0 takes any free one. */
export async function listen(
  network: Network,
  port: number,
  certificate: Certificate | undefined,
): Promise<Listener> {
  const server = certificate
    ? createTlsServer({ key: certificate.key, cert: certificate.certificate })
    : createPlainServer();
  server.on('request', (request, response) => void answerHttp(network, request, response));
  acceptClients(network, server);
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function acceptClients(network: Network, server: Server): void {
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  const handlers: ConnectionHandlers = {
    opened: (connection, payload) => openSession(network, connection, payload),
    received: (connection, stanza) => routeStanza(network, connection, stanza),
    closed: (connection) => closeSession(network, connection),
  };
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    const path = new URL(request.url ?? '/', 'http://simulator').pathname;
    if (path !== socketPath || network.faults.refuseConnections) {
      const status = path === socketPath ? '503 Service Unavailable' : '404 Not Found';
      socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      network.connections.add(new ClientConnection(network, webSocket, handlers));
    });
  });
}

const codes: Record<number, string> = {
  400: 'VALIDATION_ERROR',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  409: 'CONFLICT',
  410: 'GONE',
  413: 'PAYLOAD_TOO_LARGE',
  416: 'RANGE_NOT_SATISFIABLE',
  503: 'UNAVAILABLE',
  504: 'CLIENT_SILENT',
};

/** Everything that comes by HTTP: the admin API, and media. Whatever goes wrong is answered as JSON. */
async function answerHttp(
  network: Network,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://simulator');
  try {
    const answered =
      (await answerAdmin(network, request, response, url)) ||
      (await answerMedia(network, request, response, url));
    if (!answered) throw new Refusal(404, `There is nothing at ${request.method} ${url.pathname}.`);
  } catch (error) {
    if (response.headersSent) {
      response.destroy();
    } else if (error instanceof z.ZodError) {
      sendJson(response, 400, {
        error: { code: 'VALIDATION_ERROR', message: 'The body does not fit.', details: detailsOf(error) },
      });
    } else if (error instanceof Refusal) {
      const code = codes[error.status] ?? 'INTERNAL';
      sendJson(response, error.status, { error: { code, message: error.message } });
    } else {
      network.log.error({ reason: String(error), path: url.pathname }, 'request.failed');
      sendJson(response, 500, { error: { code: 'INTERNAL', message: 'The simulator failed; see its log.' } });
    }
  }
}

function detailsOf(error: z.ZodError): { path: string; message: string }[] {
  return error.issues.flatMap((issue) => {
    const path = issue.path.join('.');
    if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }];
    return issue.keys.map((key) => ({ path: path ? `${path}.${key}` : key, message: 'Unknown field.' }));
  });
}
