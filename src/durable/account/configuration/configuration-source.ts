import { log, logFault } from '../../log.ts';
import { migrateObject } from '../../object-migrations.ts';
import { accountMigrations } from '../migrations.ts';
import { loadSnapshot } from './load-snapshot.ts';
import { type AccountSnapshot, type Configuration, configurationOf, noAccount } from './snapshot.ts';
import { StoredSnapshot } from './stored-snapshot.ts';

/** The account's configuration: D1 owns it, the object keeps what it has read. */
export class ConfigurationSource {
  readonly #storage: DurableObjectStorage;
  readonly #d1: () => D1Database;
  readonly #accountId: string;
  readonly #stored: StoredSnapshot;
  #loaded: Configuration | null;
  #refreshing: Promise<void> | null = null;

  constructor(storage: DurableObjectStorage, d1: () => D1Database, accountId: string) {
    this.#storage = storage;
    this.#d1 = d1;
    this.#accountId = accountId;
    this.#stored = new StoredSnapshot(storage);
    const snapshot = this.#stored.read();
    this.#loaded = snapshot && this.#ready(snapshot);
  }

  /** What was read last, at once; of an object that has yet to read, after it has. */
  async current(): Promise<Configuration> {
    if (!this.#loaded) await this.refresh();
    if (!this.#loaded) throw new Error('the configuration was not loaded');
    return this.#loaded;
  }

  /** What was read last; null while nothing was, or when there is no such account. */
  get loaded(): Configuration | null {
    return this.#loaded === noAccount ? null : this.#loaded;
  }

  /** False once it is known that there is no such account: then nothing is stored, and nothing can be. */
  get mayExist(): boolean {
    return this.#loaded !== noAccount;
  }

  /**
   * Takes over the configuration that D1 has now. When it returns, every later request is decided by what was in D1
   * when it was called, or newer.
   */
  async refresh(): Promise<void> {
    // One that is already running may have read before the caller's change: wait for it, then read again.
    while (this.#refreshing) await this.#refreshing;
    this.#refreshing = this.#load().finally(() => {
      this.#refreshing = null;
    });
    await this.#refreshing;
  }

  async #load(): Promise<void> {
    const snapshot = await loadSnapshot(this.#d1(), this.#accountId);
    const own = this.loaded;
    if (snapshot === null) {
      // An account that once was there is never deleted on a read alone: D1 may be the wrong one, or restored.
      if (own !== null) return log('configuration.missing', { accountId: this.#accountId });
      this.#loaded = noAccount;
      // An account that does not exist must leave no storage behind.
      return this.#storage.deleteAll();
    }
    if (own !== null && snapshot.revision < own.revision) {
      const { revision } = snapshot;
      return logFault('configuration.older', new Error('D1 has an older configuration'), { revision });
    }
    if (!this.mayExist) migrateObject(this.#storage, accountMigrations);
    this.#stored.write(snapshot);
    this.#loaded = this.#ready(snapshot);
  }

  #ready(snapshot: AccountSnapshot): Configuration {
    return configurationOf(snapshot, (numberId, phoneNumber) =>
      this.#stored.isBlocked(numberId, phoneNumber),
    );
  }
}
