import {
  type AttributeOperator,
  attributeOperators,
  takesValue,
} from '../../../contract/contacts/attribute-operators.ts';
import { onlyGiven } from '../../../contract/given.ts';
import type { ContactFilter } from '../../../sdk/index.ts';
import { searchText } from '../../parts/lists/search.ts';

/** How long ago they last wrote: within so many days, not for so many, or never. */
export const seenChoices = ['7', '30', '90', 'not30', 'not90', 'never'] as const;
type Seen = (typeof seenChoices)[number];

/** What the address of the list holds; every view of it can be sent as a link. */
export interface ContactSearch {
  q?: string;
  segmentId?: string;
  label?: string;
  country?: string;
  seen?: Seen;
  optedOut?: 'yes' | 'no';
  /** An attribute, and what must hold of it. */
  attribute?: string;
  operator?: AttributeOperator;
  value?: string;
}

export function contactSearch(search: Record<string, unknown>): ContactSearch {
  return onlyGiven({
    q: searchText(search.q),
    segmentId: searchText(search.segmentId),
    label: searchText(search.label),
    country: searchText(search.country),
    seen: seenChoices.find((choice) => choice === String(search.seen)),
    optedOut: (['yes', 'no'] as const).find((choice) => choice === search.optedOut),
    attribute: searchText(search.attribute),
    operator: attributeOperators.find((operator) => operator === search.operator),
    value: searchText(search.value),
  });
}

const seenFilters: Record<Seen, ContactFilter> = {
  '7': { seenWithinDays: 7 },
  '30': { seenWithinDays: 30 },
  '90': { seenWithinDays: 90 },
  not30: { notSeenForDays: 30 },
  not90: { notSeenForDays: 90 },
  never: { hasWritten: false },
};

/** The attribute's condition, once it is whole. */
function conditionOf({ attribute, operator = 'equals', value }: ContactSearch): ContactFilter['attributes'] {
  if (attribute === undefined) return undefined;
  if (!takesValue(operator)) return [{ name: attribute, operator }];
  return value === undefined ? undefined : [{ name: attribute, operator, value }];
}

export function filterOf(search: ContactSearch): ContactFilter {
  const { q, segmentId, label, country, seen, optedOut } = search;
  return onlyGiven({
    q,
    segmentId,
    label,
    country,
    ...(seen !== undefined && seenFilters[seen]),
    optedOut: optedOut && optedOut === 'yes',
    attributes: conditionOf(search),
  });
}

/** What of the list's filter can be saved; a segment within it, and who has opted out, cannot. */
export function segmentFilterOf(search: ContactSearch) {
  const { label, country, segmentId: _, optedOut: __, ...filter } = filterOf(search);
  return {
    ...filter,
    ...(label !== undefined && { labels: [label] }),
    ...(country !== undefined && { countries: [country] }),
  };
}
