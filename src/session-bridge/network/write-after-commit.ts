import type { WASocket } from '@whiskeysockets/baileys';

type Sent = (error?: Error) => void;

/** What is used of the WebSocket under the client. */
interface ClientSocket {
  send(data: Uint8Array, sent?: Sent): void;
  close(code?: number, reason?: string): void;
  /** Its TCP or TLS socket, once it is open. */
  _socket?: { cork(): void; uncork(): void } | null;
}

/**
 * Makes everything that the client writes wait for the journal's commit of this turn, in order, and leave in one write.
 * The client is told at once that a frame was written: it would otherwise send one message a turn. That a frame was not
 * written after all shows in the connection's end, as with a frame that was lost on the way.
 */
export function writeAfterCommit(sock: WASocket, afterCommit: (action: () => void) => void): void {
  const { socket } = sock.ws as unknown as { socket: ClientSocket };
  const send = socket.send.bind(socket);
  const close = socket.close.bind(socket);
  let isCorked = false;
  const gather = () => {
    const wire = socket._socket;
    if (isCorked || !wire) return;
    isCorked = true;
    wire.cork();
    process.nextTick(() => {
      isCorked = false;
      wire.uncork();
    });
  };
  socket.send = (data, sent) => {
    afterCommit(() => {
      gather();
      // A failure ends the connection, which is heard of there.
      send(data, () => {});
    });
    if (sent) process.nextTick(sent);
  };
  socket.close = (code, reason) => afterCommit(() => close(code, reason));
}
