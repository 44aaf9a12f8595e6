import { expect, test } from 'vitest';
import type { AttributeCondition } from '../../../../src/contract/contacts/contact-filter.ts';
import { meetsConditions } from '../../../../src/durable/event-log/contacts/contact-search.ts';

const attributes = { city: 'Jakarta', orders: 3, vip: true, since: '2026-01-31' };

test.each<[AttributeCondition['operator'], string, AttributeCondition['value'], boolean]>([
  ['equals', 'city', 'jakarta', true],
  ['equals', 'city', 'Jak', false],
  ['equals', 'orders', '3', true],
  ['equals', 'vip', true, true],
  ['equals', 'nobody', 'x', false],
  ['not_equals', 'city', 'Bandung', true],
  ['not_equals', 'nobody', 'x', true],
  ['contains', 'city', 'KART', true],
  ['contains', 'nobody', '', false],
  ['less', 'orders', 10, true],
  ['less', 'orders', '2', false],
  ['less', 'orders', 3, false],
  ['greater', 'orders', 3, false],
  ['greater', 'orders', 2, true],
  ['greater', 'since', '2026-01-01', true],
  ['less', 'vip', 1, false],
  ['less', 'nobody', 1, false],
  ['exists', 'city', undefined, true],
  ['missing', 'city', undefined, false],
  ['missing', 'nobody', undefined, true],
])('%s of %s and %j is %j', (operator, name, value, expected) => {
  const condition = { name, operator, ...(value !== undefined && { value }) };
  expect(meetsConditions(attributes, [condition])).toBe(expected);
});
