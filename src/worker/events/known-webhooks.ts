import { LRUCache } from 'lru-cache';
import type { WebhookRow } from '../db/webhooks.ts';

const accountsMax = 1000;
/** What was read so long ago still counts. */
const latelyMs = 1000;

interface Known {
  webhooks: readonly WebhookRow[];
  readAt: number;
}

/** The listening webhooks of accounts, as this isolate has last read them. */
export class KnownWebhooks {
  readonly #accounts = new LRUCache<string, Known>({ max: accountsMax });

  /** What was read of these accounts; `readAt` is when the reading began, in milliseconds since 1970. */
  note(accountIds: readonly string[], webhooks: readonly WebhookRow[], readAt: number): void {
    for (const id of accountIds) {
      this.#accounts.set(id, { webhooks: webhooks.filter(({ accountId }) => accountId === id), readAt });
    }
  }

  /** As they last were, however long ago. */
  last(accountIds: readonly string[]): WebhookRow[] {
    return accountIds.flatMap((id) => this.#accounts.get(id)?.webhooks ?? []);
  }

  /** As they were within the last second; null where one account's were not read since. */
  lately(accountIds: readonly string[], now: number): WebhookRow[] | null {
    const isLate = (id: string) =>
      (this.#accounts.get(id)?.readAt ?? Number.NEGATIVE_INFINITY) < now - latelyMs;
    return accountIds.some(isLate) ? null : this.last(accountIds);
  }

  /** A person has changed them: they are read anew before anything is decided by them here. */
  forget(accountId: string): void {
    this.#accounts.delete(accountId);
  }
}

/** Of this isolate. */
export const knownWebhooks = new KnownWebhooks();
