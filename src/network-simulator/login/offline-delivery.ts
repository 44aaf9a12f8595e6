import type { Network } from '../network.ts';
import { shareHistory } from '../phones/peer-messages.ts';
import type { ClientConnection } from '../wire/client-connection.ts';
import { networkAddress, nowSeconds, type Stanza, stanza } from '../wire/stanza.ts';

/** A device that logged in says it is ready: it learns how much waits for it, and asks for that in its own time. */
export async function announceOffline(network: Network, connection: ClientConnection): Promise<void> {
  const { device } = connection;
  if (!device) return;
  const { all, byKind } = network.queue.countWaiting(device);
  if (all === 0) {
    connection.caughtUp = true;
    connection.send(offlineDone(0));
  } else {
    const preview = stanza('offline_preview', {
      count: String(all),
      message: String(byKind.message ?? 0),
      receipt: String(byKind.receipt ?? 0),
      notification: String(byKind.notification ?? 0),
      call: '0',
      appdata: '0',
      t: nowSeconds(),
    });
    connection.send(stanza('ib', { from: networkAddress }, [preview]));
  }
  if (!device.historyShared) await shareHistory(network, device);
}

/**
 * Hands over what waits, each stanza marked as late: as many as the client asks for, and no more until it asks again. Once
 * nothing is left, what comes goes out as it comes.
 */
export async function deliverOffline(
  network: Network,
  connection: ClientConnection,
  asked: Stanza,
): Promise<void> {
  const { device, offline } = connection;
  if (!device || connection.caughtUp) return;
  let left = Number(asked.attrs.count) || Number.MAX_SAFE_INTEGER;
  // Decoding yields, and more may be put meanwhile: read on until nothing is left.
  while (network.queue.countWaiting(device, offline.last).all > 0) {
    if (left === 0) return;
    for (const { seq, stanza: one } of await network.queue.waitingAfter(device, offline.last, left)) {
      connection.send({ ...one, attrs: { ...one.attrs, offline: String(offline.sent++) } });
      offline.last = seq;
      left -= 1;
    }
  }
  connection.caughtUp = true;
  connection.send(offlineDone(offline.sent));
}

function offlineDone(count: number): Stanza {
  return stanza('ib', { from: networkAddress }, [stanza('offline', { count: String(count) })]);
}
