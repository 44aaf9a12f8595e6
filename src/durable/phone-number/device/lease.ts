import type { DeviceStore } from './device-store.ts';

/** Between attempts to tell the fleet. */
const retryMs = 2_000;

/** The fleet gives the number to a bridge, or takes it from one, as the device wants it. */
export class Lease {
  readonly #device: DeviceStore;
  readonly #fleet: () => ReturnType<Env['BRIDGE_FLEET']['getByName']>;
  #askedAt = 0;

  constructor(device: DeviceStore, fleet: () => ReturnType<Env['BRIDGE_FLEET']['getByName']>) {
    this.#device = device;
    this.#fleet = fleet;
  }

  /** Whether the fleet has answered to what is wanted now. */
  get isKnown(): boolean {
    const device = this.#device.current;
    return device === null || device.isLeaseWanted === (device.desired !== 'none');
  }

  /** When the fleet is to be told again; null when it knows. */
  dueAt(): number | null {
    return this.isKnown ? null : this.#askedAt + retryMs;
  }

  /** Tells the fleet; repeating it changes nothing there. Throws what the call throws: then it stays due. */
  async tell(): Promise<void> {
    this.#askedAt = Date.now();
    const { known } = this.#device;
    const isWanted = known.desired !== 'none';
    // Until the fleet has answered it is not certain what it knows.
    if (known.isLeaseWanted !== null) this.#device.note({ ...known, isLeaseWanted: null });
    if (isWanted) await this.#fleet().acquire(known.numberId, known.accountId);
    else await this.#fleet().release(known.numberId);
    if ((this.#device.known.desired !== 'none') !== isWanted) return;
    this.#device.note({ ...this.#device.known, isLeaseWanted: isWanted });
  }
}
