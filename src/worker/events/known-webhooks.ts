import { LRUCache } from 'lru-cache';
import type { WebhookRow } from '../db/webhooks.ts';

const accountsMax = 1000;
/** What was read so long ago still counts. */
const latelyMs = 1000;
const never = Number.NEGATIVE_INFINITY;

interface Known {
  webhooks: readonly WebhookRow[];
  readAt: number;
  /** What was read before this may be out of date. */
  changedAt: number;
}

const unknown: Known = { webhooks: [], readAt: never, changedAt: never };

/** The listening webhooks of accounts, as this isolate has last read them. Times are milliseconds since 1970. */
export class KnownWebhooks {
  readonly #accounts = new LRUCache<string, Known>({ max: accountsMax });

  /** What was read of these accounts; `readAt` is when the reading began. */
  note(accountIds: readonly string[], webhooks: readonly WebhookRow[], readAt: number): void {
    for (const id of accountIds) {
      const own = webhooks.filter(({ accountId }) => accountId === id);
      this.#accounts.set(id, { webhooks: own, readAt, changedAt: this.#of(id).changedAt });
    }
  }

  /** A person has changed the account's webhooks. */
  noteChange(accountId: string, now: number): void {
    this.#accounts.set(accountId, { ...this.#of(accountId), changedAt: now });
  }

  /** As they last were, however long ago. */
  last(accountIds: readonly string[]): WebhookRow[] {
    return accountIds.flatMap((id) => this.#of(id).webhooks);
  }

  /** As they were within the last second; null where one account's were not read since, or have changed. */
  lately(accountIds: readonly string[], now: number): WebhookRow[] | null {
    const isKnown = (id: string) => {
      const { readAt, changedAt } = this.#of(id);
      return readAt >= now - latelyMs && readAt > changedAt;
    };
    return accountIds.every(isKnown) ? this.last(accountIds) : null;
  }

  #of(accountId: string): Known {
    return this.#accounts.get(accountId) ?? unknown;
  }
}

/** Of this isolate. */
export const knownWebhooks = new KnownWebhooks();
