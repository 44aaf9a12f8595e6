import type { Device } from '../accounts/user.ts';
import type { Group } from './groups.ts';

/** Devices that were not told of a change of members, and have not asked since. Ends with the process. */
export class OutdatedMembers {
  readonly #byGroup = new Map<string, Set<Device>>();

  add(group: Group, device: Device): void {
    const outdated = this.#byGroup.get(group.id) ?? new Set();
    this.#byGroup.set(group.id, outdated.add(device));
  }

  /** The device has the list of now. */
  told(group: Group, device: Device): void {
    this.#byGroup.get(group.id)?.delete(device);
  }

  has(groupId: string, device: Device): boolean {
    return this.#byGroup.get(groupId)?.has(device) === true;
  }
}
