import type { ContactFilter } from '../../../sdk/index.ts';

/** How long ago they last wrote: within so many days, not for so many, or never. */
export const seenChoices = ['7', '30', '90', 'not30', 'not90', 'never'] as const;
type Seen = (typeof seenChoices)[number];

export const operators = [
  'equals',
  'not_equals',
  'contains',
  'less',
  'greater',
  'exists',
  'missing',
] as const;
type Operator = (typeof operators)[number];

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
  operator?: Operator;
  value?: string;
}

const text = (value: unknown) => {
  // The router reads a row of digits as a number.
  const string = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  return typeof string === 'string' && string.trim() !== '' ? string : undefined;
};

/** What is no filter is left out. */
export function contactSearch(search: Record<string, unknown>): ContactSearch {
  const known = {
    q: text(search.q),
    segmentId: text(search.segmentId),
    label: text(search.label),
    country: text(search.country),
    seen: seenChoices.find((choice) => choice === String(search.seen)),
    optedOut: (['yes', 'no'] as const).find((choice) => choice === search.optedOut),
    attribute: text(search.attribute),
    operator: operators.find((operator) => operator === search.operator),
    value: text(search.value),
  };
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
}

const seenFilters: Record<Seen, ContactFilter> = {
  '7': { seenWithinDays: 7 },
  '30': { seenWithinDays: 30 },
  '90': { seenWithinDays: 90 },
  not30: { notSeenForDays: 30 },
  not90: { notSeenForDays: 90 },
  never: { hasWritten: false },
};

export const needsValue = (operator: Operator) => operator !== 'exists' && operator !== 'missing';

/** The attribute's condition, once it is whole. */
function conditionOf({ attribute, operator = 'equals', value }: ContactSearch): ContactFilter['attributes'] {
  if (attribute === undefined) return undefined;
  if (!needsValue(operator)) return [{ name: attribute, operator }];
  return value === undefined ? undefined : [{ name: attribute, operator, value }];
}

export function filterOf(search: ContactSearch): ContactFilter {
  const { q, segmentId, label, country, seen, optedOut } = search;
  const attributes = conditionOf(search);
  return {
    ...(q !== undefined && { q }),
    ...(segmentId !== undefined && { segmentId }),
    ...(label !== undefined && { label }),
    ...(country !== undefined && { country }),
    ...(seen !== undefined && seenFilters[seen]),
    ...(optedOut !== undefined && { optedOut: optedOut === 'yes' }),
    ...(attributes !== undefined && { attributes }),
  };
}

/** What of the list's filter can be saved; a segment within it, and who has opted out, cannot. */
export function segmentFilterOf(search: ContactSearch) {
  const { q, label, country, seenWithinDays, notSeenForDays, hasWritten, attributes } = filterOf(search);
  return {
    ...(q !== undefined && { q }),
    ...(label !== undefined && { labels: [label] }),
    ...(country !== undefined && { countries: [country] }),
    ...(seenWithinDays !== undefined && { seenWithinDays }),
    ...(notSeenForDays !== undefined && { notSeenForDays }),
    ...(hasWritten !== undefined && { hasWritten }),
    ...(attributes !== undefined && { attributes }),
  };
}
