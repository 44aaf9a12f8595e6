import { expect, test } from 'vitest';
import { z } from 'zod';
import { contactListQuery, logFilter } from '../../../../src/worker/features/contacts/list-filter.ts';

test('a list within a segment is narrowed by both', () => {
  const condition = (name: string) => ({ name, operator: 'exists' as const });
  const segment = {
    q: 'budi',
    labels: ['vip'],
    countries: ['ID', 'MY'],
    seenWithinDays: 30,
    notSeenForDays: 7,
    hasWritten: true,
    attributes: [condition('city')],
  };
  const list = {
    q: 'santo',
    label: 'wholesale',
    country: 'ID',
    seenWithinDays: 90,
    notSeenForDays: 3,
    hasWritten: true,
    attributes: [condition('orders')],
  };
  expect(logFilter(list, segment)).toEqual({
    q: 'budi\nsanto',
    labels: ['vip', 'wholesale'],
    countries: ['ID'],
    seenWithinDays: 30,
    notSeenForDays: 7,
    hasWritten: true,
    attributes: [condition('city'), condition('orders')],
  });
  expect(logFilter({}, segment)).toEqual(segment);
  const narrower = { seenWithinDays: 14, notSeenForDays: 10 };
  expect(logFilter(narrower, segment)).toMatchObject(narrower);
  const { label, country, ...same } = list;
  expect(logFilter(list, {})).toEqual({ ...same, labels: [label], countries: [country] });
});

test.each([
  [{ country: 'BR' }, { countries: ['ID'] }],
  [{ hasWritten: false }, { hasWritten: true, countries: ['ID'] }],
  [{ hasWritten: true, country: 'ID' }, { hasWritten: false }],
])('of a segment nobody fits a filter that it rules out: %j within %j', (list, segment) => {
  expect(logFilter(list, segment).countries).toEqual([]);
});

test.each(['seenWithinDays', 'notSeenForDays'])('a list says with %s from 1 to 3650 days', (name) => {
  const query = z.strictObject(contactListQuery);
  const taken = ['0', '1', '3650', '3651', '1.5', ''].filter(
    (days) => query.safeParse({ [name]: days }).success,
  );
  expect(taken).toEqual(['1', '3650']);
});
