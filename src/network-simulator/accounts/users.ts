import type { Row, Store } from '../store.ts';
import { normalisePhone, parseAddress } from '../wire/addresses.ts';
import { loadDevices } from './devices.ts';
import { initialScript, noDeviceFaults, type PhoneScript, type User } from './user.ts';

const lidBase = 100_000_000_000_000;

/** All accounts. Rows are the truth; what was looked up once stays in memory. */
export class Users {
  readonly #store: Store;
  readonly #byPhone = new Map<string, User>();
  readonly #byId = new Map<number, User>();
  /** Ids of accounts by the other digits that are looked up for them. */
  readonly #foundAs = new Map<string, number>();

  constructor(store: Store) {
    this.#store = store;
    const others = `SELECT users.id, other.value AS digits FROM users, json_each(users.script, '$.foundAs') AS other`;
    for (const row of store.all(others)) this.#foundAs.set(String(row.digits), Number(row.id));
  }

  /** Whom the network names when these digits of theirs are looked up that are not their number. */
  foundAs(phone: string): User | undefined {
    const id = this.#foundAs.get(phone);
    return id === undefined ? undefined : this.byId(id);
  }

  byPhone(phone: string): User | undefined {
    const known = this.#byPhone.get(phone);
    if (known) return known;
    const row = this.#store.get('SELECT * FROM users WHERE phone = ?', phone);
    return row && this.#remember(row);
  }

  byId(id: number): User | undefined {
    const known = this.#byId.get(id);
    if (known) return known;
    const row = this.#store.get('SELECT * FROM users WHERE id = ?', id);
    return row && this.#remember(row);
  }

  /** The account of a number of 7 to 15 digits, made when there is none yet. */
  ensure(phone: string): User {
    const known = this.byPhone(phone);
    if (known) return known;
    this.#store.write(
      'INSERT INTO users (phone, name, script) VALUES (?, ?, ?)',
      phone,
      `Phone ${phone}`,
      JSON.stringify(initialScript),
    );
    const made = this.byPhone(phone);
    if (!made) throw new Error('a user that was just written is not there');
    return made;
  }

  /**
   * Whom an address means. A valid number that nobody has used yet gets its account here; an unknown alias does not, and
   * nobody is at digits that somebody is only looked up by.
   */
  byAddress(text: string | undefined): User | undefined {
    const address = parseAddress(text);
    if (!address) return undefined;
    if (address.server === 'lid') return this.byId(Number(address.user) - lidBase);
    if (address.server !== 's.whatsapp.net' && address.server !== 'c.us') return undefined;
    const phone = normalisePhone(address.user);
    return phone && !this.#foundAs.has(phone) ? this.ensure(phone) : undefined;
  }

  /** Up to `limit` accounts, the newest first. */
  newest(limit: number): User[] {
    const rows = this.#store.all('SELECT id FROM users ORDER BY id DESC LIMIT ?', limit);
    return rows.flatMap((row) => this.byId(Number(row.id)) ?? []);
  }

  rename(user: User, name: string): void {
    user.name = name;
    this.#store.write('UPDATE users SET name = ? WHERE id = ?', name, user.id);
  }

  changeScript(user: User, change: Partial<PhoneScript>): void {
    for (const digits of user.script.foundAs) this.#foundAs.delete(digits);
    user.script = { ...user.script, ...change };
    for (const digits of user.script.foundAs) this.#foundAs.set(digits, user.id);
    this.#store.write('UPDATE users SET script = ? WHERE id = ?', JSON.stringify(user.script), user.id);
  }

  setBanned(user: User, banned: boolean): void {
    user.banned = banned;
    this.#store.write('UPDATE users SET banned = ? WHERE id = ?', banned ? 1 : 0, user.id);
  }

  /** A number for a new device of the account; never given twice. */
  nextDeviceNumber(user: User): number {
    const row = this.#store.writeReturning(
      'UPDATE users SET next_device = next_device + 1 WHERE id = ? RETURNING next_device - 1 AS number',
      user.id,
    );
    return Number(row?.number);
  }

  #remember(row: Row): User {
    const id = Number(row.id);
    const user: User = {
      id,
      phone: String(row.phone),
      lid: String(lidBase + id),
      name: String(row.name),
      script: { ...initialScript, ...(JSON.parse(String(row.script)) as Partial<PhoneScript>) },
      banned: row.banned === 1,
      devices: new Map(),
      faults: { ...noDeviceFaults },
      refusedMessages: 0,
      queries: {},
    };
    for (const device of loadDevices(this.#store, user)) user.devices.set(device.number, device);
    this.#byPhone.set(user.phone, user);
    this.#byId.set(id, user);
    return user;
  }
}
