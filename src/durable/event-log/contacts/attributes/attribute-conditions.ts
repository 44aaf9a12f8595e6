import type { AttributeValue, ContactAttributes } from '../../../../contract/contacts/attributes.ts';
import type { AttributeCondition } from '../../../../contract/contacts/contact-filter.ts';
import { comparableText } from '../../../../contract/texts/comparable-text.ts';

/** Whether all conditions hold of these attributes. */
export const meetsConditions = (
  attributes: ContactAttributes,
  conditions: readonly AttributeCondition[],
): boolean => conditions.every((condition) => holds(attributes[condition.name], condition));

function holds(actual: AttributeValue | undefined, { operator, value }: AttributeCondition): boolean {
  switch (operator) {
    case 'exists':
      return actual !== undefined;
    case 'missing':
      return actual === undefined;
    case 'equals':
      return isEqual(actual, value);
    case 'not_equals':
      return !isEqual(actual, value);
    case 'contains':
      return actual !== undefined && folded(actual).includes(folded(value ?? ''));
    case 'less':
      return order(actual, value) < 0;
    case 'greater':
      return order(actual, value) > 0;
  }
}

const folded = (value: AttributeValue): string => comparableText(String(value));

/** A condition out of an address says everything in text: `3` is the number 3 there. */
const isEqual = (actual: AttributeValue | undefined, value: AttributeValue | undefined): boolean =>
  actual !== undefined && value !== undefined && folded(actual) === folded(value);

/** Below 0, 0, above 0; not a number where the two cannot be compared. */
function order(actual: AttributeValue | undefined, value: AttributeValue | undefined): number {
  if (actual === undefined || value === undefined || typeof actual === 'boolean') return Number.NaN;
  if (typeof actual === 'number') return actual - Number(value);
  const [one, other] = [folded(actual), folded(value)];
  return one < other ? -1 : one > other ? 1 : 0;
}
