import { endOfWait } from '../../due-times.ts';
import type { DeviceStore } from './device-store.ts';

type Fleet = ReturnType<Env['BRIDGE_FLEET']['getByName']>;

/** Between attempts to tell the fleet. */
const retryMs = 2_000;
/** A number that nobody drives says again that it wants a bridge: after so long at first, and then ever more seldom. */
const remindMs = 5_000;
const remindMsMax = 300_000;

/** The fleet gives the number to a bridge, or takes it from one, as the device wants it. */
export class Lease {
  readonly #device: DeviceStore;
  readonly #fleet: () => Fleet;
  #askedAt = 0;
  /** How often the fleet was reminded since the link was lost. */
  #reminders = { of: 0, count: 0 };

  constructor(device: DeviceStore, fleet: () => Fleet) {
    this.#device = device;
    this.#fleet = fleet;
  }

  /** Whether the fleet has answered to what is wanted now. */
  get isKnown(): boolean {
    const device = this.#device.current;
    return device === null || device.isLeaseWanted === (device.desired !== 'none');
  }

  /** When the fleet is to be told again; null when it knows, and a bridge is there. */
  dueAt(): number | null {
    if (!this.isKnown) return endOfWait(this.#askedAt + retryMs, retryMs);
    const device = this.#device.current;
    if (device === null || device.desired === 'none' || device.linkLostAt === null) return null;
    const waitMs = Math.min(remindMsMax, remindMs * 2 ** this.#remindersOf(device.linkLostAt));
    return endOfWait(Math.max(device.linkLostAt, this.#askedAt) + waitMs, waitMs);
  }

  /** Tells the fleet; repeating it changes nothing there. Throws what the call throws: then it stays due. */
  async tell(): Promise<void> {
    this.#askedAt = Date.now();
    const { known } = this.#device;
    if (this.isKnown && known.linkLostAt !== null) return this.#remind(known.linkLostAt);
    const isWanted = known.desired !== 'none';
    // Until the fleet has answered it is not certain what it knows.
    if (known.isLeaseWanted !== null) this.#device.note({ ...known, isLeaseWanted: null });
    if (isWanted) await this.acquire();
    else await this.#fleet().release(known.numberId);
    this.#device.note({ ...this.#device.known, isLeaseWanted: isWanted });
  }

  /** The fleet mostly knows, and has no room. One that has lost its memory hears of the number here. */
  async #remind(lostAt: number): Promise<void> {
    this.#reminders = { of: lostAt, count: this.#remindersOf(lostAt) + 1 };
    if (this.#device.known.desired !== 'none') await this.acquire();
  }

  #remindersOf(lostAt: number): number {
    return this.#reminders.of === lostAt ? this.#reminders.count : 0;
  }

  /** Says that the number wants a bridge, and which one it had last. */
  async acquire(): Promise<void> {
    const { numberId, accountId, bridgeId, epoch } = this.#device.known;
    await this.#fleet().acquire(numberId, accountId, bridgeId === undefined ? null : { bridgeId, epoch });
  }
}
