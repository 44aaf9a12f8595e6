import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { eventQueueOf, eventQueues } from '../../src/durable/event-queues.ts';
import { newUuid } from '../../src/durable/new-ids.ts';

test('a number tells all its events to one queue, and numbers share both', () => {
  const ids = Array.from({ length: 64 }, () => env.PHONE_NUMBER.idFromName(newUuid()));
  const queues = ids.map((id) => eventQueueOf(env, id));
  expect(ids.map((id) => eventQueueOf(env, id))).toEqual(queues);
  expect(new Set(queues)).toEqual(new Set(eventQueues(env)));
});
