import { expect, test } from 'vitest';
import { addressBlock, lastAddress } from '../../../src/worker/http/request/address-block.ts';

test('what one subscriber has of IPv6 is one address, in whatever way it is written', () => {
  const block = addressBlock('2001:db8:1:2::1');
  for (const address of ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:0DB8:0001:0002::9', '2001:db8:1:2::'])
    expect(addressBlock(address), address).toBe(block);
  for (const address of ['2001:db8:1:3::1', '2001:db8:2:2::1', '2001:db9:1:2::1'])
    expect(addressBlock(address), address).not.toBe(block);
});

test('an IPv4 address is itself, also where it is written as one of IPv6', () => {
  expect(addressBlock('203.0.113.7')).toBe('203.0.113.7');
  expect(addressBlock('::ffff:203.0.113.7')).toBe('203.0.113.7');
  expect(addressBlock('203.0.113.8')).not.toBe(addressBlock('203.0.113.7'));
});

test('of a list in a header the last address counts: anybody may have written the others', () => {
  expect(lastAddress('198.51.100.1, 203.0.113.7')).toBe('203.0.113.7');
  expect(lastAddress(' 203.0.113.7 ')).toBe('203.0.113.7');
  for (const nothing of [null, undefined, '', ' ', '203.0.113.7, ']) expect(lastAddress(nothing)).toBeNull();
});
