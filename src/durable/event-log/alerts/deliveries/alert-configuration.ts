import { and, eq, gt } from 'drizzle-orm';
import type { AlertMute } from '../../../../contract/alerts/alert-channels.ts';
import { alertChannels, alertMutes } from '../../../../database/alert-schema.ts';
import { openDatabase } from '../../../../database/open-database.ts';
import { accountQuery } from '../../../account-query.ts';
import type { LogState } from '../../log-state.ts';
import type { AlertChannel } from './alert-order.ts';

interface Known {
  /** Of the account's configuration in D1; it rises with each change. */
  revision: number;
  channels: AlertChannel[];
  mutes: AlertMute[];
}

const name = 'alerts.configuration';

/** Where the account's alerts go, and which are muted: D1 owns it, the log keeps what it has read. */
export class AlertConfiguration {
  readonly #state: LogState;
  readonly #d1: D1Database;
  readonly #accountId: string;
  #known: Known | null;

  constructor(state: LogState, d1: D1Database, accountId: string) {
    this.#state = state;
    this.#d1 = d1;
    this.#accountId = accountId;
    this.#known = state.get(name);
  }

  /** False: this log has never read it. */
  get wasRead(): boolean {
    return this.#known !== null;
  }

  get channels(): readonly AlertChannel[] {
    return this.#known?.channels ?? [];
  }

  get mutes(): readonly AlertMute[] {
    return this.#known?.mutes ?? [];
  }

  channel(id: string): AlertChannel | null {
    return this.channels.find((channel) => channel.id === id) ?? null;
  }

  /** Takes over what D1 has now. An account that D1 does not have (yet, or any more) changes nothing here. */
  async refresh(): Promise<void> {
    const db = openDatabase(this.#d1);
    const of = this.#accountId;
    const [account, channels, mutes] = await db.batch([
      accountQuery(db, of),
      db
        .select({
          id: alertChannels.id,
          kind: alertChannels.kind,
          shownTarget: alertChannels.shownTarget,
          sealedTarget: alertChannels.sealedTarget,
          kinds: alertChannels.kinds,
          numberIds: alertChannels.numberIds,
          digest: alertChannels.digest,
          enabled: alertChannels.enabled,
          confirmedAt: alertChannels.confirmedAt,
          createdAt: alertChannels.createdAt,
        })
        .from(alertChannels)
        .where(eq(alertChannels.accountId, of)),
      db
        .select({
          id: alertMutes.id,
          kind: alertMutes.kind,
          numberId: alertMutes.numberId,
          until: alertMutes.until,
        })
        .from(alertMutes)
        .where(and(eq(alertMutes.accountId, of), gt(alertMutes.until, Date.now()))),
    ]);
    const revision = account[0]?.revision;
    if (revision === undefined || revision < (this.#known?.revision ?? 0)) return;
    this.#known = { revision, channels, mutes };
    this.#state.put(name, this.#known);
  }
}
