import { expect, test } from 'vitest';
import { wordsForModel } from '../../../../src/durable/event-log/messages/content-words.ts';

test('a model reads of a place what is known of it', () => {
  const place = { latitude: -6.2, longitude: 106.8 };
  const words = (more: object) => wordsForModel({ type: 'location', location: { ...place, ...more } });
  expect(words({})).toBe('[a location: -6.2, 106.8]');
  expect(words({ name: 'Office' })).toBe('[a location: Office, -6.2, 106.8]');
  expect(words({ name: 'Office', address: 'Jalan 1' })).toBe('[a location: Office, Jalan 1, -6.2, 106.8]');
});
