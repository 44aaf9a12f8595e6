import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { leaseTimes } from '../../../src/contract/bridge/bridge-frames.ts';
import { LeaseClock, LeaseFence } from '../../../src/session-bridge/edge/lease-clock.ts';

const { validMs, validMsMin, marginMs } = leaseTimes;

describe('the leases of a bridge', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'], now: 1_000_000 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('hold from the sending of a ping that was answered, and not from its answer', () => {
    const clock = new LeaseClock();
    expect(clock.isValid).toBe(false);
    clock.pinged(true);
    vi.advanceTimersByTime(validMs - 1);
    clock.ponged();
    expect(clock.isValid).toBe(true);
    vi.advanceTimersByTime(1);
    expect(clock.isValid).toBe(false);
  });

  test('hold for as long as the welcome says', () => {
    const clock = new LeaseClock();
    clock.welcomed(validMsMin);
    clock.pinged(true);
    clock.ponged();
    vi.advanceTimersByTime(validMsMin - 1);
    expect(clock.isValid).toBe(true);
    vi.advanceTimersByTime(1);
    expect(clock.isValid).toBe(false);
    // An edge that says nothing waits for longer.
    clock.welcomed();
    expect(clock.isValid).toBe(true);
  });

  test('are not kept by pings before the fleet has said which ones there are', () => {
    const clock = new LeaseClock();
    clock.pinged(false);
    clock.pinged(true);
    clock.ponged();
    expect(clock.isValid).toBe(false);
    clock.ponged();
    expect(clock.isValid).toBe(true);
  });

  test('hold from the ping of the link that is there: what an earlier one left unanswered answers nothing', () => {
    const clock = new LeaseClock();
    clock.pinged(true);
    vi.advanceTimersByTime(validMs - 1_000);
    clock.linkLost();
    clock.pinged(true);
    clock.ponged();
    vi.advanceTimersByTime(validMs - 1);
    expect(clock.isValid).toBe(true);
    vi.advanceTimersByTime(1);
    expect(clock.isValid).toBe(false);
  });

  test('let through what waits with an answer that makes them certain, and with no other', () => {
    const clock = new LeaseClock();
    const left: string[] = [];
    new LeaseFence(clock).onceOpen(() => left.push('it'));
    clock.pinged(false);
    clock.ponged();
    clock.pinged(true);
    vi.advanceTimersByTime(validMs);
    clock.ponged();
    expect(left).toEqual([]);
    clock.pinged(true);
    clock.ponged();
    clock.pinged(true);
    clock.ponged();
    expect(left).toEqual(['it']);
  });

  test('are over when the clock on the wall has gone on while the process, or the machine, stood still', () => {
    const clock = new LeaseClock();
    clock.pinged(true);
    clock.ponged();
    vi.setSystemTime(Date.now() + validMs);
    expect(clock.isValid).toBe(false);
  });

  test('are never taken for held at a time at which the fleet may have given them to another bridge', () => {
    const step = fc.record({
      waitMs: fc.integer({ min: 1, max: 900 }),
      thereMs: fc.integer({ min: 0, max: 1_500 }),
      backMs: fc.integer({ min: 0, max: 1_500 }),
      isLost: fc.boolean(),
      frozenMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 8_000 })),
    });
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 30 }),
        fc.integer({ min: validMsMin, max: validMs }),
        (steps, leaseMs) => {
          const clock = new LeaseClock();
          clock.welcomed(leaseMs);
          // The link: pings and answers keep their order.
          const underWay: { heardAt: number; answeredAt: number }[] = [];
          let [lastHeard, lastAnswered] = [0, 0];
          // What it has answered, the fleet has heard; perhaps more.
          let heardByFleet = Number.NEGATIVE_INFINITY;
          const look = () => {
            const now = Date.now();
            while (underWay[0] && underWay[0].answeredAt <= now) {
              heardByFleet = underWay.shift()?.heardAt ?? heardByFleet;
              clock.ponged();
            }
            if (clock.isValid) expect(now).toBeLessThan(heardByFleet + leaseMs + marginMs);
          };
          for (const { waitMs, thereMs, backMs, isLost, frozenMs } of steps) {
            vi.advanceTimersByTime(waitMs);
            look();
            if (isLost) {
              // The link broke, and what was on its way with it.
              underWay.length = 0;
              clock.linkLost();
            } else {
              clock.pinged(true);
              lastHeard = Math.max(lastHeard, Date.now() + thereMs);
              lastAnswered = Math.max(lastAnswered, lastHeard + backMs);
              underWay.push({ heardAt: lastHeard, answeredAt: lastAnswered });
            }
            look();
            vi.advanceTimersByTime(frozenMs);
            look();
          }
        },
      ),
    );
  });
});

describe('the fence before the network', () => {
  test('lets nothing through once its lease is over, though the bridge has others', () => {
    const clock = new LeaseClock();
    const [over, held] = [new LeaseFence(clock), new LeaseFence(clock)];
    const left: string[] = [];
    over.onceOpen(() => left.push('over'));
    held.onceOpen(() => left.push('held'));
    over.shut();
    clock.pinged(true);
    clock.ponged();
    expect(left).toEqual(['held']);
    expect([over.isOpen, held.isOpen]).toEqual([false, true]);
  });
});
