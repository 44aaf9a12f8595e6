import type { Network } from '../network.ts';
import { addressOf } from '../wire/addresses.ts';
import { newStanzaId, nowSeconds, stanza } from '../wire/stanza.ts';
import type { Device } from './devices.ts';
import type { User } from './users.ts';

/** Which devices have asked for the devices of somebody: they are told when these change. Ends with the process. */
export class DeviceListReaders {
  readonly #byUser = new Map<User, Set<Device>>();
  /** Who was not told of a change, and has not asked since. */
  readonly #outdated = new Map<User, Set<Device>>();

  add(user: User, reader: Device): void {
    const readers = this.#byUser.get(user) ?? new Set();
    this.#byUser.set(user, readers.add(reader));
    this.#outdated.get(user)?.delete(reader);
  }

  /** The devices have changed, and nobody is told. */
  changedUnheard(user: User): void {
    this.#outdated.set(user, new Set(this.#byUser.get(user)));
  }

  isOutdated(user: User, reader: Device): boolean {
    return this.#outdated.get(user)?.has(reader) === true;
  }

  of(user: User): Device[] {
    return [...(this.#byUser.get(user) ?? [])];
  }
}

/** A device of somebody has come or gone. */
export function tellOfDevice(network: Network, device: Device, change: 'add' | 'remove'): void {
  const { user } = device;
  if (user.script.linksQuietly) {
    network.listReaders.changedUnheard(user);
    return;
  }
  const addressing = user.script.hidesNumber ? 'lid' : user.script.addressing;
  const changed = stanza(change, {}, [
    stanza('device', {
      jid: addressOf(user, addressing, device.number),
      'key-index': String(device.number),
    }),
    stanza('key-index-list', { ts: nowSeconds() }),
  ]);
  for (const reader of network.listReaders.of(user)) {
    if (reader === device) continue;
    const attributes = {
      from: addressOf(user, addressing),
      type: 'devices',
      id: newStanzaId(),
      t: nowSeconds(),
    };
    network.queue.put(reader, stanza('notification', attributes, [changed]));
  }
}
