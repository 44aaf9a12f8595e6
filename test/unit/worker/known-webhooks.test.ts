import { expect, test } from 'vitest';
import type { WebhookRow } from '../../../src/worker/db/webhooks.ts';
import { KnownWebhooks } from '../../../src/worker/events/known-webhooks.ts';

const of = (accountId: string, id: string) => ({ accountId, id }) as WebhookRow;
const [one, two] = [of('a', '1'), of('b', '2')];

test('webhooks count as known for a second after they were read', () => {
  const known = new KnownWebhooks();
  known.note(['a', 'b'], [one, two], 10_000);
  expect(known.lately(['a', 'b'], 11_000)).toEqual([one, two]);
  expect(known.lately(['a'], 11_001)).toBeNull();
  expect(known.last(['a'])).toEqual([one]);
});

test('an account without webhooks is known too, and one that was never read is not', () => {
  const known = new KnownWebhooks();
  known.note(['a'], [], 10_000);
  expect(known.lately(['a'], 10_000)).toEqual([]);
  expect(known.lately(['a', 'b'], 10_000)).toBeNull();
});

test('what was read before a change, or while it was made, no longer counts', () => {
  const known = new KnownWebhooks();
  known.note(['a'], [one], 10_000);
  known.noteChange('a', 10_100);
  expect(known.lately(['a'], 10_101)).toBeNull();
  known.note(['a'], [one], 10_099);
  expect(known.lately(['a'], 10_101)).toBeNull();
  known.note(['a'], [], 10_101);
  expect(known.lately(['a'], 10_102)).toEqual([]);
});
