import { createServer as createPlainServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { closeSession, openSession } from '../login/login.ts';
import type { Network } from '../network.ts';
import { routeStanza } from '../routing/stanza-router.ts';
import { ClientConnection, type ConnectionHandlers } from '../wire/client-connection.ts';
import type { Certificate } from './certificate.ts';
import { answerHttp } from './http-requests.ts';

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
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
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
