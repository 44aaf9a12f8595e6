import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { NamedTimers, slicedTimer } from '../../src/durable/named-timers.ts';
import { newUuid } from '../../src/durable/new-ids.ts';
import { migrateObject } from '../../src/durable/storage/object-migrations.ts';
import { until } from './until.ts';

function inObject<R>(run: (storage: DurableObjectStorage) => R | Promise<R>): Promise<R> {
  return runInDurableObject(env.BRIDGE_FLEET.getByName(newUuid()), (_, { storage }) => {
    storage.sql.exec('DELETE FROM object_migrations');
    return run(storage);
  });
}

describe('the schema of an object', () => {
  const first = { id: '1-people', sql: 'CREATE TABLE people (name TEXT)' };
  const second = { id: '2-age', sql: 'ALTER TABLE people ADD COLUMN age INTEGER NOT NULL DEFAULT 7' };

  test('is brought up to date step by step, with old rows in place', async () => {
    const people = await inObject((storage) => {
      migrateObject(storage, [first, second], first.id);
      storage.sql.exec("INSERT INTO people VALUES ('Ana')");
      migrateObject(storage, [first, second]);
      migrateObject(storage, [first, second]);
      return storage.sql.exec('SELECT * FROM people').toArray();
    });
    expect(people).toEqual([{ name: 'Ana', age: 7 }]);
  });

  test('may be newer than the code, so that a deploy can be rolled back', async () => {
    const people = await inObject((storage) => {
      migrateObject(storage, [first, second]);
      migrateObject(storage, [first]);
      storage.sql.exec("INSERT INTO people (name) VALUES ('Ana')");
      migrateObject(storage, [first, second]);
      return storage.sql.exec('SELECT * FROM people').toArray();
    });
    expect(people).toEqual([{ name: 'Ana', age: 7 }]);
  });

  test('is not touched by code that does not know what ran before', async () => {
    const message = await inObject((storage) => {
      migrateObject(storage, [first, second]);
      try {
        migrateObject(storage, [{ ...first, id: '1-renamed' }]);
        return 'migrated';
      } catch (error) {
        return String(error);
      }
    });
    expect(message).toContain('"1-people" ran here');
  });
});

describe('the timers of an object', () => {
  test('share one alarm, which is set to the first that is due and moved only forward in time', async () => {
    const alarms = await inObject(async (storage) => {
      const due = { early: 9_000_000_001_000 as number | null, late: 9_000_000_005_000 as number | null };
      const timers = new NamedTimers(storage, [
        { name: 'late', dueAt: () => due.late, run: () => {} },
        { name: 'early', dueAt: () => due.early, run: () => {} },
      ]);
      const seen: (number | null)[] = [];
      await timers.wake();
      seen.push(await storage.getAlarm());
      due.early = null;
      timers.arm();
      seen.push(await storage.getAlarm());
      due.late = 9_000_000_000_500;
      timers.arm();
      seen.push(await storage.getAlarm());
      await storage.deleteAlarm();
      return seen;
    });
    expect(alarms).toEqual([9_000_000_001_000, 9_000_000_001_000, 9_000_000_000_500]);
  });

  test('may leave the alarm to others, and run with the next of them that rings', async () => {
    const outcome = await inObject(async (storage) => {
      const now = 9_000_000_000_000;
      const ran: string[] = [];
      const due = { patient: (now + 1_000) as number | null, urgent: null as number | null };
      const timers = new NamedTimers(storage, [
        {
          name: 'patient',
          dueAt: () => due.patient,
          wakesAt: () => null,
          run: () => {
            ran.push('patient');
            due.patient = null;
          },
        },
        {
          name: 'urgent',
          dueAt: () => due.urgent,
          run: () => {
            ran.push('urgent');
            due.urgent = null;
          },
        },
      ]);
      await timers.wake();
      const alone = await storage.getAlarm();
      due.urgent = now;
      timers.arm();
      const alarms = [alone, await storage.getAlarm()];
      // As the platform does before it rings.
      await storage.deleteAlarm();
      await timers.ring(now, () => {});
      alarms.push(await storage.getAlarm());
      due.urgent = now + 2_000;
      await timers.ring(now + 2_000, () => {});
      return { ran, alarms };
    });
    expect(outcome).toEqual({
      ran: ['urgent', 'patient', 'urgent'],
      alarms: [null, 9_000_000_000_000, null],
    });
  });

  test('run when due; one that fails is reported and tried again, and holds up no other', async () => {
    const outcome = await inObject(async (storage) => {
      const now = 9_000_000_000_000;
      const ran: string[] = [];
      let due: number | null = now;
      const timers = new NamedTimers(storage, [
        {
          name: 'failing',
          dueAt: () => now,
          run: () => {
            throw new Error('no');
          },
        },
        {
          name: 'working',
          dueAt: () => due,
          run: () => {
            ran.push('working');
            due = null;
          },
        },
        { name: 'later', dueAt: () => now + 1, run: () => void ran.push('later') },
      ]);
      const failed: string[] = [];
      await timers.ring(now, (name) => failed.push(name));
      const alarm = await storage.getAlarm();
      await storage.deleteAlarm();
      return { ran, failed, again: (alarm ?? 0) > now };
    });
    expect(outcome).toEqual({ ran: ['working'], failed: ['failing'], again: true });
  });

  test('go on slice by slice within one alarm while they are due, and others run in between', async () => {
    const ran = await inObject(async (storage) => {
      const now = Date.now();
      const order: string[] = [];
      const left = { slices: 3, others: 1 };
      const timers = new NamedTimers(storage, [
        slicedTimer(
          'sliced',
          () => (left.slices > 0 ? now : null),
          () => {
            left.slices -= 1;
            order.push('slice');
          },
        ),
        {
          name: 'other',
          dueAt: () => (left.others > 0 ? now : null),
          run: () => {
            left.others -= 1;
            order.push('other');
          },
        },
      ]);
      await timers.ring(now, () => {});
      return order;
    });
    expect(ran).toEqual(['slice', 'other', 'slice', 'slice']);
  });

  test('that ask somebody hold up the alarm for twenty seconds at most', async () => {
    const asked = vi.spyOn(scheduler, 'wait').mockResolvedValue(undefined);
    onTestFinished(() => asked.mockRestore());
    const alarm = await inObject(async (storage) => {
      const now = 9_000_000_000_000;
      const timers = new NamedTimers(storage, [
        { name: 'asking', dueAt: () => now, run: () => new Promise(() => {}) },
      ]);
      await timers.ring(now, () => {});
      const at = await storage.getAlarm();
      await storage.deleteAlarm();
      return (at ?? 0) - now;
    });
    expect(asked).toHaveBeenCalledWith(20_000, expect.anything());
    expect(alarm).toBe(5_000);
  });

  test('do not wait for one another, and one that has not ended is not begun again', async () => {
    const outcome = await inObject(async (storage) => {
      const now = 9_000_000_000_000;
      const { promise: answer, resolve: answerNow } = Promise.withResolvers<void>();
      const began: string[] = [];
      const due = { hanging: now as number | null, working: now as number | null };
      const timers = new NamedTimers(storage, [
        {
          name: 'hanging',
          dueAt: () => due.hanging,
          run: async () => {
            began.push('hanging');
            await answer;
            due.hanging = null;
          },
        },
        {
          name: 'working',
          dueAt: () => due.working,
          run: () => {
            began.push('working');
            due.working = null;
          },
        },
      ]);
      const first = timers.ring(now, () => {});
      await until(() => began.includes('working'));
      due.working = now;
      const second = timers.ring(now, () => {});
      const beganMeanwhile = [...began];
      answerNow();
      await Promise.all([first, second]);
      const alarm = await storage.getAlarm();
      await storage.deleteAlarm();
      return { beganMeanwhile, alarm };
    });
    expect(outcome).toEqual({ beganMeanwhile: ['hanging', 'working', 'working'], alarm: null });
  });
});
