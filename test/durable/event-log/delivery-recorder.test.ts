import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { AlertRows } from '../../../src/durable/event-log/alerts/alert-rows.ts';
import { DeliveryRows } from '../../../src/durable/event-log/deliveries/attempts/delivery-rows.ts';
import { EventOutcomes } from '../../../src/durable/event-log/deliveries/attempts/event-outcomes.ts';
import type { MadeAttempt } from '../../../src/durable/event-log/deliveries/attempts/planned-attempt.ts';
import { Recorder } from '../../../src/durable/event-log/deliveries/attempts/recorder.ts';
import type { Verdict } from '../../../src/durable/event-log/deliveries/delivery-order.ts';
import { recordOfRow } from '../../../src/durable/event-log/deliveries/history/first-deliveries.ts';
import { RepetitionBudget } from '../../../src/durable/event-log/deliveries/history/repetitions.ts';
import { ReadRows } from '../../../src/durable/event-log/deliveries/read-range.ts';
import { freshStreak } from '../../../src/durable/event-log/deliveries/webhooks/breaker.ts';
import {
  ReaderRows,
  WebhookReader,
} from '../../../src/durable/event-log/deliveries/webhooks/webhook-reader.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';

const configuration = {
  id: 'webhook',
  url: 'https://receiver.example.com/hook',
  sealedSecret: '',
  previousSealedSecret: null,
  previousSecretUntil: null,
  numberIds: null,
  events: null,
  enabled: true,
};
const ids = { deliveryId: 'delivery', eventId: 'evt_1', event: 'message.sent' as const };

interface Log {
  record: (attempt: number, verdict: Verdict, event?: 'webhook.test') => void;
  rows: DeliveryRows;
  reader: WebhookReader;
  alerts: AlertRows;
}

/** A recorder over the tables of a fresh log, and a delivery with a row. */
function inLog(check: (log: Log) => void) {
  return runInDurableObject(env.EVENT_LOG.getByName(newUuid()), (_, { storage }) => {
    const { sql } = storage;
    const rows = new DeliveryRows(sql);
    const readers = new ReaderRows(sql);
    readers.insert(configuration);
    const reader = new WebhookReader(configuration, freshStreak, null, 0);
    const alerts = new AlertRows(sql, 0, () => {});
    const recorder = new Recorder({
      storage,
      rows,
      outcomes: new EventOutcomes(sql),
      readers,
      reads: new ReadRows(sql),
      alerts,
      circuitAfterMs: 0,
    });
    rows.insert(
      { webhookId: 'webhook', seq: 1, ...ids, status: 'pending', attempts: [], nextAttemptAt: 1, body: null },
      true,
    );
    check({
      rows,
      reader,
      alerts,
      record: (attempt, verdict, event) => recorder.record([made(reader, rows, attempt, verdict, event)]),
    });
  });
}

function made(
  reader: WebhookReader,
  rows: DeliveryRows,
  attempt: number,
  verdict: Verdict,
  event: 'message.sent' | 'webhook.test' = 'message.sent',
): MadeAttempt {
  const row = rows.find('webhook', 'delivery');
  if (row === null) throw new Error('there is no such delivery');
  const at = attempt * 1000;
  return {
    reader,
    planned: { order: { ...ids, event, body: '{}', attempt }, orderKey: null, event: null, range: null, row },
    report: {
      attempt: { at, statusCode: null, durationMs: 500, error: 'No.', responseSnippet: null },
      verdict,
    },
  };
}

const retry: Verdict = { kind: 'retry', delaySeconds: 30 };

test('an attempt is recorded while the one before it is the last, and counted once', () =>
  inLog(({ record, rows, reader }) => {
    record(1, retry);
    record(1, retry);
    expect(rows.find('webhook', 'delivery')).toMatchObject({ status: 'pending', nextAttemptAt: 31_500 });
    expect(reader.streak.failures).toBe(1);
    record(3, { kind: 'failed' });
    expect(rows.find('webhook', 'delivery')?.attempts).toHaveLength(1);
    record(2, { kind: 'failed' });
    record(2, retry);
    expect(rows.find('webhook', 'delivery')).toMatchObject({ status: 'failed', nextAttemptAt: null });
    expect(reader.streak.failures).toBe(2);
  }));

test('a late report about a delivery that has failed for good changes nothing', () =>
  inLog(({ record, rows, reader }) => {
    record(1, { kind: 'failed' });
    record(2, retry);
    const after = rows.find('webhook', 'delivery');
    expect(after).toMatchObject({ status: 'failed', nextAttemptAt: null, attempts: [{ at: 1_000 }] });
    expect(reader.streak.failures).toBe(1);
  }));

test('that it was delivered always counts, and nothing after it does', () =>
  inLog(({ record, rows, reader }) => {
    record(1, retry);
    record(2, retry);
    // The answer to an attempt that was thought lost.
    record(1, { kind: 'delivered' });
    expect(rows.find('webhook', 'delivery')).toMatchObject({ status: 'delivered', nextAttemptAt: null });
    // It stands there once, as what it was thought to be.
    expect(rows.find('webhook', 'delivery')?.attempts).toHaveLength(2);
    expect(reader.streak.failures).toBe(0);
    record(3, { kind: 'failed' });
    expect(rows.find('webhook', 'delivery')?.status).toBe('delivered');
    expect(reader.streak.failures).toBe(0);
    // Nor does it count twice, against what has failed since.
    reader.streak = { failures: 3, since: 1, isOpen: false };
    record(2, { kind: 'delivered' });
    expect(reader.streak.failures).toBe(3);
  }));

test('a test that fails says nothing about the traffic, and one that is delivered ends the failures', () =>
  inLog(({ record, reader }) => {
    record(1, retry);
    record(2, { kind: 'failed' }, 'webhook.test');
    expect(reader.streak.failures).toBe(1);
    record(2, { kind: 'delivered' }, 'webhook.test');
    expect(reader.streak.failures).toBe(0);
  }));

test('ten failures in a row are a trouble, and one success is its end', () =>
  inLog(({ record, alerts }) => {
    const isTrouble = () => alerts.isOpen('webhook.failing', 'webhook:webhook');
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      expect(isTrouble()).toBe(false);
      record(attempt, retry);
    }
    expect(isTrouble()).toBe(true);
    record(11, { kind: 'delivered' });
    expect(isTrouble()).toBe(false);
  }));

test('what was under way when the URL was changed proves nothing about the new one', () =>
  inLog(({ record, reader }) => {
    reader.urlSince = 2_000;
    record(1, { kind: 'delivered' });
    expect(reader.isProven).toBe(false);
    record(2, { kind: 'delivered' });
    expect(reader.isProven).toBe(true);
  }));

test('an answer that is recorded late is not taken for the last delivery', () =>
  inLog(({ record, reader }) => {
    reader.noteDelivered(9_000);
    record(1, { kind: 'delivered' });
    expect(reader.lastDeliveryAt).toBe(9_000);
  }));

test('what waits for a webhook that is off is held until it is on again; what is over is told as it ended', () =>
  inLog(({ record, rows }) => {
    const shown = (isOn: boolean) => {
      const row = rows.find('webhook', 'delivery');
      const { status, nextAttemptAt } = row === null ? {} : recordOfRow(row, isOn);
      return { status, nextAttemptAt };
    };
    record(1, retry);
    expect(shown(true)).toEqual({ status: 'pending', nextAttemptAt: 31_500 });
    expect(shown(false)).toEqual({ status: 'held', nextAttemptAt: null });
    record(2, { kind: 'failed' });
    for (const isOn of [true, false]) expect(shown(isOn)).toEqual({ status: 'failed', nextAttemptAt: null });
    record(2, { kind: 'delivered' });
    for (const isOn of [true, false])
      expect(shown(isOn)).toEqual({ status: 'delivered', nextAttemptAt: null });
  }));

test('what an account may have sent again is whole with the next day, and the refusal says when that begins', () =>
  runInDurableObject(env.EVENT_LOG.getByName(newUuid()), (_, { storage: { sql } }) => {
    const budget = new RepetitionBudget(sql, 10);
    const beforeMidnight = Date.UTC(2026, 10, 26, 23, 58, 59, 500);
    budget.use(4, beforeMidnight);
    budget.use(3, beforeMidnight);
    expect(budget.left(beforeMidnight)).toBe(3);
    expect(budget.refusal(beforeMidnight)).toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterSeconds: 61,
      details: [{ limit: 10, left: 3 }],
    });
    const midnight = Date.UTC(2026, 10, 27);
    expect([midnight - 1, midnight].map((at) => budget.left(at))).toEqual([3, 10]);
    budget.use(1, midnight);
    expect(sql.exec('SELECT * FROM repetitions').toArray()).toEqual([{ day: '2026-11-27', used: 1 }]);
  }));
