import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newUuid } from '../../src/durable/new-ids.ts';
import { migrateObject } from '../../src/durable/object-migrations.ts';
import { MessageEvents } from '../../src/durable/phone-number/message-events.ts';
import { messageSpanMs } from '../../src/durable/phone-number/message-rows.ts';
import { phoneNumberMigrations } from '../../src/durable/phone-number/migrations.ts';
import { Moves } from '../../src/durable/phone-number/moves.ts';
import type { OutboundMessageState } from '../../src/durable/phone-number/outbound-message.ts';
import { Outbox } from '../../src/durable/phone-number/outbox.ts';
import { unpaced } from '../../src/durable/phone-number/pacing.ts';
import { SenderPace } from '../../src/durable/phone-number/sender-pace.ts';
import { SenderState } from '../../src/durable/phone-number/sender-state.ts';
import { textMessage } from './fake-bridge.ts';

const sender = { accountId: 'the account', numberId: 'the number' };

type Act =
  | { kind: 'new' | 'waits' | 'undone' | 'wake' }
  | { kind: 'again' | 'returned' | 'moved'; pick: number }
  | { kind: 'later'; spans: number };

const picking = (kind: 'again' | 'returned' | 'moved') =>
  fc.record({ kind: fc.constant(kind), pick: fc.nat() });
const acts: fc.Arbitrary<Act[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.constant<Act>({ kind: 'new' }) },
    { weight: 3, arbitrary: fc.constant<Act>({ kind: 'waits' }) },
    { weight: 1, arbitrary: fc.constant<Act>({ kind: 'undone' }) },
    { weight: 2, arbitrary: fc.constant<Act>({ kind: 'wake' }) },
    { weight: 3, arbitrary: picking('again') },
    { weight: 2, arbitrary: picking('returned') },
    { weight: 1, arbitrary: picking('moved') },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('later' as const),
        spans: fc.double({ min: 0, max: 4, noNaN: true }),
      }),
    },
  ),
  { maxLength: 60, size: 'max' },
);

/** A number that hands messages over on a storage of its own, with its pace as the next life of the object knows it. */
function stageOn(storage: DurableObjectStorage) {
  const { sql } = storage;
  const clock = { now: 1_800_000_000_000 };
  const wake = () => {
    const events = new MessageEvents(sql, () => sender);
    const pace = new SenderPace(new SenderState(sql), events);
    return { events, pace, outbox: new Outbox(sql, events), moves: new Moves(sql) };
  };
  type Life = ReturnType<typeof wake>;
  return {
    clock,
    wake,
    /** A message that is handed over as it is stored. */
    store({ pace, outbox }: Life): OutboundMessageState {
      clock.now += 1;
      const message = outbox.placed(textMessage('hello', { queuedAt: clock.now }));
      storage.transactionSync(() => {
        pace.secure(message.queuedAt);
        const note = pace.noteLeaving(message, 1, clock.now);
        outbox.add(message, clock.now, { handedTo: 'bridge', handedAt: clock.now, pace: note }, null, []);
      });
      return message;
    },
    storeWaiting({ pace, outbox }: Life): OutboundMessageState {
      clock.now += 1;
      const message = outbox.placed(textMessage('hello', { queuedAt: clock.now }));
      storage.transactionSync(() => {
        pace.secure(message.queuedAt);
        outbox.add(message, clock.now, null, null, []);
      });
      return message;
    },
    handAgain({ pace, outbox }: Life, message: OutboundMessageState): void {
      clock.now += 1;
      const note = pace.noteLeaving(message, 1, clock.now);
      outbox.noteHandOver(message, { handedTo: 'bridge', handedAt: clock.now, pace: note });
    },
    pacesStored: () =>
      sql.exec<{ n: number }>("SELECT count(*) AS n FROM sender_state WHERE name = 'pace'").one().n,
  };
}

async function withStage(act: (stage: ReturnType<typeof stageOn>, storage: DurableObjectStorage) => void) {
  const stub = env.BRIDGE_FLEET.getByName(newUuid());
  await runInDurableObject(stub, async (_instance: unknown, { storage }: DurableObjectState) => {
    await storage.deleteAll();
    migrateObject(storage, phoneNumberMigrations);
    act(stageOn(storage), storage);
  });
}

test('the pace costs a hand-over no row of its own, until its message has fallen behind', async () => {
  await withStage(({ clock, wake, store, handAgain, pacesStored }) => {
    const life = wake();
    const early = store(life);
    store(life);
    handAgain(life, early);
    expect(pacesStored()).toBe(0);
    expect(wake().pace.at(clock.now)).toMatchObject({ sent: 3 });
    clock.now += 3 * messageSpanMs;
    store(life);
    handAgain(life, early);
    expect(pacesStored()).toBe(1);
    expect(wake().pace.at(clock.now)).toEqual(life.pace.at(clock.now));
  });
});

test('the pace is not lost when messages that wait leave the row that has it behind', async () => {
  await withStage(({ clock, wake, store, storeWaiting }) => {
    const life = wake();
    store(life);
    const { sent, nextAt } = life.pace.at(clock.now);
    clock.now += 2 * messageSpanMs;
    storeWaiting(life);
    expect(wake().pace.at(clock.now)).toMatchObject({ sent, nextAt });
  });
});

test('whatever order things happen in, the next life goes on at the very pace of the one before', async () => {
  await fc.assert(
    fc.asyncProperty(acts, async (list) => {
      await withStage(({ clock, wake, store, storeWaiting, handAgain }, storage) => {
        let life = wake();
        life.pace.configure({ ...unpaced, minDelayMs: 1_000, maxDelayMs: 9_000_000 }, clock.now);
        let messages: OutboundMessageState[] = [];
        for (const act of list) {
          const picked = 'pick' in act ? messages[act.pick % Math.max(1, messages.length)] : undefined;
          if (act.kind === 'new') messages.push(store(life));
          else if (act.kind === 'waits') messages.push(storeWaiting(life));
          else if (act.kind === 'wake') life = wake();
          else if (act.kind === 'later') clock.now += Math.floor(act.spans * messageSpanMs);
          else if (act.kind === 'undone') {
            const undone = () =>
              storage.transactionSync(() => {
                store(life);
                throw new Error('no');
              });
            expect(undone).toThrow('no');
            life.events.reload();
            life.pace.reload();
          } else if (picked && act.kind === 'again') handAgain(life, picked);
          else if (picked) {
            life.outbox.noteReturned(picked);
            life.pace.noteReturned(clock.now);
            if (act.kind === 'moved') {
              life.moves.mark(picked);
              life.moves.moveAway({ ...picked, moves: 1 });
              messages = messages.filter((message) => message !== picked);
            }
          }
          expect(wake().pace.at(clock.now)).toEqual(life.pace.at(clock.now));
        }
      });
    }),
    { numRuns: 60 },
  );
});
