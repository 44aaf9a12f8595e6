// Stands in for `cloudflare:sockets`: TCP over `node:net`, without TLS.
import { connect as connectTcp } from 'node:net';
import { Duplex } from 'node:stream';

export function connect({ hostname, port }: { hostname: string; port: number }) {
  const socket = connectTcp({ host: hostname, port });
  const opened = new Promise<object>((resolve, reject) => {
    socket.once('connect', () => resolve({ remoteAddress: `${hostname}:${port}` }));
    socket.once('error', reject);
  });
  opened.catch(() => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  return {
    ...Duplex.toWeb(socket),
    opened,
    closed,
    startTls() {
      throw new Error('There is no TLS here.');
    },
    close: async () => void socket.destroy(),
  };
}
