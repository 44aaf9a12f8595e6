import { expect, test } from 'vitest';
import { readable } from '../../../src/dashboard/parts/values/phone-numbers.ts';

test.each([
  ['15550000002', '+1 555 000 0002'],
  ['628123456789', '+62 812 3456 789'],
  ['4915123456789', '+49 151 2345 6789'],
  ['972501234567', '+972 501 234 567'],
  ['351912345678', '+351 912 345 678'],
  ['2348031234567', '+234 803 123 4567'],
  ['50761234567', '+507 612 345 67'],
])('the groups of digits of %s begin with its country code', (phoneNumber, shown) => {
  expect(readable(phoneNumber)).toBe(shown);
});

test('what is no phone number is shown as it is', () => {
  expect(readable('120363041234567890@g.us')).toBe('120363041234567890@g.us');
});
