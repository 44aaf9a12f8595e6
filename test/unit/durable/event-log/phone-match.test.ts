import { expect, test } from 'vitest';
import { phoneDigitsOf } from '../../../../src/durable/event-log/contacts/contact-search.ts';

const finds = (q: string, phoneNumber: string) =>
  (phoneDigitsOf(q) ?? []).some((digits) => phoneNumber.startsWith(digits));

test.each([
  ['+86 138 0000 0001', '8613800000001'],
  ['0086 138-0000-0001', '8613800000001'],
  ['86 138 0000 0001', '8613800000001'],
  ['138 0000 0001', '8613800000001'],
  ['0812 3456 789', '628123456789'],
  ['0812-3456', '628123456789'],
  ['(11) 98765-4321', '5511987654321'],
  ['\u202a+62\u00a0812\u20113456\u202c', '628123456789'],
])('%j finds %s', (q, phoneNumber) => {
  expect(finds(q, phoneNumber)).toBe(true);
});

test.each(['+62 812', '+1 138 0000 0001', '138 0000 0002'])('%j does not find another number', (q) => {
  expect(finds(q, '8613800000001')).toBe(false);
});

test.each(['Budi 0812', '1234', '', '---', 'a+62812'])('%j is looked for as words', (q) => {
  expect(phoneDigitsOf(q)).toBeNull();
});
