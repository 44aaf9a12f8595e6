import { afterEach, expect, test, vi } from 'vitest';
import { type Device, newDevice } from '../../../../src/durable/phone-number/device/device.ts';
import type { DeviceStore } from '../../../../src/durable/phone-number/device/device-store.ts';
import { Lease } from '../../../../src/durable/phone-number/device/lease.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** A device as it stands, and a fleet that answers when it is told to. */
function leaseOf(more: Partial<Device>) {
  let device: Device = { ...newDevice('account', 'number'), ...more };
  const store = {
    get known() {
      return device;
    },
    get current() {
      return device;
    },
    note: (next: Device) => {
      device = next;
    },
  } as unknown as DeviceStore;
  const told: string[] = [];
  let answer = () => {};
  const say = (what: string) => () => {
    told.push(what);
    return new Promise<void>((resolve) => {
      answer = resolve;
    });
  };
  const fleet = { acquire: say('acquire'), release: say('release') } as unknown as ReturnType<
    Env['BRIDGE_FLEET']['getByName']
  >;
  return {
    lease: new Lease(store, () => fleet),
    told,
    answer: () => answer(),
    want: (desired: Device['desired']) => store.note({ ...device, desired }),
    lose: (linkLostAt: number) => store.note({ ...device, linkLostAt }),
  };
}

test('a number that changes its mind while the fleet answers tells it that, too', async () => {
  const { lease, told, answer, want } = leaseOf({ desired: 'run' });
  const asking = lease.tell();
  want('none');
  answer();
  await asking;
  expect(lease.isKnown).toBe(false);
  expect(lease.dueAt()).not.toBeNull();
  const releasing = lease.tell();
  answer();
  await releasing;
  expect(told).toEqual(['acquire', 'release']);
  expect(lease.isKnown).toBe(true);
  expect(lease.dueAt()).toBeNull();
});

test('a fleet that may have heard that a number wants a bridge is told when it wants none any more', async () => {
  const { lease, told, answer, want } = leaseOf({ desired: 'run' });
  // The answer never comes, as where the object dies meanwhile.
  void lease.tell();
  want('none');
  expect(lease.isKnown).toBe(false);
  const releasing = lease.tell();
  answer();
  await releasing;
  expect(told).toEqual(['acquire', 'release']);
  expect(lease.isKnown).toBe(true);
});

test('a number that nobody drives asks for a bridge ever more seldom, but always again, and anew after each loss', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const lostAt = Date.now();
  const { lease, told, answer, lose } = leaseOf({ desired: 'run', isLeaseWanted: true, linkLostAt: lostAt });
  const waits: number[] = [];
  for (let time = 0; time < 10; time += 1) {
    const asking = lease.tell();
    answer();
    await asking;
    waits.push(((lease.dueAt() ?? 0) - lostAt) / 1000);
  }
  expect(told).toEqual(Array.from({ length: 10 }, () => 'acquire'));
  expect(waits).toEqual([10, 20, 40, 80, 160, 300, 300, 300, 300, 300]);
  vi.setSystemTime(lostAt + 3_600_000);
  lose(lostAt + 3_600_000);
  expect(lease.dueAt()).toBe(lostAt + 3_605_000);
});

test('a number that nobody drives asks again in time, also where the clock was set back meanwhile', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const lostAt = Date.now();
  const { lease, answer, want } = leaseOf({ desired: 'run', isLeaseWanted: true, linkLostAt: lostAt });
  vi.setSystemTime(lostAt - 3_600_000);
  expect(lease.dueAt()).toBeLessThan(Date.now());
  const asking = lease.tell();
  answer();
  await asking;
  want('none');
  vi.setSystemTime(lostAt - 7_200_000);
  expect(lease.dueAt()).toBeLessThan(Date.now());
});
