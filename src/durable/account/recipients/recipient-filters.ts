import { type Refusal, refuse } from '../../../contract/errors.ts';
import { aliasIn } from '../../../contract/messages/recipient.ts';
import type { Filters } from '../../../contract/numbers/sender-settings.ts';

/** What can refuse a recipient, as `details` names it. */
type FilterName = 'allowPrefixes' | 'blockPrefixes' | 'blockNumbers' | 'optOut' | 'ownNumber';

const sentences: Record<FilterName, string> = {
  allowPrefixes: 'The recipient has none of the prefixes that may be written to.',
  blockPrefixes: "The recipient's prefix is blocked.",
  blockNumbers: 'The recipient is blocked.',
  optOut: 'The recipient has opted out.',
  ownNumber: 'The recipient is a number of this account: two of its own could answer each other without end.',
};

/** Filters, ready to be asked at every send. */
export interface FilterCheck {
  /** The filters that refuse somebody with these addresses; none does where there are none, as in a group. */
  refusing(addresses: readonly string[]): FilterName[];
  checkOnNetwork: boolean;
}

/** Whether a phone number is among the blocked ones. */
export type BlockedCheck = (phoneNumber: string) => boolean;

/** Prepares filters: a single blocked number is found without reading the list. */
export function compileFilters(
  filters: Filters,
  isBlocked: BlockedCheck = blockedCheck(filters.blockNumbers),
): FilterCheck {
  // An alias has no country: it has none of the prefixes.
  const startWithOneOf = (prefixes: readonly string[], addresses: readonly string[]) =>
    addresses.some((address) => aliasIn(address) === null && prefixes.some((it) => address.startsWith(it)));
  const { allowPrefixes, blockPrefixes } = filters;
  const refuses: [name: FilterName, (addresses: readonly string[]) => boolean][] = [
    ['blockNumbers', (addresses) => addresses.some(isBlocked)],
    ['blockPrefixes', (addresses) => startWithOneOf(blockPrefixes, addresses)],
    [
      'allowPrefixes',
      (addresses) =>
        allowPrefixes.length > 0 && addresses.length > 0 && !startWithOneOf(allowPrefixes, addresses),
    ],
  ];
  return {
    checkOnNetwork: filters.checkOnNetwork,
    refusing: (addresses) => refuses.filter(([, does]) => does(addresses)).map(([name]) => name),
  };
}

function blockedCheck(blockNumbers: readonly string[]): BlockedCheck {
  const blocked = new Set(blockNumbers);
  return (phoneNumber) => blocked.has(phoneNumber);
}

/** 422 with the filter's name; `numberId` where it is a filter of one number and not of the account. */
export function filteredRefusal(filter: FilterName, numberId: string | null = null): Refusal {
  const message = sentences[filter];
  return refuse('RECIPIENT_FILTERED', message, {
    details: [{ path: 'to', filter, message, ...(numberId === null ? {} : { numberId }) }],
  });
}
