import type { WASocket } from '@whiskeysockets/baileys';

type Sent = (error?: Error) => void;

/** What is used of the WebSocket under the client. */
interface ClientSocket {
  send(data: Uint8Array, sent?: Sent): void;
  close(code?: number, reason?: string): void;
  once(event: 'close', listener: () => void): void;
  terminate(): void;
  /** Its TCP or TLS socket, once it is open. */
  _socket?: { cork(): void; uncork(): void; destroy(): void } | null;
}

/** How long the network may take to answer that the connection is to end. Without a limit of its own the client waits for 30 s. */
const closeWaitMs = 2_000;

/** Whether anything may leave for the network now. */
export interface NetworkFence {
  readonly isOpen: boolean;
  /** Runs the action when it opens next; never, where it stays shut. */
  onceOpen(action: () => void): void;
}

/**
 * Makes everything that the client writes wait, in order, until `beforeWriting` lets it pass, and for the fence while
 * that is closed. What may leave in one turn leaves in one write.
 * The client is told at once that a frame was written: it would otherwise send one message a turn. That a frame was not
 * written after all shows in the connection's end, as with a frame that was lost on the way.
 */
export function writeWhenAllowed(
  sock: WASocket,
  beforeWriting: (write: () => void) => void,
  fence: NetworkFence,
): void {
  const { socket } = sock.ws as unknown as { socket: ClientSocket };
  const send = socket.send.bind(socket);
  const close = socket.close.bind(socket);
  const waiting: Uint8Array[] = [];
  // The fence is asked in the same turn as the write, and once more right before it: in between the process could stand still
  // longer than its lease.
  const flush = () => {
    if (waiting.length === 0) return;
    if (!fence.isOpen) {
      fence.onceOpen(flush);
      return;
    }
    const wire = socket._socket;
    wire?.cork();
    // A failure ends the connection, which is heard of there.
    for (const data of waiting.splice(0)) send(data, () => {});
    if (fence.isOpen) wire?.uncork();
    else wire?.destroy();
  };
  socket.send = (data, sent) => {
    beforeWriting(() => {
      if (waiting.push(data) === 1) process.nextTick(flush);
    });
    if (sent) process.nextTick(sent);
  };
  socket.close = (code, reason) => {
    beforeWriting(() => {
      flush();
      close(code, reason);
    });
    const timer = setTimeout(() => socket.terminate(), closeWaitMs);
    socket.once('close', () => clearTimeout(timer));
  };
}
