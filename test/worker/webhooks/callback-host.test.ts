import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { shareMax } from '../../../src/durable/callback-host/host-shares.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';

const newHost = () => env.CALLBACK_HOST.getByName(newUuid());
const request = () => ({ accountId: newUuid(), underWay: 0, wanted: shareMax });

test('what a host has shared out is not given to others, also after an eviction', async () => {
  const host = newHost();
  const given: number[] = [];
  for (let account = 0; account < 6; account += 1) {
    given.push((await host.share(request())).callbacks);
    await evictDurableObject(host);
  }
  expect(given).toEqual([200, 200, 200, 200, 100, 50]);
});

test('of a host whose shares are all over nothing is kept', async () => {
  const host = newHost();
  await host.share(request());
  await runDurableObjectAlarm(host);
  expect(await runInDurableObject(host, (_, { storage }) => storage.kv.get('shares'))).toBeUndefined();
});
