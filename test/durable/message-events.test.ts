import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EventEnvelope } from '../../src/contract/events.ts';
import { EventRelay } from '../../src/durable/event-relay.ts';
import { newUuid } from '../../src/durable/new-ids.ts';
import { migrateObject } from '../../src/durable/object-migrations.ts';
import type { Device } from '../../src/durable/phone-number/device.ts';
import { MessageEvents } from '../../src/durable/phone-number/message-events.ts';
import { MessageFlow, type MessageFlowParts } from '../../src/durable/phone-number/message-flow.ts';
import { messageSpanMs } from '../../src/durable/phone-number/message-rows.ts';
import { phoneNumberMigrations } from '../../src/durable/phone-number/migrations.ts';
import { Moves } from '../../src/durable/phone-number/moves.ts';
import {
  type AdmittedMessage,
  providerMessageIdOf,
} from '../../src/durable/phone-number/outbound-message.ts';
import { Outbox } from '../../src/durable/phone-number/outbox.ts';
import type { EventsQueueMessage } from '../../src/durable/relayed-events.ts';
import { textMessage } from './fake-bridge.ts';

const sender = { accountId: 'the account', numberId: 'the number', phoneNumber: '628123456789' };
type Kind = 'sent' | 'delivered' | 'read';
/** An event as the queue got it. */
type Told = { seq: number; envelope: EventEnvelope; json: string };

/** A number's messages on a storage of their own, with a queue that keeps what it is given. */
async function withMessages(
  act: (stage: ReturnType<typeof stageOn>) => Promise<void>,
  before: (storage: DurableObjectStorage) => void = () => {},
): Promise<void> {
  const stub = env.BRIDGE_FLEET.getByName(newUuid());
  await runInDurableObject(stub, async (_instance: unknown, { storage }: DurableObjectState) => {
    await storage.deleteAll();
    before(storage);
    migrateObject(storage, phoneNumberMigrations);
    await act(stageOn(storage));
  });
}

function stageOn(storage: DurableObjectStorage) {
  const meter = { rows: 0 };
  const sql = {
    exec: (query: string, ...bindings: SqlStorageValue[]) => {
      const cursor = storage.sql.exec(query, ...bindings);
      meter.rows += cursor.rowsWritten;
      return cursor;
    },
  } as unknown as SqlStorage;
  const sent: EventsQueueMessage[] = [];
  const take = async (message: unknown) => void sent.push(message as EventsQueueMessage);
  const atOnce = async (message: EventsQueueMessage) => {
    await take(message);
    return true;
  };
  const ways = { queue: { send: take as never }, atOnce };
  const clock = { now: 1_800_000_000_000 };
  /** What a link would keep; it is lost with the link. */
  const link = {
    isThere: false,
    confirmedBefore: 0,
    noteConfirmed(before: number) {
      if (link.isThere) link.confirmedBefore = before;
      return link.isThere;
    },
    opens(isThere: boolean) {
      Object.assign(link, { isThere, confirmedBefore: 0 });
    },
  };

  /** Another life of the object: all that is in memory is lost. */
  function wake() {
    const events = new MessageEvents(sql, () => sender, link);
    const head = () => ({ accountId: 'the account', source: { kind: 'phone-number' as const, name: 'n' } });
    const relay = new EventRelay(sql, ways, head, events);
    const outbox = new Outbox(sql, events);
    const moves = new Moves(sql);
    const nobody = {
      lookFrom() {},
      resolved() {},
      note() {},
      begin() {},
      secure() {},
      handOverAtOnce: () => null,
    };
    const others = { dispatch: nobody, pace: nobody, health: nobody, housekeeping: nobody };
    const parts = { outbox, events, moves, relay, ...others };
    const messages = new MessageFlow(storage, parts as unknown as MessageFlowParts);
    return { events, relay, outbox, moves, messages };
  }

  type Life = ReturnType<typeof wake>;
  return {
    meter,
    clock,
    link,
    wake,
    transaction: <T>(change: () => T) => storage.transactionSync(change),
    enqueue({ messages }: Life, more: Partial<AdmittedMessage> = {}): AdmittedMessage {
      clock.now += 1;
      const message = textMessage('hello', { queuedAt: clock.now, ...more });
      messages.enqueue([message], sender as unknown as Device, clock.now);
      return message;
    },
    climb({ messages }: Life, { messageId }: AdmittedMessage, kind: Kind): void {
      clock.now += 1;
      const at = new Date(clock.now).toISOString();
      if (kind === 'sent') {
        messages.takeOutcomes([{ outcome: 'sent', messageId, at }], sender, clock.now);
      } else {
        const providerMessageId = providerMessageIdOf(messageId);
        const receipt = { providerMessageId, kind, at, isGroup: false, recipientLid: '4455' };
        messages.takeReceipts([receipt], sender, clock.now);
      }
    },
    /** Gives the queue what waits, and returns what it got, in order. */
    async flush({ relay }: Life): Promise<Told[]> {
      sent.length = 0;
      await relay.flush((error) => {
        throw error;
      });
      return sent
        .flatMap(({ events }) => events)
        .map(({ seq, envelope, message }) => {
          if (envelope === null) throw new Error('an event without an envelope');
          return { seq, envelope, json: JSON.stringify({ envelope, message }) };
        });
    },
    rowCount: (table: string) =>
      storage.sql.exec<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).one().n,
    /** Characters of events in the rows of messages. */
    heldCharacters: () =>
      storage.sql.exec<{ n: number | null }>('SELECT max(length(events)) AS n FROM messages').one().n ?? 0,
  };
}

/** The names of what was told, message by message: `event` is enough, since each happens once to a message. */
const nameOf = ({ envelope }: Told) =>
  `${'messageId' in envelope.data ? envelope.data.messageId : ''} ${envelope.event}`;
const stepsOf = (told: readonly Told[]) =>
  told.map(({ envelope }) => envelope.event.slice('message.'.length));

test('while messages keep coming, a message and its four events are five rows: two to store it, one a step', async () => {
  await withMessages(async ({ meter, wake, enqueue, climb, flush }) => {
    const life = wake();
    const inTurn = [enqueue(life), enqueue(life)];
    let before = await flush(life);
    meter.rows = 0;
    for (let round = 0; round < 20; round += 1) {
      for (const kind of ['sent', 'delivered', 'read'] as const) {
        climb(life, inTurn[0] as AdmittedMessage, kind);
        const told = await flush(life);
        life.relay.confirm(before.map(({ seq }) => seq));
        before = told;
      }
      inTurn.shift();
      inTurn.push(enqueue(life));
    }
    expect(meter.rows).toBe(20 * 5);
  });
});

test('once the last step of all is confirmed that is written too, and a later life tells nothing', async () => {
  await withMessages(async ({ meter, wake, enqueue, climb, flush }) => {
    const life = wake();
    const message = enqueue(life);
    climb(life, message, 'read');
    const told = await flush(life);
    expect(stepsOf(told)).toEqual(['queued', 'sent', 'delivered', 'read']);
    meter.rows = 0;
    life.relay.confirm(told.map(({ seq }) => seq));
    expect(meter.rows).toBe(1);
    const later = wake();
    expect([await flush(later), later.relay.isEmpty, later.relay.resendAt()]).toEqual([[], true, null]);
  });
});

test('while a link is there it keeps the mark that all is confirmed: no row, and a later life tells nothing', async () => {
  await withMessages(async ({ meter, link, wake, enqueue, climb, flush }) => {
    link.opens(true);
    const life = wake();
    const message = enqueue(life);
    for (const kind of ['sent', 'read'] as const) {
      climb(life, message, kind);
      const told = await flush(life);
      meter.rows = 0;
      life.relay.confirm(told.map(({ seq }) => seq));
      expect(meter.rows).toBe(0);
      expect(await flush(wake())).toEqual([]);
    }
    link.opens(true);
    const later = wake();
    const again = await flush(later);
    expect(stepsOf(again)).toEqual(['delivered', 'read']);
    later.relay.confirm(again.map(({ seq }) => seq));
    expect(await flush(wake())).toEqual([]);
  });
});

test('what was confirmed and not written down is told once more by the next life, and by none after that', async () => {
  await withMessages(async ({ wake, enqueue, climb, flush }) => {
    const life = wake();
    const message = enqueue(life);
    climb(life, message, 'sent');
    const told = await flush(life);
    life.relay.confirm(told.map(({ seq }) => seq));
    const next = wake();
    const again = await flush(next);
    expect(again.map(({ json }) => json)).toEqual(told.map(({ json }) => json));
    next.relay.confirm(again.map(({ seq }) => seq));
    expect(await flush(wake())).toEqual([]);
  });
});

test('a message that has fallen behind is told of in the relay, with what was open in its row', async () => {
  await withMessages(async ({ clock, wake, enqueue, climb, flush, rowCount }) => {
    const life = wake();
    const early = enqueue(life);
    await flush(life);
    clock.now += 3 * messageSpanMs;
    enqueue(life);
    climb(life, early, 'delivered');
    const later = wake();
    const told = (await flush(later)).filter(({ json }) => json.includes(early.messageId));
    expect(stepsOf(told)).toEqual(['queued', 'sent', 'delivered']);
    expect(rowCount('relay')).toBe(2);
  });
});

test('a step whose transaction comes to nothing is not told, and what follows it is', async () => {
  await withMessages(async ({ transaction, wake, enqueue, climb, flush }) => {
    const life = wake();
    const message = enqueue(life);
    const undone = () =>
      transaction(() => {
        climb(life, message, 'delivered');
        enqueue(life);
        throw new Error('no');
      });
    expect(undone).toThrow('no');
    life.events.reload();
    climb(life, message, 'sent');
    expect(stepsOf(await flush(life))).toEqual(['queued', 'sent']);
  });
});

test('messages stored in one transaction are all stored with their events, or none is', async () => {
  await withMessages(async ({ transaction, wake, enqueue, flush, rowCount }) => {
    const life = wake();
    transaction(() => {
      for (let count = 0; count < 3; count += 1) enqueue(life);
    });
    const undone = () =>
      transaction(() => {
        enqueue(life);
        enqueue(life);
        throw new Error('no');
      });
    expect(undone).toThrow('no');
    life.events.reload();
    expect(stepsOf(await flush(life))).toEqual(['queued', 'queued', 'queued']);
    expect(rowCount('messages')).toBe(3);
  });
});

test('rows of messages that were settled a month ago are used again, at no more than a new one costs', async () => {
  await withMessages(async ({ clock, meter, wake, enqueue, climb, flush, rowCount }) => {
    const life = wake();
    const waits = enqueue(life);
    const settled = [enqueue(life), enqueue(life), enqueue(life)];
    for (const message of settled) climb(life, message, 'read');
    const told = await flush(life);
    clock.now += 31 * 24 * 3600_000;
    enqueue(life);
    // Nothing of what they told is confirmed.
    expect(rowCount('messages')).toBe(5);
    life.relay.confirm([...told, ...(await flush(life))].map(({ seq }) => seq));
    meter.rows = 0;
    const fresh = [enqueue(life), enqueue(life), enqueue(life)];
    expect([meter.rows, rowCount('messages')]).toEqual([6, 5]);
    for (const { messageId } of fresh) {
      expect(life.outbox.find(providerMessageIdOf(messageId))).toMatchObject({
        messageId,
        status: 'queued',
        sentAt: null,
        readAt: null,
        handedTo: null,
      });
    }
    expect(settled.map(({ messageId }) => life.outbox.findById(messageId))).toEqual([null, null, null]);
    expect(life.outbox.find(providerMessageIdOf(waits.messageId))).toMatchObject({ status: 'queued' });
    enqueue(life);
    expect(rowCount('messages')).toBe(6);
  });
});

test('messages and events that an earlier version has stored are taken over, and go on from there', async () => {
  const queuedAt = 1_800_000_000_000;
  const message = textMessage('hello', { queuedAt });
  const id = providerMessageIdOf(message.messageId);
  const queued = { envelope: { event: 'message.queued', data: message }, message: null, device: null };
  await withMessages(
    async ({ wake, climb, flush }) => {
      const life = wake();
      climb(life, message, 'delivered');
      expect(stepsOf(await flush(life))).toEqual(['queued', 'sent', 'delivered']);
      expect(life.outbox.find(id)).toMatchObject({
        status: 'delivered',
        to: message.to,
        queuedAt,
        place: null,
      });
    },
    (storage) => {
      migrateObject(storage, phoneNumberMigrations, '4-relay-rows-used-again');
      storage.sql.exec(
        `INSERT INTO messages (provider_message_id, message_id, place, status, recipient, chat_type, content,
           sender_source, queued_at, expires_at) VALUES (?, ?, 1, 'queued', ?, 'personal', '{"type":"text","text":"a"}',
           'pool', ?, ?)`,
        id,
        message.messageId,
        message.to,
        queuedAt,
        message.expiresAt,
      );
      storage.sql.exec(
        'INSERT INTO relay (seq, events) VALUES (?, ?)',
        queuedAt * 1000,
        JSON.stringify([queued]),
      );
    },
  );
});

type Act =
  | { kind: 'enqueue' }
  | { kind: 'undone' }
  | { kind: 'wake' }
  | { kind: 'flush' }
  | { kind: 'climb'; pick: number; to: Kind }
  | { kind: 'confirm'; chosen: number }
  | { kind: 'link'; opens: boolean }
  | { kind: 'later'; spans: number };

const acts: fc.Arbitrary<Act[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constant<Act>({ kind: 'enqueue' }) },
    { weight: 1, arbitrary: fc.constant<Act>({ kind: 'undone' }) },
    { weight: 2, arbitrary: fc.constant<Act>({ kind: 'wake' }) },
    { weight: 3, arbitrary: fc.constant<Act>({ kind: 'flush' }) },
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('climb' as const),
        pick: fc.nat(),
        to: fc.constantFrom<Kind>('sent', 'delivered', 'read'),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('link' as const), opens: fc.boolean() }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('confirm' as const), chosen: fc.nat() }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('later' as const),
        spans: fc.double({ min: 0, max: 4, noNaN: true }),
      }),
    },
  ),
  { maxLength: 80, size: 'max' },
);

const ladder: Kind[] = ['sent', 'delivered', 'read'];

test('whatever order things happen in, every event that is not confirmed is told by the next life, as it was, in order', async () => {
  await fc.assert(
    fc.asyncProperty(acts, async (list) => {
      await withMessages(
        async ({ clock, link, transaction, wake, enqueue, climb, flush, heldCharacters }) => {
          let life = wake();
          const messages: { message: AdmittedMessage; rung: number }[] = [];
          /** What has happened and is not confirmed, in order. */
          const open = new Set<string>();
          const firstTold = new Map<string, string>();
          const placesOf = new Map<string, Set<number>>();
          const note = (told: readonly Told[]) => {
            for (const one of told) {
              const name = nameOf(one);
              firstTold.set(name, firstTold.get(name) ?? one.json);
              expect(one.json).toBe(firstTold.get(name));
              placesOf.set(name, (placesOf.get(name) ?? new Set()).add(one.seq));
            }
          };
          for (const act of list) {
            if (act.kind === 'enqueue') {
              const message = enqueue(life);
              messages.push({ message, rung: 0 });
              open.add(`${message.messageId} message.queued`);
            } else if (act.kind === 'undone') {
              const undone = () =>
                transaction(() => {
                  enqueue(life);
                  for (const { message } of messages.slice(-2)) climb(life, message, 'read');
                  throw new Error('no');
                });
              expect(undone).toThrow('no');
              life.events.reload();
            } else if (act.kind === 'wake') life = wake();
            else if (act.kind === 'link') link.opens(act.opens);
            else if (act.kind === 'later') clock.now += Math.floor(act.spans * messageSpanMs);
            else if (act.kind === 'flush') note(await flush(life));
            else if (act.kind === 'climb') {
              const picked = messages[act.pick % Math.max(1, messages.length)];
              if (!picked) continue;
              climb(life, picked.message, act.to);
              const top = Math.max(picked.rung, ladder.indexOf(act.to) + 1);
              for (const step of ladder.slice(picked.rung, top))
                open.add(`${picked.message.messageId} message.${step}`);
              picked.rung = top;
            } else if (act.kind === 'confirm') {
              // In bits of `chosen`: some of what was told, in any order; also what an earlier life told.
              const told = [...placesOf].filter(([name]) => open.has(name));
              const bits = act.chosen;
              const chosen = new Set(
                told.filter((_, index) => (bits >> (index % 31)) & 1).flatMap(([, seqs]) => [...seqs]),
              );
              life.relay.confirm([...chosen]);
              // Steps that share a place are confirmed together.
              for (const [name, seqs] of placesOf)
                if ([...seqs].some((seq) => chosen.has(seq))) open.delete(name);
            }
          }
          life = wake();
          const again = await flush(life);
          note(again);
          const names = [...new Set(again.map(nameOf))];
          expect(names.filter((name) => open.has(name)).sort()).toEqual([...open].sort());
          for (const { message } of messages) {
            const own = (all: Iterable<string>) =>
              [...all].filter((name) => name.startsWith(message.messageId));
            expect(own(names.filter((name) => open.has(name)))).toEqual(own(open));
          }
          // Whatever it held, it comes to an end.
          life.relay.confirm(again.map(({ seq }) => seq));
          expect(life.relay.isEmpty).toBe(true);
          expect(await flush(wake())).toEqual([]);
          expect(heldCharacters()).toBeLessThan(1_000);
        },
      );
    }),
    { numRuns: 60 },
  );
});
