import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { defaultAccountSettings, type Retention } from '../../../contract/account-settings.ts';
import { accounts } from '../../../database/schema.ts';
import type { LogState } from '../log-state.ts';

interface Known {
  /** Of the account's configuration in D1; it rises with each change. */
  revision: number;
  retention: Retention;
}

const name = 'retention';

/** How long the account wants things kept: D1 owns it, the log keeps what it has read. */
export class RetentionSetting {
  readonly #state: LogState;
  readonly #d1: D1Database;
  readonly #accountId: string;
  #known: Known;

  constructor(state: LogState, d1: D1Database, accountId: string) {
    this.#state = state;
    this.#d1 = d1;
    this.#accountId = accountId;
    this.#known = state.get(name) ?? { revision: 0, retention: defaultAccountSettings.retention };
  }

  get value(): Retention {
    return this.#known.retention;
  }

  /** Takes over what D1 has now. Nothing found changes nothing: it is no reason to delete sooner. */
  async refresh(): Promise<void> {
    const [account] = await drizzle(this.#d1)
      .select({ settings: accounts.settings, revision: accounts.revision })
      .from(accounts)
      .where(eq(accounts.id, this.#accountId));
    if (account === undefined || account.revision < this.#known.revision) return;
    const retention = account.settings?.retention ?? defaultAccountSettings.retention;
    this.#known = { revision: account.revision, retention };
    this.#state.put(name, this.#known);
  }
}
