import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DeliveryRows } from '../../../src/durable/event-log/deliveries/attempts/delivery-rows.ts';
import {
  AttemptLease,
  DeliveryScheduler,
} from '../../../src/durable/event-log/deliveries/attempts/delivery-scheduler.ts';
import { EventOutcomes } from '../../../src/durable/event-log/deliveries/attempts/event-outcomes.ts';
import type { MadeAttempt } from '../../../src/durable/event-log/deliveries/attempts/planned-attempt.ts';
import { Planner } from '../../../src/durable/event-log/deliveries/attempts/planner.ts';
import { SenderCalls } from '../../../src/durable/event-log/deliveries/attempts/sender-calls.ts';
import { TestDelivery, testMsMax } from '../../../src/durable/event-log/deliveries/attempts/test-delivery.ts';
import {
  type DeliveryAttempt,
  type DeliveryOrder,
  leaseMs,
} from '../../../src/durable/event-log/deliveries/delivery-order.ts';
import { DeliveryList } from '../../../src/durable/event-log/deliveries/history/delivery-list.ts';
import { FirstDeliveries } from '../../../src/durable/event-log/deliveries/history/first-deliveries.ts';
import { ForgottenDeliveries } from '../../../src/durable/event-log/deliveries/history/forgotten-deliveries.ts';
import {
  RepetitionBudget,
  Repetitions,
} from '../../../src/durable/event-log/deliveries/history/repetitions.ts';
import { ReadRows } from '../../../src/durable/event-log/deliveries/read-range.ts';
import { RecentEvents } from '../../../src/durable/event-log/deliveries/recent-events.ts';
import type { WebhookConfiguration } from '../../../src/durable/event-log/deliveries/webhooks/webhook-configuration.ts';
import {
  ReaderRows,
  type WebhookReader,
} from '../../../src/durable/event-log/deliveries/webhooks/webhook-reader.ts';
import { WebhookReaders } from '../../../src/durable/event-log/deliveries/webhooks/webhook-readers.ts';
import type { EventDraft } from '../../../src/durable/event-log/events/event-draft.ts';
import { EventRows, openRowLimits } from '../../../src/durable/event-log/events/event-rows.ts';
import { LogState } from '../../../src/durable/event-log/log-state.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';

const id = 'webhook';
const configuration: WebhookConfiguration = {
  id,
  url: 'https://receiver.example.com/hook',
  sealedSecret: '',
  previousSealedSecret: null,
  previousSecretUntil: null,
  numberIds: null,
  events: null,
  enabled: true,
};
const start = Date.UTC(2026, 10, 26, 12);

/** A log's webhooks over its tables, in one life after the other. A receiver whose outcomes are `unknown` never answers. */
async function inLog(check: (log: ReturnType<typeof logOver>) => Promise<void>) {
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  onTestFinished(() => void vi.useRealTimers());
  await runInDurableObject(env.EVENT_LOG.getByName(newUuid()), async (_, { storage }) => {
    await check(logOver(storage));
  });
}

function logOver(storage: DurableObjectStorage) {
  const { sql } = storage;
  const [events, state] = [new EventRows(sql), new LogState(sql)];
  const [rows, reads, readerRows] = [new DeliveryRows(sql), new ReadRows(sql), new ReaderRows(sql)];
  const outcomes = new EventOutcomes(sql);
  /** By message. */
  const traces = new Map<string, string>();
  const pass = (ms: number) => void vi.setSystemTime(Date.now() + ms);

  function tell(names: readonly EventDraft['event'][]) {
    const drafts = names.map((event) => ({ id: newUuid(), event, data: {} }) as unknown as EventDraft);
    storage.transactionSync(() => events.append(drafts, Date.now()));
  }

  function insertRow(
    nextAttemptAt: number,
    more: { seq?: number; body?: string | null; status?: 'failed'; attempts?: DeliveryAttempt[] } = {},
  ) {
    const deliveryId = newUuid();
    const ids = { webhookId: id, deliveryId, eventId: 'evt_1', event: 'device.connected' as const };
    const row = {
      ...ids,
      seq: 1,
      status: 'pending' as const,
      attempts: [],
      nextAttemptAt,
      body: '{"data":{}}',
      ...more,
    };
    rows.insert(row, true);
    return deliveryId;
  }

  /** A life of the log: what it knows of its webhooks, and what it sends. */
  async function live() {
    const lease = new AttemptLease(state, Date.now());
    const readers = new WebhookReaders(
      { storage, state, rows: readerRows, reads, deliveries: rows },
      lease.until,
    );
    const configure = (change: Partial<WebhookConfiguration>) => {
      const webhooks = [{ ...configuration, ...change }];
      return readers.configure({ revision: 1, webhooks }, events.head);
    };
    if (!readers.wasRead) await configure({});
    const reader = readers.get(id);
    if (reader === null) throw new Error('there is no such webhook');
    reader.provenUrl = configuration.url;
    const sent: DeliveryOrder['attempts'][number][] = [];
    const deliver = (order: DeliveryOrder) => {
      sent.push(...order.attempts);
      return new Promise<never>((_, reject) => ends.push(() => reject(new Error('no answer'))));
    };
    const ends: (() => void)[] = [];
    const calls = new SenderCalls({ accountId: 'account', storage, rows, deliver, record: () => {} });
    const work: Promise<unknown>[] = [];
    const scheduler = new DeliveryScheduler({
      readers,
      planner: new Planner({
        events: new RecentEvents(events),
        rows,
        outcomes,
        traceOf: (it) => traces.get(it),
      }),
      calls,
      lease,
      head: () => events.head,
      waitUntil: (it) => void work.push(it),
      askShare: async () => ({ callbacks: 24, until: Date.now() + 60_000 }),
      arm: () => {},
    });
    /** Whatever is under way is lost: nobody knows what became of it. */
    const lose = async () => {
      for (const end of ends.splice(0)) end();
      await Promise.all(work.splice(0));
    };
    return { readers, reader, scheduler, configure, sent, lose };
  }

  const firsts = new FirstDeliveries(outcomes, rows, events);
  const repetitions = (readers: WebhookReaders) =>
    new Repetitions({
      storage,
      events,
      generation: 'g',
      rows,
      firsts,
      readers,
      budget: new RepetitionBudget(sql, 10),
    });

  /** A test is sent, and nobody tells what came of it. */
  const test = (reader: WebhookReader, record: (made: readonly MadeAttempt[]) => void = () => {}) =>
    new TestDelivery('account', storage, rows, () => new Promise(() => {}), record).make(reader);

  const forgotten = (readers: WebhookReaders) =>
    new ForgottenDeliveries(storage, rows, readerRows, readers, events);

  return {
    ...{ storage, events, outcomes, firsts, readerRows, traces },
    ...{ tell, insertRow, live, forgotten, repetitions, test, pass },
  };
}

test('a wake-up that comes up to a second early makes the attempt that it came for, and none of others', () =>
  inLog(async ({ insertRow, live }) => {
    await live();
    const due = insertRow(Date.now() + 1_000);
    insertRow(Date.now() + 1_001, { seq: 2 });
    const { scheduler, sent, lose } = await live();
    scheduler.wake(['another webhook']);
    expect(sent).toEqual([]);
    scheduler.wake([id]);
    expect(sent.map(({ deliveryId }) => deliveryId)).toEqual([due]);
    await lose();
  }));

test('what is to be tried again does not wait until a clock that was set back has caught up, in this life nor the next', () =>
  inLog(async ({ insertRow, live, pass }) => {
    await live();
    const failed = {
      attempts: [{ at: Date.now(), statusCode: 500, durationMs: 1, error: null, responseSnippet: null }],
    };
    const first = insertRow(Date.now() + 30_000, failed);
    const { scheduler, sent, lose } = await live();
    scheduler.wake([id]);
    expect(sent).toEqual([]);
    pass(-3_600_000);
    scheduler.wake([id]);
    expect(sent.map(({ deliveryId }) => deliveryId)).toEqual([first]);
    await lose();
    pass(3_600_000);
    const second = insertRow(Date.now() + 30_000, { ...failed, seq: 2 });
    pass(-3_600_000);
    const next = await live();
    next.scheduler.wake();
    expect(next.sent.map(({ deliveryId }) => deliveryId)).toContain(second);
    await next.lose();
  }));

test('an attempt whose outcome is lost is made again when its lease is over, and no moment earlier', () =>
  inLog(async ({ tell, live, pass }) => {
    const { scheduler, sent, lose } = await live();
    tell(['device.connected']);
    scheduler.wake();
    await lose();
    pass(leaseMs - 1);
    // Only a delivery that waits for its time may be early.
    scheduler.wake([id]);
    expect(sent).toHaveLength(1);
    pass(1);
    scheduler.wake();
    expect(sent.map(({ deliveryId }) => deliveryId)).toEqual(Array(2).fill(sent[0]?.deliveryId));
    await lose();
  }));

test('what an earlier life may have under way waits once for the end of its lease, and a later life waits anew', () =>
  inLog(async ({ tell, live, pass }) => {
    await live();
    tell(['device.connected']);
    const sentInLife = async () => {
      const { scheduler, sent, lose } = await live();
      scheduler.wake();
      const found = sent.length;
      await lose();
      return found;
    };
    const sentPerLife: number[] = [];
    for (const ms of [0, leaseMs / 2, leaseMs / 2 - 1, 1, 0, leaseMs - 1, 1]) {
      pass(ms);
      sentPerLife.push(await sentInLife());
    }
    expect(sentPerLife).toEqual([0, 0, 0, 1, 0, 0, 1]);
  }));

test('a changed filter holds for what waits, in the next life too; an attempt that was under way is still made again', () =>
  inLog(async ({ tell, live, pass }) => {
    const { scheduler, reader, configure, sent, lose } = await live();
    await configure({ events: ['device.connected', 'device.disconnected', 'device.pairing'] });
    // One attempt at a time.
    reader.provenUrl = null;
    tell(['device.logged_out', 'device.connected', 'device.disconnected', 'device.pairing']);
    scheduler.wake();
    await configure({ events: ['device.logged_out', 'device.pairing'] });
    await lose();
    expect(sent.map(({ event }) => event)).toEqual(['device.connected', 'device.pairing']);
    await lose();
    pass(leaseMs);
    scheduler.wake();
    expect(sent.at(-1)?.event).toBe('device.connected');
    await lose();
    await lose();
    await configure({ events: null });
    const next = await live();
    pass(leaseMs);
    next.scheduler.wake();
    await next.lose();
    expect(next.sent.map(({ event }) => event)).not.toContain('device.logged_out');
  }));

test('a webhook that is switched on after its circuit was open gets at once what was held', () =>
  inLog(async ({ storage, readerRows, tell, insertRow, live }) => {
    await live();
    tell(['device.connected']);
    const later = insertRow(Date.now() + 3_600_000, { seq: 7 });
    const streak = { failures: 25, since: 1, isOpen: true };
    storage.transactionSync(() => readerRows.storeStreak(id, streak, null));
    const { readers, scheduler, sent, lose } = await live();
    scheduler.wake();
    expect(sent).toEqual([]);
    await readers.closeCircuit(id);
    scheduler.wake();
    await lose();
    await lose();
    expect(sent.map(({ deliveryId }) => deliveryId)).toEqual([later, expect.not.stringMatching(later)]);
    // It stays on, in the next life too.
    expect((await live()).reader.isOn).toBe(true);
  }));

test('a webhook that a person switches off and on again gets at once what waits for its next attempt', () =>
  inLog(async ({ insertRow, live }) => {
    await live();
    const failed = { at: Date.now(), statusCode: 500, durationMs: 1, error: null, responseSnippet: null };
    const later = insertRow(Date.now() + 30_000, { attempts: [failed] });
    const { configure, scheduler, sent, lose } = await live();
    scheduler.wake();
    expect(sent).toEqual([]);
    await configure({ enabled: false });
    await configure({ enabled: true });
    scheduler.wake();
    expect(sent.map(({ deliveryId }) => deliveryId)).toEqual([later]);
    await lose();
  }));

test('a webhook that is switched on while it is on keeps its failures', () =>
  inLog(async ({ storage, readerRows, live }) => {
    await live();
    const streak = { failures: 24, since: 1, isOpen: false };
    storage.transactionSync(() => readerRows.storeStreak(id, streak, null));
    const { readers, reader } = await live();
    await readers.closeCircuit(id);
    expect(reader.streak).toEqual(streak);
  }));

test('a list of deliveries ends with its last one: there is no empty page behind it', () =>
  inLog(async ({ storage, firsts, insertRow, live }) => {
    const { reader } = await live();
    const ids = [1, 2, 3, 4].map((seq) => insertRow(Date.now(), { seq })).toReversed();
    const list = new DeliveryList(new DeliveryRows(storage.sql), firsts);
    const page = (before: string | null) => {
      const { data, nextBefore } = list.page(reader, {}, 2, before);
      return { ids: data.map(({ deliveryId }) => deliveryId), nextBefore };
    };
    expect(page(null)).toEqual({ ids: ids.slice(0, 2), nextBefore: ids[1] });
    expect(page(ids[1] ?? null)).toEqual({ ids: ids.slice(2), nextBefore: null });
  }));

test('a delivery is made once more as long as its event is kept, and a test always', () =>
  inLog(async ({ storage, events, tell, insertRow, live, repetitions }) => {
    openRowLimits.charactersMax = 0;
    onTestFinished(() => void Object.assign(openRowLimits, { charactersMax: 8_000 }));
    const { readers, reader } = await live();
    for (let i = 0; i < 3; i += 1) tell(['device.connected']);
    const rows = [1, 2, 3].map((seq) => insertRow(Date.now(), { seq, body: null }));
    const ofTest = insertRow(Date.now(), { seq: 0 });
    storage.transactionSync(() => events.deleteUpTo(1));
    const again = repetitions(readers);
    const made = [...rows, ofTest].map((it) => again.redeliver(reader, it, Date.now()));
    expect(made).toMatchObject([null, { status: 'pending' }, { status: 'pending' }, { status: 'pending' }]);
  }));

test('an attempt that is made again bears the trace of its message', () =>
  inLog(async ({ traces, insertRow, live }) => {
    await live();
    traces.set('msg_1', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01');
    insertRow(Date.now(), { body: '{"data":{"messageId":"msg_1"}}' });
    insertRow(Date.now(), { seq: 2 });
    const { scheduler, sent, lose } = await live();
    scheduler.wake();
    expect(sent.map(({ traceparent }) => traceparent)).toEqual([traces.get('msg_1'), undefined]);
    await lose();
  }));

test('a test whose log did not live to see its end is sent once more when its lease is over', () =>
  inLog(async ({ test, live, pass }) => {
    const { reader } = await live();
    void test(reader);
    const next = await live();
    pass(leaseMs - 1);
    next.scheduler.wake();
    expect(next.sent).toEqual([]);
    pass(1);
    next.scheduler.wake();
    expect(next.sent).toMatchObject([{ event: 'webhook.test', attempt: 1 }]);
    await next.lose();
  }));

test('a test of which nothing is heard any more is sent once more by the same life of its log', () =>
  inLog(async ({ test, live, pass }) => {
    const { reader, scheduler, sent, lose } = await live();
    void test(reader);
    pass(leaseMs - 1);
    scheduler.wake();
    expect(sent).toEqual([]);
    pass(1);
    scheduler.wake();
    expect(sent).toMatchObject([{ event: 'webhook.test', attempt: 1 }]);
    await lose();
  }));

test('a test whose receiver hangs, and whose sender does not come back either, has failed when its time is over', () =>
  inLog(async ({ test, live }) => {
    const { reader } = await live();
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    const made: unknown[] = [];
    const outcome = test(reader, (reports) => made.push(...reports));
    await vi.advanceTimersByTimeAsync(testMsMax);
    const attempt = { statusCode: null, error: expect.stringContaining('no answer in time') };
    expect(await outcome).toMatchObject({ status: 'failed', attempt });
    expect(made).toMatchObject([{ report: { verdict: { kind: 'failed' }, attempt } }]);
  }));

test('a webhook that gets another URL is believed by what is attempted at that one, from then on', () =>
  inLog(async ({ live, pass }) => {
    const { reader, configure } = await live();
    pass(1_000);
    await configure({ description: 'the same' } as never);
    expect([reader.isProven, reader.urlSince]).toEqual([true, 0]);
    await configure({ url: 'https://other.example.com/hook' });
    expect([reader.isProven, reader.urlSince]).toEqual([false, Date.now()]);
  }));

test('of the steps of one message one is tried again at a time', () =>
  inLog(async ({ insertRow, live }) => {
    await live();
    const [first] = [1, 2].map((seq) =>
      insertRow(Date.now() - 3 + seq, { seq, body: '{"data":{"messageId":"msg_1"}}' }),
    );
    const { scheduler, sent, lose } = await live();
    scheduler.wake();
    expect(sent.map(({ deliveryId }) => deliveryId)).toEqual([first]);
    await lose();
  }));

test('of what has failed nothing is sent again whose event is no longer kept', () =>
  inLog(async ({ storage, events, tell, insertRow, live, repetitions }) => {
    openRowLimits.charactersMax = 0;
    onTestFinished(() => void Object.assign(openRowLimits, { charactersMax: 8_000 }));
    const { readers, reader } = await live();
    for (const seq of [1, 2, 3]) {
      tell(['device.connected']);
      insertRow(Date.now(), { seq, body: null, status: 'failed' });
    }
    storage.transactionSync(() => events.deleteUpTo(1));
    const again = () => repetitions(readers).redeliverSince(reader, 0, 'failed', null, Date.now());
    expect(again()).toMatchObject({ count: 2, next: null });
    // What waits to be sent again waits once.
    expect(again()).toMatchObject({ count: 0, next: null });
  }));

test('of what is due nothing is sent whose event is no longer kept, and no other event in its place', () =>
  inLog(async ({ storage, events, tell, insertRow, live }) => {
    openRowLimits.charactersMax = 0;
    onTestFinished(() => void Object.assign(openRowLimits, { charactersMax: 8_000 }));
    tell(['device.connected']);
    tell(['device.disconnected']);
    await live();
    insertRow(Date.now(), { body: null });
    const kept = insertRow(Date.now(), { seq: 2, body: null });
    storage.transactionSync(() => events.deleteUpTo(1));
    const { scheduler, sent, lose } = await live();
    scheduler.wake();
    expect(sent.map(({ deliveryId, event }) => ({ deliveryId, event }))).toEqual([
      { deliveryId: kept, event: 'device.disconnected' },
    ]);
    await lose();
  }));

test('what another webhook has taken still waits for this one', () =>
  inLog(async ({ storage, events, outcomes, firsts, tell, live }) => {
    const { reader } = await live();
    tell(['device.connected']);
    const [event] = events.read(0, 1);
    if (event === undefined) throw new Error('there is no event');
    const answer = { at: start, statusCode: 200, durationMs: 5, responseSnippet: null };
    const outcome = { webhookId: 'another', seq: event.seq, ...answer };
    storage.transactionSync(() => outcomes.add([{ event, outcome }]));
    expect(firsts.between(reader, 1, 1)).toMatchObject([{ status: 'pending', attempts: [] }]);
  }));

test('of an event that waits its own delivery is told, and not those of the events beside it', () =>
  inLog(async ({ firsts, tell, live }) => {
    const { reader } = await live();
    tell(['device.connected', 'device.disconnected', 'device.pairing', 'device.connected']);
    expect(firsts.between(reader, 2, 2)).toMatchObject([{ event: 'device.disconnected' }]);
    expect(firsts.between(reader, 2, 3).map(({ seq }) => seq)).toEqual([3, 2]);
  }));

test('of a webhook that is gone nothing is left, and nothing rings for it any more', () =>
  inLog(async ({ storage, readerRows, insertRow, live, forgotten }) => {
    const { readers } = await live();
    insertRow(Date.now());
    storage.transactionSync(() => readerRows.markDeleted(id));
    const deliveries = forgotten(readers);
    expect(deliveries.dueAt()).not.toBeNull();
    deliveries.run(Date.now());
    expect([deliveries.dueAt(), readerRows.oneDeleted()]).toEqual([null, null]);
  }));

test('what has been due for longest is tried again first', () =>
  inLog(async ({ insertRow, live }) => {
    await live();
    const [late, later] = [Date.now() - 1_000, Date.now() - 2_000].map((at, seq) =>
      insertRow(at, { seq: seq + 1 }),
    );
    const { scheduler, sent, lose } = await live();
    scheduler.wake();
    expect(sent.map(({ deliveryId }) => deliveryId)).toEqual([later, late]);
    await lose();
  }));

test('a later attempt whose outcome is lost is made again by the same life of the log', () =>
  inLog(async ({ insertRow, live, pass }) => {
    await live();
    const deliveryId = insertRow(Date.now());
    const { scheduler, sent, lose } = await live();
    for (const attempts of [1, 2]) {
      scheduler.wake();
      expect(sent.map((it) => it.deliveryId)).toEqual(Array(attempts).fill(deliveryId));
      await lose();
      pass(leaseMs);
    }
  }));

test('what is sent again in bulk leaves room at the receiver for what is new', () =>
  inLog(async ({ live }) => {
    const { reader } = await live();
    reader.callsUnderWay.replay = 3;
    expect(reader.mayCall('replay')).toBe(true);
    reader.callsUnderWay.replay = 4;
    expect([reader.mayCall('replay'), reader.mayCall('first')]).toEqual([false, true]);
  }));

test('each life of the log waits until the attempts of the one before it may be over', () =>
  inLog(async ({ tell, live, pass }) => {
    const first = await live();
    tell(['device.connected']);
    first.scheduler.wake();
    const second = await live();
    pass(leaseMs);
    second.scheduler.wake();
    expect([first.sent, second.sent].map(({ length }) => length)).toEqual([1, 1]);
    const third = await live();
    third.scheduler.wake();
    expect(third.sent).toEqual([]);
    for (const { lose } of [first, second, third]) await lose();
  }));
