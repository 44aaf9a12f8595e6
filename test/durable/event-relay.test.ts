import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { EventRelay } from '../../src/durable/event-relay.ts';
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
  const queue = { send: async (message: EventsQueueMessage) => void sent.push(message) } as unknown as Queue;
  const wake = () =>
    new EventRelay(metered, queue, () => ({ accountId: 'a', source: { kind: 'phone-number', name: 'n' } }));
  const onError = (error: unknown) => {
    throw error;
  };
  let clock = 0;
  return {
    meter,
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
      const [next] = await flush(relay);
      relay.confirm([before?.seq ?? 0]);
      before = next;
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
