import type { BinaryNode, WASocket } from '@whiskeysockets/baileys';

/** As many as the client asks for when it learns that something waits. */
const batchSize = 100;
/** The network may hand over fewer than it was asked for, and wait. */
const quietMs = 1_000;

export interface OfflineBatchesOptions {
  sock: WASocket;
  /** Resolves when there is room for more; rejects when the connection has ended. */
  room: () => Promise<void>;
  /** Aborted when the connection has ended. */
  ended: AbortSignal;
}

/**
 * Asks the network for everything that waited for a session. The network sends it in batches, each when asked, and nothing new
 * before the last one. The client (7.0.0-rc14) asks only for the first batch, and would then receive nothing more.
 */
export function takeOfflineInBatches({ sock, room, ended }: OfflineBatchesOptions): void {
  let awaited = batchSize;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const over = () => {
    isOver = true;
    clearTimeout(timer);
  };
  const askForMore = async () => {
    clearTimeout(timer);
    awaited = batchSize;
    await room();
    if (isOver) return;
    const asked = { tag: 'offline_batch', attrs: { count: String(batchSize) } };
    await sock.sendNode({ tag: 'ib', attrs: {}, content: [asked] });
  };
  // Where the connection has ended, the next login begins with what is left.
  const ask = () => void askForMore().catch(() => {});
  sock.ws.on('frame', (frame: BinaryNode | Uint8Array) => {
    if (isOver || frame instanceof Uint8Array || frame.attrs.offline === undefined) return;
    awaited -= 1;
    clearTimeout(timer);
    if (awaited === 0) ask();
    else timer = setTimeout(ask, quietMs);
  });
  sock.ws.on('CB:ib,,offline', over);
  ended.addEventListener('abort', over, { once: true });
}
