import type { User } from '../accounts/user.ts';

/** What phones have put into their collections, as patches. Ends with the process. */
export class SettingsCollections {
  readonly #patches = new Map<User, Map<string, Uint8Array[]>>();

  /** The patches of a collection, oldest first: its version is how many there are. */
  of(user: User, collection: string): readonly Uint8Array[] {
    return this.#patches.get(user)?.get(collection) ?? [];
  }

  add(user: User, collection: string, patch: Uint8Array): void {
    const ofUser = this.#patches.get(user) ?? new Map<string, Uint8Array[]>();
    this.#patches.set(user, ofUser.set(collection, [...(ofUser.get(collection) ?? []), patch]));
  }
}
