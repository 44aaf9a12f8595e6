import type { LogOutbox } from '../../hand-over/log-outbox.ts';
import { log, shortNumber } from '../../log.ts';
import { Tables } from '../../storage/rows.ts';
import { type Device, deviceRecord, pairingNews } from './device.ts';

/** The device of the number, as stored. Each change of it is told to the log. */
export class DeviceStore extends Tables {
  readonly #storage: DurableObjectStorage;
  readonly #outbox: LogOutbox;
  #device: Device | null;

  constructor(storage: DurableObjectStorage, outbox: LogOutbox) {
    super(storage.sql);
    this.#storage = storage;
    this.#outbox = outbox;
    this.#device = this.#stored();
  }

  /** Null before the number is provisioned. */
  get current(): Device | null {
    return this.#device;
  }

  /** For whatever cannot happen without a device. */
  get known(): Device {
    if (!this.#device) throw new Error('the number was not provisioned');
    return this.#device;
  }

  /** Stores a changed device together with what the log is to be told of it; the same device again changes nothing. */
  change(next: Device, now: number): void {
    const before = this.#device;
    if (next === before) return;
    const device = { ...next, revision: next.revision + 1 };
    const isNews = before !== null && before.state !== device.state;
    this.#storage.transactionSync(() => {
      this.note(device);
      const pairing = pairingNews(before, device, now);
      const news = { device: deviceRecord(device), at: now, isNews, ...(pairing && { pairing }) };
      this.#outbox.add([{ kind: 'device.changed', ...news }]);
    });
    if (!isNews) return;
    log('device.changed', {
      numberId: device.numberId,
      state: device.state,
      reason: device.reason,
      phoneNumber: device.phoneNumber && shortNumber(device.phoneNumber),
    });
  }

  /** Stores bookkeeping that the log need not know. */
  note(device: Device): void {
    this.sql.exec('INSERT OR REPLACE INTO device (id, json) VALUES (1, ?)', JSON.stringify(device));
    this.#device = device;
  }

  /** After a transaction that was rolled back: what is stored is true, what is in memory is not. */
  reload(): void {
    this.#device = this.#stored();
  }

  #stored(): Device | null {
    return this.queryJson<Device>('SELECT json FROM device');
  }
}
