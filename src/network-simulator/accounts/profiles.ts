import { blob, type Store } from '../store.ts';
import type { User } from './user.ts';

/** What people show of themselves, and whom they have blocked. */
export class Profiles {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  about(user: User): string {
    return String(this.#row(user)?.about ?? '');
  }

  setAbout(user: User, about: string): void {
    this.#store.write(
      'INSERT INTO profiles (user_id, about) VALUES (?, ?) ON CONFLICT (user_id) DO UPDATE SET about = excluded.about',
      user.id,
      about,
    );
  }

  /** A JPEG; undefined where there is none. */
  picture(user: User): Buffer | undefined {
    const picture = this.#row(user)?.picture;
    return picture ? blob(picture) : undefined;
  }

  setPicture(user: User, picture: Uint8Array | null): void {
    this.#store.write(
      `INSERT INTO profiles (user_id, about, picture) VALUES (?, '', ?)
       ON CONFLICT (user_id) DO UPDATE SET picture = excluded.picture`,
      user.id,
      picture,
    );
  }

  blocked(user: User): number[] {
    return this.#store
      .all('SELECT blocked_id FROM blocked WHERE user_id = ? ORDER BY blocked_id', user.id)
      .map(({ blocked_id }) => Number(blocked_id));
  }

  setBlocked(user: User, other: User, isBlocked: boolean): void {
    this.#store.write(
      isBlocked
        ? 'INSERT OR IGNORE INTO blocked (user_id, blocked_id) VALUES (?, ?)'
        : 'DELETE FROM blocked WHERE user_id = ? AND blocked_id = ?',
      user.id,
      other.id,
    );
  }

  #row(user: User) {
    return this.#store.get('SELECT about, picture FROM profiles WHERE user_id = ?', user.id);
  }
}
