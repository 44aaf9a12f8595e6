import type { EventRelay } from '../event-relay.ts';
import { log, shortNumber } from '../log.ts';
import { type Device, deviceProjection } from './device.ts';
import { deviceEvents } from './device-events.ts';

/** The device of the number, as stored, and what its changes tell the outside. */
export class DeviceRecord {
  readonly #storage: DurableObjectStorage;
  readonly #relay: EventRelay;
  #device: Device | null;

  constructor(storage: DurableObjectStorage, relay: EventRelay) {
    this.#storage = storage;
    this.#relay = relay;
    this.#device = this.#stored();
  }

  /** Null before the number is provisioned, and once it is deleted. */
  get current(): Device | null {
    return this.#device;
  }

  /** For whatever cannot happen without a device. */
  get known(): Device {
    if (!this.#device) throw new Error('the number was not provisioned');
    return this.#device;
  }

  /** Stores a changed device together with what the change tells; the same device again changes nothing. */
  change(next: Device, now: number): void {
    const before = this.#device;
    if (next === before) return;
    const device = { ...next, revision: next.revision + 1 };
    const events = deviceEvents(before, device, now);
    this.#storage.transactionSync(() => {
      this.note(device);
      const silent = { envelope: null, message: null, device: deviceProjection(device) };
      this.#relay.append(events.length > 0 ? events : [silent], now);
    });
    if (before?.state === device.state) return;
    log('device.changed', {
      numberId: device.numberId,
      state: device.state,
      reason: device.reason,
      phoneNumber: device.phoneNumber && shortNumber(device.phoneNumber),
    });
  }

  /** Stores bookkeeping that nobody outside sees. */
  note(device: Device): void {
    this.#storage.sql.exec('INSERT OR REPLACE INTO device (id, state) VALUES (1, ?)', JSON.stringify(device));
    this.#device = device;
  }

  /** After a transaction that was rolled back: what is stored is true, what is in memory is not. */
  reload(): void {
    this.#device = this.#stored();
  }

  #stored(): Device | null {
    const row = this.#storage.sql.exec<{ state: string }>('SELECT state FROM device').toArray()[0];
    return row === undefined ? null : JSON.parse(row.state);
  }
}
