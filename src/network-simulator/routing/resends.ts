import type { Device } from '../accounts/user.ts';
import type { Store } from '../store/database.ts';

/** A phone could not read a message of this device: one repetition of it is the answer to that, and no duplicate. */
export function expectResend(store: Store, device: Device, messageId: string): void {
  store.write(
    `INSERT INTO awaited_resends (device_id, message_id, requests) VALUES (?, ?, 1)
     ON CONFLICT (device_id, message_id) DO UPDATE SET requests = requests + 1`,
    device.id,
    messageId,
  );
}

/** Whether a message of this device is such an answer; each request is answered once. */
export function takeAwaitedResend(store: Store, device: Device, messageId: string): boolean {
  const awaited = store.get(
    'SELECT requests FROM awaited_resends WHERE device_id = ? AND message_id = ?',
    device.id,
    messageId,
  );
  if (!awaited) return false;
  store.write(
    awaited.requests === 1
      ? 'DELETE FROM awaited_resends WHERE device_id = ? AND message_id = ?'
      : 'UPDATE awaited_resends SET requests = requests - 1 WHERE device_id = ? AND message_id = ?',
    device.id,
    messageId,
  );
  return true;
}
