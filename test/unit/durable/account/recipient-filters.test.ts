import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openFilters } from '../../../../src/contract/numbers/sender-settings.ts';
import { accountMigrations } from '../../../../src/durable/account/migrations.ts';
import { RecipientChecks } from '../../../../src/durable/account/recipients/recipient-checks.ts';
import {
  compileFilters,
  filteredRefusal,
} from '../../../../src/durable/account/recipients/recipient-filters.ts';
import { sqliteStorage } from '../campaign/sqlite-storage.ts';

const refusedBy = (filters: Partial<typeof openFilters>, ...addresses: string[]) =>
  compileFilters({ ...openFilters, ...filters }).refusing(addresses)[0] ?? null;

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

  test('refuse somebody of whom they block any address, and allow whoever has one that may be written to', () => {
    const [dialled, address] = ['5511987654321', '551187654321'];
    for (const to of [
      [dialled, address],
      [address, dialled],
    ]) {
      for (const digits of to) {
        expect(refusedBy({ blockNumbers: [digits] }, ...to)).toBe('blockNumbers');
        expect(refusedBy({ blockPrefixes: [digits.slice(0, 6)] }, ...to)).toBe('blockPrefixes');
        expect(refusedBy({ allowPrefixes: [digits.slice(0, 6)] }, ...to)).toBeNull();
      }
      expect(refusedBy({ allowPrefixes: ['551188'] }, ...to)).toBe('allowPrefixes');
    }
    expect(refusedBy({ allowPrefixes: ['55'] })).toBeNull();
  });

  test('take an alias for one that has no prefix', () => {
    const alias = '130000000000001@lid';
    expect(refusedBy({ allowPrefixes: ['13'] }, alias)).toBe('allowPrefixes');
    expect(refusedBy({ blockPrefixes: ['13'] }, alias)).toBeNull();
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

describe('what the network has said of a recipient', () => {
  const now = Date.UTC(2026, 10, 26, 12);
  const hours = (count: number) => now + count * 3_600_000;
  const [to, other] = ['628777000111', '62877700011'];

  function checksOf() {
    const { sql } = sqliteStorage();
    for (const step of accountMigrations) sql.exec(step.sql);
    return new RecipientChecks(sql);
  }

  test('is believed for a month of who is there, and for a day of who is not', () => {
    const checks = checksOf();
    checks.note(to, true, now);
    checks.note(other, false, now);
    expect([hours(719), hours(720)].map((at) => checks.known(to, at))).toEqual([true, null]);
    expect([hours(23), hours(24)].map((at) => checks.known(other, at))).toEqual([false, null]);
  });

  test('stays known where it names other digits, until they are forgotten by either', () => {
    const checks = checksOf();
    checks.note(to, true, now, other);
    checks.note('628777000112', true, now);
    checks.sweep(hours(1_000));
    expect(checks.addressOf(to)).toBe(other);
    expect(checks.addressOf('628777000112')).toBeNull();
    checks.forget(other);
    expect(checks.addressOf(to)).toBeNull();
  });
});
