import type { BusinessHours } from '../../../../contract/support/business-hours.ts';
import type { KnownPolicy } from './support-configuration.ts';

const isFor = (numberId: string, { numberIds }: { numberIds: string[] | 'all' }) =>
  numberIds === 'all' || numberIds.includes(numberId);

/** The hours of a number: those that name it before those for all, the older before the younger. Null: it has none. */
export function hoursFor(hours: readonly BusinessHours[], numberId: string): BusinessHours | null {
  const fitting = hours.filter((it) => isFor(numberId, it));
  return fitting.find(({ numberIds }) => numberIds !== 'all') ?? fitting[0] ?? null;
}

/**
 * The policy of a conversation; null when none applies. A policy that names one of its labels comes before policies without
 * labels, then one that names its number before those for all numbers, then the older one.
 */
export function policyFor(
  policies: readonly KnownPolicy[],
  { numberId, labels }: { numberId: string; labels: readonly string[] },
): KnownPolicy | null {
  const fitting = policies.filter(
    (policy) =>
      isFor(numberId, policy) &&
      (policy.labels.length === 0 || policy.labels.some((label) => labels.includes(label))),
  );
  const weight = ({ labels: own, numberIds }: KnownPolicy) =>
    (own.length > 0 ? 2 : 0) + (numberIds === 'all' ? 0 : 1);
  // Of equals the first stands: the sort keeps their order.
  return [...fitting].sort((a, b) => weight(b) - weight(a))[0] ?? null;
}
