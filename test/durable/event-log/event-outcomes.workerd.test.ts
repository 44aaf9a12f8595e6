import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { dayMs } from '../../../src/contract/times.ts';
import {
  type EventOutcome,
  EventOutcomes,
} from '../../../src/durable/event-log/deliveries/attempts/event-outcomes.ts';
import type { StoredEvent } from '../../../src/durable/event-log/events/event-rows.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';

const start = Date.parse('2026-03-01T12:00:00.000Z');

/** The outcome of an event at a webhook; an event a day where nothing else is said. */
function taken(seq: number, webhookId: string, happenedAt = start + seq * dayMs) {
  const outcome: EventOutcome = {
    ...{ webhookId, seq, at: happenedAt + 10, durationMs: 5 },
    ...{ statusCode: 200, responseSnippet: 'é "quoted"' },
  };
  const envelope = { timestamp: new Date(happenedAt).toISOString() } as StoredEvent['envelope'];
  return { event: { seq, envelope }, outcome };
}

const inLog = (check: (storage: DurableObjectStorage, outcomes: EventOutcomes) => void) =>
  runInDurableObject(env.EVENT_LOG.getByName(newUuid()), (_, { storage }) =>
    check(storage, new EventOutcomes(storage.sql)),
  );

test('what comes in at once and later, of several webhooks and far apart, is found by its events', () =>
  inLog(({ sql }, outcomes) => {
    const all = [1, 2, 3, 250, 251, 900].flatMap((seq) => [taken(seq, 'a', start), taken(seq, 'b', start)]);
    outcomes.add(all.filter(({ outcome }) => outcome.webhookId === 'a'));
    outcomes.add(all.filter(({ outcome }) => outcome.webhookId === 'b'));
    const between = (from: number, to: number) =>
      outcomes.between(from, to).map(({ seq, webhookId }) => `${seq}${webhookId}`);
    expect(outcomes.between(0, 1000)).toEqual(all.map(({ outcome }) => outcome));
    expect(between(2, 250)).toEqual(['2a', '2b', '3a', '3b', '250a', '250b']);
    expect(between(252, 900)).toEqual(['900a', '900b']);
    expect(between(252, 899)).toEqual([]);
    expect(sql.exec('SELECT last_seq FROM outcomes_20260301').toArray()).toEqual([
      { last_seq: 3 },
      { last_seq: 251 },
      { last_seq: 900 },
    ]);
  }));

test('days that are over are dropped, and one that a statement left half-way is in the way of goes the next time', () =>
  inLog((storage, outcomes) => {
    storage.transactionSync(() => outcomes.add([1, 2, 3].map((seq) => taken(seq, 'a'))));
    const seqs = () => outcomes.between(0, 10).map(({ seq }) => seq);
    const drop = () => storage.transactionSync(() => outcomes.dropBefore(start + 3 * dayMs));
    const halfWay = storage.sql.exec('SELECT * FROM object_migrations');
    halfWay.next();
    drop();
    expect(seqs()).toEqual([1, 2, 3]);
    halfWay.toArray();
    drop();
    expect(seqs()).toEqual([3]);
  }));
