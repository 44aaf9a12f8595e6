import { type AccountSettings, defaultAccountSettings } from '../../../contract/account-settings.ts';
import type { KeyScope } from '../../../contract/key-scopes.ts';
import type { Filters } from '../../../contract/numbers/sender-settings.ts';
import { type BlockedCheck, compileFilters, type FilterCheck } from '../recipients/recipient-filters.ts';

/** An API key as admission needs it. */
export interface KeySnapshot {
  id: string;
  name: string;
  /** Lower-case hex SHA-256 of the key. */
  hash: string;
  pinnedNumberId: string | null;
  onPinFailure: 'strict' | 'fallback';
  /** Milliseconds since 1970; null: never. */
  expiresAt: number | null;
  scopes: readonly KeyScope[];
  /** Addresses and CIDRs from which it is accepted; null: all. */
  allowedAddresses: readonly string[] | null;
}

/** Which number a key sends by. */
export type KeyPin = Pick<KeySnapshot, 'pinnedNumberId' | 'onPinFailure'>;

export interface SenderSnapshot {
  numberId: string;
  inPool: boolean;
  filters: Filters;
}

/** The part of an account's configuration that a send depends on. */
export interface AccountSnapshot {
  /** Rises with each change in D1. */
  revision: number;
  plan: string;
  settings: AccountSettings;
  keys: KeySnapshot[];
  senders: SenderSnapshot[];
}

/** A number of the account, with its filters ready to be asked at every send. */
export interface ConfiguredSender {
  numberId: string;
  inPool: boolean;
  filters: FilterCheck;
}

/** A snapshot with its keys and filters ready to be asked at every send. */
export interface Configuration extends Omit<AccountSnapshot, 'keys' | 'senders'> {
  keysByHash: ReadonlyMap<string, KeySnapshot>;
  accountFilter: FilterCheck;
  /** By number, in the order in which they were made. */
  senders: ReadonlyMap<string, ConfiguredSender>;
}

/**
 * How many blocked phone numbers an account keeps in memory, over all its numbers: some 20 MB. A number whose list would
 * exceed that looks numbers up in storage.
 */
export const blockedNumbersInMemoryMax = 200_000;

/** `isStored`: whether storage has that phone number on the list of that number. */
export function configurationOf(
  snapshot: AccountSnapshot,
  isStored: (numberId: string, phoneNumber: string) => boolean,
): Configuration {
  let inMemory = 0;
  const senders = new Map<string, ConfiguredSender>();
  for (const { numberId, inPool, filters } of snapshot.senders) {
    inMemory += filters.blockNumbers.length;
    const isInMemory = inMemory <= blockedNumbersInMemoryMax;
    if (!isInMemory) inMemory -= filters.blockNumbers.length;
    const byStorage: BlockedCheck = (phoneNumber) => isStored(numberId, phoneNumber);
    senders.set(numberId, {
      numberId,
      inPool,
      filters: compileFilters(filters, isInMemory ? undefined : byStorage),
    });
  }
  const { revision, plan, settings, keys } = snapshot;
  return {
    revision,
    plan,
    settings,
    keysByHash: new Map(keys.map((key) => [key.hash, key] as const)),
    accountFilter: compileFilters(settings.filters),
    senders,
  };
}

/** Of an account that does not exist. */
export const noAccount: Configuration = configurationOf(
  { revision: -1, plan: 'free', settings: defaultAccountSettings, keys: [], senders: [] },
  () => false,
);
