import { randomInt } from 'node:crypto';
import type { Device, User } from '../accounts/user.ts';
import type { Users } from '../accounts/users.ts';
import type { Row, Store } from '../store.ts';
import { GroupSettingsStore } from './group-settings.ts';

export type Group = { id: string; subject: string; creator: User; createdAtSeconds: number };
type Role = 'superadmin' | 'admin' | null;
type Member = { user: User; role: Role };

/** All groups and who is in them. Rows are the truth; nothing is cached. */
export class Groups {
  readonly #store: Store;
  readonly #users: Users;
  readonly settings: GroupSettingsStore;
  /** How messages to a group are refused, as scripted: by its id. They are gone after a restart. */
  readonly refusals = new Map<string, { code: string; times: number }>();

  constructor(store: Store, users: Users) {
    this.#store = store;
    this.#users = users;
    this.settings = new GroupSettingsStore(store);
  }

  /** A new group; its creator owns it. With `autoJoin`, every number that links a device later joins it. */
  create(creator: User, subject: string, members: User[], autoJoin = false): Group {
    const id = `120363${String(randomInt(1e12)).padStart(12, '0')}@g.us`;
    const createdAtSeconds = Math.floor(Date.now() / 1000);
    this.#store.write(
      'INSERT INTO groups (id, subject, creator_id, created_at, auto_join) VALUES (?, ?, ?, ?, ?)',
      id,
      subject,
      creator.id,
      createdAtSeconds,
      autoJoin ? 1 : 0,
    );
    const group = { id, subject, creator, createdAtSeconds };
    for (const member of members) this.setMember(group, member, null);
    this.setMember(group, creator, 'superadmin');
    return group;
  }

  get(id: string): Group | undefined {
    const row = this.#store.get('SELECT * FROM groups WHERE id = ?', id);
    return row && this.#read(row);
  }

  all(): Group[] {
    return this.#store.all('SELECT * FROM groups ORDER BY id').flatMap((row) => this.#read(row) ?? []);
  }

  of(user: User): Group[] {
    const rows = this.#store.all(
      'SELECT g.* FROM groups g JOIN group_members m ON m.group_id = g.id WHERE m.user_id = ? ORDER BY g.id',
      user.id,
    );
    return rows.flatMap((row) => this.#read(row) ?? []);
  }

  members(group: Group): Member[] {
    const rows = this.#store.all(
      'SELECT user_id, role FROM group_members WHERE group_id = ? ORDER BY user_id',
      group.id,
    );
    return rows.flatMap((row) => {
      const user = this.#users.byId(Number(row.user_id));
      return user ? [{ user, role: row.role as Role }] : [];
    });
  }

  /** The code with which a message of this member is refused; undefined where it is taken. */
  refusalOf(id: string, sender: User): string | undefined {
    const group = this.get(id);
    if (!group) return '404';
    if (!this.isMember(group, sender)) return '403';
    const scripted = this.refusals.get(id);
    if (!scripted || scripted.times === 0) return undefined;
    scripted.times -= 1;
    return scripted.code;
  }

  isMember(group: Group, user: User): boolean {
    return this.roleOf(group, user) !== undefined;
  }

  roleOf(group: Group, user: User): Role | undefined {
    const row = this.#store.get(
      'SELECT role FROM group_members WHERE group_id = ? AND user_id = ?',
      group.id,
      user.id,
    );
    return row && (row.role as Role);
  }

  setMember(group: Group, user: User, role: Role): void {
    this.#store.write(
      'INSERT OR REPLACE INTO group_members (group_id, user_id, role) VALUES (?, ?, ?)',
      group.id,
      user.id,
      role,
    );
  }

  removeMember(group: Group, user: User): void {
    this.#store.write('DELETE FROM group_members WHERE group_id = ? AND user_id = ?', group.id, user.id);
  }

  rename(group: Group, subject: string): void {
    group.subject = subject;
    this.#store.write('UPDATE groups SET subject = ? WHERE id = ?', subject, group.id);
  }

  joinAutomatically(user: User): void {
    this.#store.write(
      'INSERT OR IGNORE INTO group_members (group_id, user_id, role) SELECT id, ?, NULL FROM groups WHERE auto_join = 1',
      user.id,
    );
  }

  #read(row: Row): Group | undefined {
    const creator = this.#users.byId(Number(row.creator_id));
    if (!creator) return undefined;
    return {
      id: String(row.id),
      subject: String(row.subject),
      creator,
      createdAtSeconds: Number(row.created_at),
    };
  }
}

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
