import { expect, test } from 'vitest';
import { snoozeTimes } from '../../../src/dashboard/features/inbox/chat/head/snooze-times.ts';
import { filledIn } from '../../../src/dashboard/parts/values/canned-variables.ts';

const contact = {
  contactId: null,
  phoneNumber: '628123456789',
  lid: null,
  name: null,
  pushName: 'Siti',
  labels: [],
  attributes: { city: 'Jakarta', orders: 3 },
};

test('a canned reply is filled in with what is known; what is not stays for its sender to see', () => {
  const text =
    'Hello {{contact.name}} of {{contact.city}}, order {{contact.orders}}: {{contact.code}}. {{ agent.name }}';
  expect(filledIn(text, { contact, agent: 'Ada' })).toBe(
    'Hello Siti of Jakarta, order 3: {{contact.code}}. Ada',
  );
  expect(filledIn('{{contact.name}}', { contact: null, agent: 'Ada' })).toBe('{{contact.name}}');
  expect(filledIn('{{contact.constructor}}', { contact, agent: 'Ada' })).toBe('{{contact.constructor}}');
});

test('what is known of a contact is text: it fills in nothing itself', () => {
  const named = { ...contact, pushName: '{{agent.name}} $& $1' };
  expect(filledIn('Hello {{contact.name}}', { contact: named, agent: 'Ada' })).toBe(
    'Hello {{agent.name}} $& $1',
  );
});

test.each([
  [new Date(2026, 10, 20, 16, 30), new Date(2026, 10, 23, 9)],
  [new Date(2026, 10, 22, 8), new Date(2026, 10, 23, 9)],
  [new Date(2026, 10, 23, 8), new Date(2026, 10, 30, 9)],
])('snoozed on %s until Monday morning is until %s', (now, monday) => {
  expect(snoozeTimes(now).find(({ name }) => name === 'monday')?.until).toEqual(monday);
  for (const { until } of snoozeTimes(now)) expect(until.getTime()).toBeGreaterThan(now.getTime());
});
