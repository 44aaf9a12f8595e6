import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { EventRelay } from '../../src/durable/event-relay.ts';
import type { EventWays } from '../../src/durable/event-route.ts';
import { newUuid } from '../../src/durable/new-ids.ts';
import type { EventsQueueMessage } from '../../src/durable/relayed-events.ts';

/** A relay on a table of its own, with a queue that keeps what it is given; `wake` begins another life of the object. */
async function withRelay(act: (stage: ReturnType<typeof stageOn>) => Promise<void>): Promise<void> {
  const stub = env.BRIDGE_FLEET.getByName(newUuid());
  await runInDurableObject(stub, async (_instance: unknown, state: DurableObjectState) => {
    state.storage.sql.exec(
      'CREATE TABLE relay (seq INTEGER PRIMARY KEY, events TEXT NOT NULL, confirmed TEXT)',
    );
    await act(stageOn(state.storage));
  });
}

function stageOn(storage: DurableObjectStorage) {
  const { sql } = storage;
  const meter = { rows: 0 };
  const metered = {
    exec: (query: string, ...bindings: SqlStorageValue[]) => {
      const cursor = sql.exec(query, ...bindings);
      meter.rows += cursor.rowsWritten;
      return cursor;
    },
  } as unknown as SqlStorage;
  const sent: EventsQueueMessage[] = [];
  const [ways, refusing] = [[] as string[], { atOnce: false as boolean | 'throws' }];
  const take = (way: string, message: EventsQueueMessage) => {
    ways.push(`${way}: ${message.events.map(({ envelope }) => envelope).join(' ')}`);
    sent.push(message);
  };
  const both: EventWays = {
    queue: {
      send: async (message) => {
        take('queue', message as EventsQueueMessage);
        return {} as QueueSendResponse;
      },
    },
    atOnce: async (message) => {
      if (refusing.atOnce === 'throws') throw new Error('no consumer');
      if (refusing.atOnce) return false;
      take('at once', message);
      return true;
    },
  };
  const wake = () =>
    new EventRelay(metered, both, () => ({ accountId: 'a', source: { kind: 'phone-number', name: 'n' } }));
  const onError = (error: unknown) => {
    throw error;
  };
  let clock = 0;
  return {
    meter,
    /** What was given to the consumer, and which way. */
    ways,
    refusing,
    wake,
    transaction: <T>(change: () => T) => storage.transactionSync(change),
    /** One step: an event that is known by its name. */
    append: (relay: EventRelay, name: string) => {
      clock += 1;
      relay.append([{ envelope: name as never, message: null, device: null }], clock);
    },
    /** Gives the queue what waits, and returns the names and seqs that it got. */
    flush: async (relay: EventRelay) => {
      sent.length = 0;
      await relay.flush(onError);
      return sent.flatMap(({ events }) =>
        events.map(({ seq, envelope }) => ({ seq, name: envelope as unknown as string })),
      );
    },
    /** All that was ever appended. */
    confirmAll: (relay: EventRelay) =>
      relay.confirm([...Array(clock).keys()].map((index) => (index + 1) * 1000)),
    /** What the queue is given again at this time. */
    resendAt: async (relay: EventRelay, at: number) => {
      sent.length = 0;
      await atTime(at, () => relay.resend(onError));
      return sent.flatMap(({ events }) => events.map(({ envelope }) => envelope as unknown as string));
    },
    rowCount: () => sql.exec<{ n: number }>('SELECT count(*) AS n FROM relay').one().n,
  };
}

async function atTime<T>(now: number, act: () => T | Promise<T>): Promise<T> {
  const clock = vi.spyOn(Date, 'now').mockReturnValue(now);
  try {
    return await act();
  } finally {
    clock.mockRestore();
  }
}

test('while events keep coming each is one row written, also counting that it is forgotten', async () => {
  await withRelay(async ({ meter, wake, append, flush, rowCount }) => {
    const relay = wake();
    append(relay, 'first');
    let [before] = await flush(relay);
    meter.rows = 0;
    for (let step = 0; step < 100; step += 1) {
      append(relay, `${step}`);
      relay.confirm([before?.seq ?? 0]);
      [before] = await flush(relay);
    }
    // The first of them finds no row to use again.
    expect(meter.rows).toBe(100);
    expect(rowCount()).toBe(2);
  });
});

test('when the last event is confirmed that is written too, and a later life of the object sends nothing', async () => {
  await withRelay(async ({ meter, wake, append, flush }) => {
    const relay = wake();
    for (const name of ['a', 'b', 'c']) append(relay, name);
    const seqs = (await flush(relay)).map(({ seq }) => seq);
    meter.rows = 0;
    relay.confirm(seqs);
    expect(meter.rows).toBe(1);
    const later = wake();
    expect(await flush(later)).toEqual([]);
    expect([later.isEmpty, later.resendAt()]).toEqual([true, null]);
    append(later, 'd');
    expect((await flush(later)).map(({ name }) => name)).toEqual(['d']);
  });
});

test('a great many events at once are all forgotten, and their rows do not pile up', async () => {
  await withRelay(async ({ wake, append, flush, rowCount }) => {
    const relay = wake();
    for (let step = 0; step < 1500; step += 1) append(relay, `${step}`);
    relay.confirm((await flush(relay)).map(({ seq }) => seq));
    expect(rowCount()).toBeLessThanOrEqual(512);
    expect(await flush(wake())).toEqual([]);
  });
});

test('a step whose transaction comes to nothing is not sent, and what follows it is', async () => {
  await withRelay(async ({ transaction, wake, append, flush }) => {
    const relay = wake();
    append(relay, 'kept');
    relay.confirm((await flush(relay)).map(({ seq }) => seq));
    const undone = () =>
      transaction(() => {
        append(relay, 'undone');
        throw new Error('no');
      });
    expect(undone).toThrow('no');
    append(relay, 'after');
    expect((await flush(relay)).map(({ name }) => name)).toEqual(['after']);
    expect(relay.isEmpty).toBe(false);
  });
});

test('events that nobody confirms are sent again after 15 s, and then at ever longer intervals of up to ten minutes', async () => {
  await withRelay(async ({ wake, append, flush, resendAt }) => {
    const relay = wake();
    append(relay, 'lost');
    await atTime(1_000_000, () => flush(relay));
    const waits: number[] = [];
    for (let last = 1_000_000, due = 0; waits.length < 8; last = due) {
      due = relay.resendAt() ?? 0;
      waits.push((due - last) / 1000);
      expect(await resendAt(relay, due - 1)).toEqual([]);
      expect(await resendAt(relay, due)).toEqual(['lost']);
    }
    expect(waits).toEqual([15, 30, 60, 120, 240, 480, 600, 600]);
  });
});

test('while the queue is late, new events are not sent twice; once it is prompt again, lost ones soon are', async () => {
  await withRelay(async ({ wake, append, flush, resendAt }) => {
    const relay = wake();
    let now = 1_000_000;
    const confirmedAfter = async (ms: number) => {
      append(relay, 'event');
      const sent = await atTime(now, () => flush(relay));
      now += ms;
      const again = await resendAt(relay, now);
      await atTime(now, () => relay.confirm(sent.map(({ seq }) => seq)));
      return again;
    };
    expect(await confirmedAfter(60_000)).toEqual(['event']);
    for (let step = 0; step < 20; step += 1) expect(await confirmedAfter(60_000 + step)).toEqual([]);
    for (let step = 0; step < 60; step += 1) await confirmedAfter(100);
    expect(await confirmedAfter(16_000)).toEqual(['event']);
  });
});

type Act = { kind: 'append' } | { kind: 'confirm'; share: number } | { kind: 'wake' } | { kind: 'flush' };

test('whatever order things happen in, a life of the object sends every event that is not confirmed, in order', async () => {
  const acts: fc.Arbitrary<Act[]> = fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constant<Act>({ kind: 'append' }) },
      {
        weight: 3,
        arbitrary: fc.record({
          kind: fc.constant('confirm' as const),
          share: fc.double({ min: 0, max: 1, noNaN: true }),
        }),
      },
      { weight: 1, arbitrary: fc.constant<Act>({ kind: 'wake' }) },
      { weight: 2, arbitrary: fc.constant<Act>({ kind: 'flush' }) },
    ),
    { maxLength: 60, size: 'max' },
  );
  await fc.assert(
    fc.asyncProperty(acts, async (list) => {
      await withRelay(async ({ wake, append, flush }) => {
        let relay = wake();
        let count = 0;
        const open = new Map<string, number | null>();
        const note = (sent: { seq: number; name: string }[]) => {
          for (const { seq, name } of sent) if (open.has(name)) open.set(name, seq);
        };
        for (const act of list) {
          if (act.kind === 'append') {
            open.set(`${count}`, null);
            append(relay, `${count}`);
            count += 1;
          } else if (act.kind === 'wake') relay = wake();
          else if (act.kind === 'flush') note(await flush(relay));
          else {
            const sent = [...open].filter(([, seq]) => seq !== null);
            const confirmed = sent.filter((_, index) => index / sent.length < act.share);
            relay.confirm(confirmed.map(([, seq]) => seq ?? 0));
            for (const [name] of confirmed) open.delete(name);
          }
        }
        const again = (await flush(wake())).map(({ name }) => name);
        expect(again.filter((name) => open.has(name))).toEqual([...open.keys()]);
      });
    }),
    { numRuns: 40 },
  );
});

test('events go to their consumer at once, and those that come behind them together once they are confirmed', async () => {
  await withRelay(async ({ wake, append, flush, ways }) => {
    const relay = wake();
    for (const name of ['first', 'second', 'third']) {
      append(relay, name);
      await flush(relay);
    }
    expect(ways).toEqual(['at once: first']);
    relay.confirm([1000]);
    await flush(relay);
    expect(ways).toEqual(['at once: first', 'at once: second third']);
  });
});

test('more than may wait go through the queue, and all that come behind them until it is empty', async () => {
  await withRelay(async ({ wake, append, flush, confirmAll, ways }) => {
    const relay = wake();
    append(relay, 'first');
    await flush(relay);
    for (let count = 0; count < 251; count += 1) append(relay, '.');
    await flush(relay);
    relay.confirm([1000]);
    append(relay, 'behind');
    await flush(relay);
    confirmAll(relay);
    append(relay, 'after');
    await flush(relay);
    expect(ways.map((way) => way.replace(/(\. ?)+/, 'many'))).toEqual([
      'at once: first',
      'queue: many',
      'queue: behind',
      'at once: after',
    ]);
  });
});

test('events wait no longer than two seconds for those that are on their way', async () => {
  await withRelay(async ({ wake, append, ways }) => {
    const relay = wake();
    append(relay, 'first');
    await atTime(1_000_000, () => relay.flush(() => {}));
    append(relay, 'second');
    await atTime(1_002_000, () => relay.flush(() => {}));
    append(relay, 'third');
    await atTime(1_002_001, () => relay.flush(() => {}));
    expect(ways).toEqual(['at once: first', 'queue: second third']);
  });
});

test('what waits behind an event that got lost goes through the queue when that is sent again', async () => {
  await withRelay(async ({ wake, append, flush, resendAt, ways }) => {
    const relay = wake();
    append(relay, 'lost');
    await atTime(1_000_000, () => flush(relay));
    append(relay, 'behind');
    await atTime(1_000_001, () => flush(relay));
    await resendAt(relay, relay.resendAt() ?? 0);
    expect(ways).toEqual(['at once: lost', 'queue: lost behind']);
  });
});

test('what an earlier life of the object may have sent goes through the queue', async () => {
  await withRelay(async ({ wake, append, flush, confirmAll, ways }) => {
    append(wake(), 'left');
    const relay = wake();
    await flush(relay);
    confirmAll(relay);
    append(relay, 'new');
    await flush(relay);
    expect(ways).toEqual(['queue: left', 'at once: new']);
  });
});

test('a consumer that cannot take an event at once, or takes too long over it, is given the queue for three seconds', async () => {
  await withRelay(async ({ wake, append, confirmAll, ways, refusing }) => {
    const relay = wake();
    let now = 1_000_000;
    const tell = async (name: string, confirmedAfter: number) => {
      append(relay, name);
      await atTime(now, () => relay.flush(() => {}));
      now += confirmedAfter;
      await atTime(now, () => confirmAll(relay));
    };
    for (const how of [true, 'throws'] as const) {
      refusing.atOnce = how;
      await tell('refused', 2_999);
      refusing.atOnce = false;
      await tell('still', 1);
    }
    await tell('taken', 1_001);
    await tell('slow', 3_000);
    await tell('taken', 1_000);
    await tell('prompt', 0);
    expect(ways).toEqual([
      'queue: refused',
      'queue: still',
      'queue: refused',
      'queue: still',
      'at once: taken',
      'queue: slow',
      'at once: taken',
      'at once: prompt',
    ]);
  });
});

test('an event that got lost on its way at once is sent again through the queue', async () => {
  await withRelay(async ({ wake, append, flush, resendAt, ways }) => {
    const relay = wake();
    append(relay, 'lost');
    await atTime(1_000_000, () => flush(relay));
    await resendAt(relay, 1_015_000);
    expect(ways).toEqual(['at once: lost', 'queue: lost']);
  });
});
