import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openFilters } from '../../../../src/contract/sender-settings.ts';
import {
  compileFilters,
  filteredRefusal,
} from '../../../../src/durable/account/recipients/recipient-filters.ts';

const refusedBy = (filters: Partial<typeof openFilters>, to: string) =>
  compileFilters({ ...openFilters, ...filters }).refusedBy(to);

describe('number filters', () => {
  test('that are empty allow everybody', () => {
    expect(refusedBy({}, '628123456789')).toBeNull();
  });

  test('with allowed prefixes refuse everybody else', () => {
    const filters = { allowPrefixes: ['62', '491'] };
    expect(refusedBy(filters, '628123456789')).toBeNull();
    expect(refusedBy(filters, '4915112345678')).toBeNull();
    expect(refusedBy(filters, '493012345678')).toBe('allowPrefixes');
  });

  test('block by prefix and single recipients, also where the prefix is allowed', () => {
    const filters = { allowPrefixes: ['62'], blockPrefixes: ['6281'], blockNumbers: ['628999888777'] };
    expect(refusedBy(filters, '628123456789')).toBe('blockPrefixes');
    expect(refusedBy(filters, '628999888777')).toBe('blockNumbers');
    expect(refusedBy(filters, '628555444333')).toBeNull();
  });

  test('refuse exactly those who one of them names', () => {
    const digits = fc.stringMatching(/^[1-9]\d{5,12}$/);
    const prefixes = fc.array(fc.stringMatching(/^[1-9]\d{0,2}$/), { maxLength: 4 });
    fc.assert(
      fc.property(prefixes, prefixes, fc.array(digits), digits, (allow, block, numbers, to) => {
        const refused = refusedBy({ allowPrefixes: allow, blockPrefixes: block, blockNumbers: numbers }, to);
        const isAllowed = allow.length === 0 || allow.some((it) => to.startsWith(it));
        const isBlocked = block.some((it) => to.startsWith(it)) || numbers.includes(to);
        expect(refused === null).toBe(isAllowed && !isBlocked);
      }),
    );
  });

  test('say which of them refuses', () => {
    expect(filteredRefusal('blockPrefixes')).toEqual({
      ok: false,
      code: 'RECIPIENT_FILTERED',
      message: "The recipient's prefix is blocked.",
      details: [{ path: 'to', filter: 'blockPrefixes', message: "The recipient's prefix is blocked." }],
    });
  });
});
