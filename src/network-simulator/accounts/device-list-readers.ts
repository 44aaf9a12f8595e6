import type { Device, User } from './user.ts';

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
