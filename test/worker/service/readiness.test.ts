import { expect, onTestFinished, test, vi } from 'vitest';
import { doorWith } from '../configured-door.ts';

test('a gateway that is ready is looked at again after five seconds, and one that is not after one', async () => {
  // Later than whatever is known from before.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
  onTestFinished(() => void vi.useRealTimers());
  let bridges = 0;
  const stats = async () => ({ bridges });
  const door = doorWith({
    BRIDGE_FLEET: { getByName: () => ({ stats }) } as unknown as Env['BRIDGE_FLEET'],
    WEBHOOK_DELIVERIES: {
      metrics: async () => ({ backlogCount: 0 }),
    } as unknown as Env['WEBHOOK_DELIVERIES'],
  });
  const statusAfter = async (ms: number) => {
    vi.setSystemTime(Date.now() + ms);
    return (await door('GET', '/readyz')).status;
  };
  expect(await statusAfter(0)).toBe(503);
  bridges = 1;
  expect([await statusAfter(999), await statusAfter(1)]).toEqual([503, 200]);
  bridges = 0;
  expect([await statusAfter(4_999), await statusAfter(1)]).toEqual([200, 503]);
});
