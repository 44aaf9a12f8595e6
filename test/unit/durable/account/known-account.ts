import { type AccountSettings, defaultAccountSettings } from '../../../../src/contract/account-settings.ts';
import { type Filters, openFilters } from '../../../../src/contract/numbers/sender-settings.ts';
import { SendCounts } from '../../../../src/durable/account/admission/send-counts.ts';
import {
  type Configuration,
  configurationOf,
} from '../../../../src/durable/account/configuration/snapshot.ts';
import { accountMigrations } from '../../../../src/durable/account/migrations.ts';
import { Aliases } from '../../../../src/durable/account/recipients/aliases.ts';
import { Choosing } from '../../../../src/durable/account/senders/choosing.ts';
import { Senders, takeReport } from '../../../../src/durable/account/senders/senders.ts';
import type { SenderReport } from '../../../../src/durable/hand-over/number-news.ts';
import { sqliteStorage } from '../campaign/sqlite-storage.ts';

export const now = Date.UTC(2026, 10, 26, 12);

/** What a number says of itself, and how the account has configured it. */
export interface KnownNumber extends Partial<SenderReport> {
  inPool?: boolean;
  filters?: Partial<Filters>;
  /** It has said nothing yet. */
  isSilent?: boolean;
}

export const resting = (until: number | null) => ({ status: 'resting', reason: 'It rests.', until }) as const;
export const restricted = (until: number | null = null) =>
  ({ status: 'restricted', reason: 'It is restricted.', until }) as const;

let revision = 0;

/** An account with these numbers, as its own storage has them. */
export function knownAccount(numbers: Record<string, KnownNumber>, settings: Partial<AccountSettings> = {}) {
  const storage = sqliteStorage();
  const { sql } = storage;
  for (const step of accountMigrations) sql.exec(step.sql);
  const [senders, counts, aliases] = [new Senders(sql), new SendCounts(sql), new Aliases(sql)];
  const choosing = new Choosing(sql, aliases, senders, counts);
  /** Another word of the number. */
  const report = (numberId: string, more: Partial<SenderReport> = {}, at = now) => {
    const sender = senders.of(numberId);
    revision += 1;
    const said: SenderReport = {
      ...{ revision, state: 'connected', phoneNumber: null, reason: null, connectedAt: null },
      ...{ lastSeenAt: null, health: { status: 'healthy', reason: null, until: null } },
      ...{ perMinute: 60, dailyRemaining: null, room: 10, takenUpTo: 0 },
      ...more,
    };
    takeReport(sender, said, at);
    senders.save(sender);
    return sender;
  };
  for (const [numberId, { inPool: _, filters: __, isSilent, ...said }] of Object.entries(numbers)) {
    if (!isSilent) report(numberId, said);
  }
  const configured = (only: readonly string[] = Object.keys(numbers)): Configuration =>
    configurationOf(
      {
        ...{ revision: 1, plan: 'free', keys: [], settings: { ...defaultAccountSettings, ...settings } },
        senders: only.map((numberId) => ({
          numberId,
          inPool: numbers[numberId]?.inPool ?? true,
          filters: { ...openFilters, ...numbers[numberId]?.filters },
        })),
      },
      () => false,
    );
  return { sql, senders, counts, aliases, choosing, report, configured, configuration: configured() };
}
