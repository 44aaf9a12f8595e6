import { randomBytes } from 'node:crypto';
import type { Store } from '../store.ts';

/** What admins set of a group beside its subject. */
export type GroupSettings = {
  description: string | null;
  /** The id of the description, which the next change of it names. */
  descriptionId: string | null;
  isAnnounce: boolean;
  isLocked: boolean;
  joinApproval: boolean;
  /** The code of the invite that is good now. */
  invite: string;
};

const newInvite = () => randomBytes(16).toString('base64url');

/** Settings of all groups, their invites, and who waits to be let in. Rows are the truth; nothing is cached. */
export class GroupSettingsStore {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  of(groupId: string): GroupSettings {
    const row = this.#store.get('SELECT settings FROM group_settings WHERE group_id = ?', groupId);
    if (row) return JSON.parse(String(row.settings)) as GroupSettings;
    const fresh: GroupSettings = {
      description: null,
      descriptionId: null,
      isAnnounce: false,
      isLocked: false,
      joinApproval: false,
      invite: newInvite(),
    };
    this.#put(groupId, fresh);
    return fresh;
  }

  change(groupId: string, change: Partial<Omit<GroupSettings, 'invite'>>): void {
    this.#put(groupId, { ...this.of(groupId), ...change });
  }

  /** The invite before is over. */
  renewInvite(groupId: string): string {
    const invite = newInvite();
    this.#put(groupId, { ...this.of(groupId), invite });
    return invite;
  }

  groupOfInvite(invite: string): string | undefined {
    const row = this.#store.get('SELECT group_id FROM group_settings WHERE invite = ?', invite);
    return row && String(row.group_id);
  }

  requests(groupId: string): number[] {
    return this.#store
      .all('SELECT user_id FROM group_requests WHERE group_id = ? ORDER BY user_id', groupId)
      .map(({ user_id }) => Number(user_id));
  }

  addRequest(groupId: string, userId: number): void {
    this.#store.write(
      'INSERT OR IGNORE INTO group_requests (group_id, user_id) VALUES (?, ?)',
      groupId,
      userId,
    );
  }

  /** Whether there was one. */
  removeRequest(groupId: string, userId: number): boolean {
    const { changes } = this.#store.write(
      'DELETE FROM group_requests WHERE group_id = ? AND user_id = ?',
      groupId,
      userId,
    );
    return changes > 0;
  }

  #put(groupId: string, settings: GroupSettings): void {
    this.#store.write(
      'INSERT OR REPLACE INTO group_settings (group_id, invite, settings) VALUES (?, ?, ?)',
      groupId,
      settings.invite,
      JSON.stringify(settings),
    );
  }
}
