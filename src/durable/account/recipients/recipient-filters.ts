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
  /** The filter that refuses this phone number, or null. */
  refusedBy(phoneNumber: string): FilterName | null;
  /** All that do. */
  allRefusing(phoneNumber: string): FilterName[];
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
  const startsWithOneOf = (prefixes: readonly string[], phoneNumber: string) =>
    aliasIn(phoneNumber) === null && prefixes.some((prefix) => phoneNumber.startsWith(prefix));
  const { allowPrefixes, blockPrefixes } = filters;
  const refuses: [name: FilterName, (phoneNumber: string) => boolean][] = [
    ['blockNumbers', isBlocked],
    ['blockPrefixes', (phoneNumber) => startsWithOneOf(blockPrefixes, phoneNumber)],
    [
      'allowPrefixes',
      (phoneNumber) => allowPrefixes.length > 0 && !startsWithOneOf(allowPrefixes, phoneNumber),
    ],
  ];
  return {
    checkOnNetwork: filters.checkOnNetwork,
    refusedBy: (phoneNumber) => refuses.find(([, does]) => does(phoneNumber))?.[0] ?? null,
    allRefusing: (phoneNumber) => refuses.filter(([, does]) => does(phoneNumber)).map(([name]) => name),
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
