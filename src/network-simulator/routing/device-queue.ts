import { decodeBinaryNode, encodeBinaryNode } from '@whiskeysockets/baileys';
import type { Device } from '../accounts/user.ts';
import { blob, type Store } from '../store.ts';
import type { Stanza } from '../wire/stanza.ts';

/**
 * What a linked device has not confirmed yet: messages until their receipt (or an acknowledgement with an error),
 * receipts and notifications until they are acknowledged. Whatever is left is handed over again at the next login.
 */
export class DeviceQueue {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Keeps a stanza for a device, and sends it at once where the device is there and has caught up. */
  put(device: Device, stanza: Stanza): void {
    if (device.user.devices.get(device.number) !== device) return; // unlinked meanwhile
    const encoded = encodeBinaryNode(stanza);
    this.#store.write(
      'INSERT INTO device_queue (device_id, acknowledged_by, stanza) VALUES (?, ?, ?)',
      device.id,
      acknowledgedBy(stanza.tag, stanza.attrs, stanza.attrs.from),
      encoded,
    );
    if (device.link?.caughtUp && !device.user.faults.isDeaf) device.link.sendEncoded(encoded);
  }

  /** Forgets what an `<ack>` of the device confirms. */
  acknowledge(device: Device, ack: Stanza): void {
    this.#remove(device, acknowledgedBy(ack.attrs.class ?? '', ack.attrs, ack.attrs.to));
  }

  /** Forgets the message that a receipt of the device confirms. */
  messageReceived(device: Device, messageId: string): void {
    this.#remove(device, acknowledgedBy('message', { id: messageId }, undefined));
  }

  /** What waits beyond a place in the queue, oldest first, as it was put: so many at most. */
  async waitingAfter(device: Device, seq: number, most: number): Promise<{ seq: number; stanza: Stanza }[]> {
    const rows = this.#store.all(
      'SELECT seq, stanza FROM device_queue WHERE device_id = ? AND seq > ? ORDER BY seq LIMIT ?',
      device.id,
      seq,
      most,
    );
    const waiting: { seq: number; stanza: Stanza }[] = [];
    for (const row of rows) {
      waiting.push({ seq: Number(row.seq), stanza: await decodeBinaryNode(blob(row.stanza)) });
    }
    return waiting;
  }

  /** How much waits beyond a place in the queue, by kind of stanza. */
  countWaiting(device: Device, seq = 0): { all: number; byKind: Record<string, number> } {
    const rows = this.#store.all(
      `SELECT substr(acknowledged_by, 1, instr(acknowledged_by, ' ') - 1) AS kind, count(*) AS n
       FROM device_queue WHERE device_id = ? AND seq > ? GROUP BY kind`,
      device.id,
      seq,
    );
    const byKind = Object.fromEntries(rows.map((row) => [String(row.kind), Number(row.n)]));
    return { all: Object.values(byKind).reduce((sum, n) => sum + n, 0), byKind };
  }

  #remove(device: Device, key: string): void {
    this.#store.write('DELETE FROM device_queue WHERE device_id = ? AND acknowledged_by = ?', device.id, key);
  }
}

/** A message is known by its id alone; one id can have many receipts, told apart by who gave them and of which type. */
function acknowledgedBy(kind: string, attrs: Record<string, string>, peer: string | undefined): string {
  if (kind !== 'receipt') return `${kind} ${attrs.id ?? ''}`;
  return [kind, attrs.id, attrs.type ?? 'delivered', peer, attrs.participant ?? ''].join(' ');
}
