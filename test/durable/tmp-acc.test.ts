import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { test } from 'vitest';
import { poolOf, sendRequest, setUsed } from './account-fixture.ts';
import { StandInLogs, StandInNumbers } from './stand-in-objects.ts';
test('x', async () => {
  await StandInNumbers.begin(); await StandInLogs.begin();
  const { account, keyHash } = await poolOf(1);
  await setUsed(account, 997);
  console.info(JSON.stringify(await account.usage()));
  await runInDurableObject(account, (_: unknown, { storage }) => { storage.sql.exec('DELETE FROM snapshot'); });
  await evictDurableObject(account);
  const r = await Promise.all([...Array.from({ length: 5 }, () => account.send(sendRequest(keyHash, { idempotencyKey: 'cold' }))), ...Array.from({ length: 10 }, () => account.send(sendRequest(keyHash)))]);
  console.info(JSON.stringify(r.map((x) => x.ok)), JSON.stringify(await account.usage()));
});
