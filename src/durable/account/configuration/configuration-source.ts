import { and, eq, isNull } from 'drizzle-orm';
import { withDefaultSettings } from '../../../contract/account-settings.ts';
import { openFilters } from '../../../contract/numbers/sender-settings.ts';
import { openDatabase } from '../../../database/open-database.ts';
import { apiKeys, numbers } from '../../../database/schema.ts';
import { accountQuery } from '../../account-query.ts';
import { log, logFault } from '../../log.ts';
import { SharedRun } from '../../shared-run.ts';
import { migrateObject } from '../../storage/object-migrations.ts';
import { Tables } from '../../storage/rows.ts';
import { accountMigrations } from '../migrations.ts';
import {
  type AccountSnapshot,
  type Configuration,
  configurationOf,
  noAccount,
  type SenderSnapshot,
} from './snapshot.ts';

/**
 * Configuration that is older than this is read again after its next use. So a change that was not reported is in force within
 * a minute.
 */
const refreshAfterMs = 45_000;
/** Between attempts while D1 does not answer. */
const retryMs = 5_000;

/** The account's configuration: D1 owns it, the object keeps what it has read. */
export class ConfigurationSource {
  readonly #storage: DurableObjectStorage;
  readonly #d1: () => D1Database;
  readonly #accountId: string;
  readonly #stored: StoredSnapshot;
  #loaded: Configuration | null;
  readonly #loading = new SharedRun(() => this.#load());
  /** When D1 was last read in this life; milliseconds since 1970. */
  #readAt = 0;
  #askedAt = 0;
  readonly #refreshed: () => void;

  /** `refreshed`: after it was read anew behind a use. */
  constructor(
    storage: DurableObjectStorage,
    d1: () => D1Database,
    accountId: string,
    refreshed: () => void = () => {},
  ) {
    this.#storage = storage;
    this.#refreshed = refreshed;
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
    this.#refreshIfOld();
    return this.#loaded;
  }

  /** One at a time, and behind the use: what fails is tried again with a later one. */
  #refreshIfOld(): void {
    const now = Date.now();
    // Also by a clock that was set back.
    const isOld = Math.abs(now - this.#readAt) >= refreshAfterMs;
    if (!isOld || this.#loading.isUnderWay || !this.mayExist || Math.abs(now - this.#askedAt) < retryMs)
      return;
    this.#askedAt = now;
    this.refresh().then(this.#refreshed, (error: unknown) => {
      logFault('configuration.not_refreshed', error, { accountId: this.#accountId });
    });
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
  refresh(): Promise<void> {
    return this.#loading.run();
  }

  async #load(): Promise<void> {
    const readAt = Date.now();
    const snapshot = await loadSnapshot(this.#d1(), this.#accountId);
    const own = this.loaded;
    if (snapshot === null) {
      // An account that once was there is never deleted on a read alone: D1 may be the wrong one, or restored.
      if (own !== null) {
        this.#readAt = readAt;
        return log('configuration.missing', { accountId: this.#accountId });
      }
      this.#loaded = noAccount;
      // An account that does not exist must leave no storage behind.
      return this.#storage.deleteAll();
    }
    if (own !== null && snapshot.revision < own.revision) {
      this.#readAt = readAt;
      const { revision } = snapshot;
      return logFault('configuration.older', new Error('D1 has an older configuration'), { revision });
    }
    if (!this.mayExist) migrateObject(this.#storage, accountMigrations);
    this.#stored.write(snapshot);
    this.#readAt = readAt;
    this.#loaded = this.#ready(snapshot);
  }

  #ready(snapshot: AccountSnapshot): Configuration {
    return configurationOf(snapshot, (numberId, phoneNumber) =>
      this.#stored.isBlocked(numberId, phoneNumber),
    );
  }
}

/** Reads the configuration from D1, as of now; null for an account that does not exist. */
async function loadSnapshot(d1: D1Database, accountId: string): Promise<AccountSnapshot | null> {
  const db = openDatabase(d1);
  const [account, keys, senders] = await db.batch([
    accountQuery(db, accountId),
    db
      .select({
        id: apiKeys.id,
        name: apiKeys.name,
        hash: apiKeys.keyHash,
        pinnedNumberId: apiKeys.pinnedNumberId,
        onPinFailure: apiKeys.onPinFailure,
        expiresAt: apiKeys.expiresAt,
        scopes: apiKeys.scopes,
        allowedAddresses: apiKeys.allowedAddresses,
      })
      .from(apiKeys)
      .where(and(eq(apiKeys.accountId, accountId), isNull(apiKeys.revokedAt))),
    db
      .select({ numberId: numbers.id, inPool: numbers.inPool, filters: numbers.filters })
      .from(numbers)
      .where(eq(numbers.accountId, accountId))
      .orderBy(numbers.id),
  ]);
  if (!account[0]) return null;
  const { revision, plan, settings } = account[0];
  return {
    revision,
    plan,
    settings: withDefaultSettings(settings),
    keys,
    senders: senders.map((sender) => ({ ...sender, filters: { ...openFilters, ...sender.filters } })),
  };
}

/** The snapshot as the object keeps it: a row for the account, one for each number. */
export class StoredSnapshot extends Tables {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    super(storage.sql);
    this.#storage = storage;
  }

  /** As it was last stored; null when nothing ever was. */
  read(): AccountSnapshot | null {
    const row = this.queryFirst<{ revision: number; json: string }>('SELECT revision, json FROM snapshot');
    if (!row) return null;
    const query = 'SELECT json FROM sender_snapshots ORDER BY number_id';
    const senders = this.queryValues<string>(query).map((json): SenderSnapshot => JSON.parse(json));
    return { ...JSON.parse(row.json), revision: row.revision, senders };
  }

  write({ revision, senders, ...account }: AccountSnapshot): void {
    this.#storage.transactionSync(() => {
      // Nearly all of it is as it was.
      this.sql.exec(
        `INSERT INTO snapshot (id, revision, json) VALUES (1, ?, ?)
           ON CONFLICT DO UPDATE SET revision = excluded.revision, json = excluded.json
           WHERE revision <> excluded.revision OR json <> excluded.json`,
        revision,
        JSON.stringify(account),
      );
      const ids = JSON.stringify(senders.map(({ numberId }) => numberId));
      this.sql.exec(
        'DELETE FROM sender_snapshots WHERE number_id NOT IN (SELECT value FROM json_each(?))',
        ids,
      );
      for (const sender of senders) {
        this.sql.exec(
          `INSERT INTO sender_snapshots (number_id, json) VALUES (?, ?)
             ON CONFLICT DO UPDATE SET json = excluded.json WHERE json <> excluded.json`,
          sender.numberId,
          JSON.stringify(sender),
        );
      }
    });
  }

  /** Whether a number's own filter blocks a phone number. Reads the whole list: for those too many to keep in memory. */
  isBlocked(numberId: string, phoneNumber: string): boolean {
    return this.queryAny(
      `SELECT 1 FROM sender_snapshots, json_each(sender_snapshots.json, '$.filters.blockNumbers')
         WHERE number_id = ? AND value = ? LIMIT 1`,
      numberId,
      phoneNumber,
    );
  }
}
