import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Refusal, refuse } from '../../../src/contract/errors.ts';
import type { EventLog } from '../../../src/durable/event-log/event-log.ts';
import type { SurveyOrder } from '../../../src/durable/event-log/support/surveys/surveys.ts';
import { countOf, received, takeAll } from '../event-log/event-log-fixture.ts';
import { until } from '../until.ts';
import { iso, phoneNumber, supportDesk } from './support-fixture.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const start = Date.parse('2037-01-30T09:30:00Z');

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: start });
});
/** Who takes the surveys of an account; all objects share the sender, so it is put back. */
const senders = new Map<string, (order: SurveyOrder) => Promise<{ ok: true } | Refusal>>();
let restore = () => {};
afterEach(() => {
  vi.useRealTimers();
  restore();
  restore = () => {};
  senders.clear();
});

const survey = { question: 'How did we do, from 1 to 5?', everyDays: 30 };

/** A desk whose surveys go nowhere but into `orders`; `outcomes` are answered one after the other, then all are sent. */
async function askingDesk(outcomes: ({ ok: true } | Refusal | Error)[] = []) {
  const desk = await supportDesk({ support: { survey } });
  const orders: SurveyOrder[] = [];
  senders.set(desk.accountId, async (order) => {
    orders.push(order);
    const outcome = outcomes.shift() ?? { ok: true };
    if (outcome instanceof Error) throw outcome;
    return outcome;
  });
  await runInDurableObject<EventLog, void>(desk.log, (_, { exports }) => {
    const original = Object.getOwnPropertyDescriptor(exports, 'SurveySender');
    const send = async (order: SurveyOrder) => (await senders.get(order.accountId)?.(order)) ?? { ok: true };
    Object.defineProperty(exports, 'SurveySender', { value: { send }, configurable: true });
    const before = restore;
    restore = () => {
      if (original === undefined) Reflect.deleteProperty(exports, 'SurveySender');
      else Object.defineProperty(exports, 'SurveySender', original);
      before();
    };
  });
  const asked = (times: number) =>
    until(async () => {
      await desk.ring();
      return orders.length === times;
    });
  const answeredAndResolved = async (at: number) => {
    vi.setSystemTime(at + 2 * minuteMs);
    await desk.log.take([desk.wrote(at), desk.answered(at + minuteMs)]);
    await desk.change({ status: 'resolved' });
    await desk.ring();
  };
  return { ...desk, orders, asked, answeredAndResolved };
}

describe('a person whose conversation was resolved', () => {
  test('is asked once, through the number that they wrote to', async () => {
    const desk = await askingDesk();
    await desk.answeredAndResolved(start);
    await desk.asked(1);
    const { conversationId, openedAt } = await desk.conversation();
    expect(desk.orders).toEqual([
      {
        accountId: desk.accountId,
        numberId: desk.numberId,
        to: phoneNumber,
        text: survey.question,
        idempotencyKey: `survey:${conversationId}:${openedAt}`,
      },
    ]);
  });

  test('answers with a number, which stands in the report, and nobody has to see to that', async () => {
    const desk = await askingDesk();
    await desk.answeredAndResolved(start);
    await desk.asked(1);
    await evictDurableObject(desk.log);
    vi.setSystemTime(start + hourMs);
    await desk.log.take([desk.wrote(start + hourMs, '5')]);
    expect(await desk.conversation()).toMatchObject({
      status: 'resolved',
      unreadCount: 0,
      last: { text: '5' },
    });
    expect(await desk.report()).toMatchObject({ opened: 1, ratings: { count: 1, average: 5 } });
    // The next message is one like any other.
    await desk.log.take([desk.wrote(start + hourMs + 5_000, '4')]);
    expect(await desk.conversation()).toMatchObject({ status: 'open', unreadCount: 1 });
    expect(await desk.report()).toMatchObject({ opened: 2, ratings: { count: 1, average: 5 } });
  });

  test('is not answered by what they wrote before they were asked, and that comes late', async () => {
    const desk = await askingDesk();
    await desk.answeredAndResolved(start);
    await desk.asked(1);
    vi.setSystemTime(start + hourMs);
    await desk.log.take([desk.wrote(start + 90_000, '5')]);
    expect(await desk.report()).toMatchObject({ ratings: { count: 0, average: null } });
  });

  test('is answered when they say more than a number, and their rating counts', async () => {
    const desk = await askingDesk();
    await desk.answeredAndResolved(start);
    await desk.asked(1);
    vi.setSystemTime(start + hourMs);
    await desk.log.take([desk.wrote(start + hourMs, '2, it still does not work')]);
    expect(await desk.conversation()).toMatchObject({ status: 'open', unreadCount: 1 });
    expect(await desk.report()).toMatchObject({ opened: 2, ratings: { count: 1, average: 2 } });
  });

  test('is answered when they say something else, and a number that comes later is none', async () => {
    const desk = await askingDesk();
    await desk.answeredAndResolved(start);
    await desk.asked(1);
    vi.setSystemTime(start + 2 * hourMs);
    await desk.log.take([desk.wrote(start + hourMs, 'What about my order?')]);
    expect(await desk.conversation()).toMatchObject({ status: 'open' });
    await desk.log.take([desk.wrote(start + 2 * hourMs, '3')]);
    expect(await desk.report()).toMatchObject({ ratings: { count: 0, average: null } });
  });

  test('answers within a week, and a number that comes later is a message like any other', async () => {
    const desk = await askingDesk();
    await desk.answeredAndResolved(start);
    await desk.asked(1);
    vi.setSystemTime(start + 8 * dayMs);
    await desk.log.take([desk.wrote(start + 8 * dayMs, '5')]);
    expect(await desk.conversation()).toMatchObject({ status: 'open', unreadCount: 1 });
    expect(await desk.report()).toMatchObject({ ratings: { count: 0, average: null } });
  });

  test('is not asked again before so many days are over', async () => {
    const desk = await askingDesk();
    await desk.answeredAndResolved(start);
    await desk.asked(1);
    await desk.answeredAndResolved(start + 20 * dayMs);
    expect(desk.orders).toHaveLength(1);
    await desk.answeredAndResolved(start + 31 * dayMs);
    await desk.asked(2);
  });

  test('is not asked when nobody has answered them, or it was opened again at once', async () => {
    const unanswered = await askingDesk();
    await unanswered.log.take([unanswered.wrote(start)]);
    await unanswered.change({ status: 'resolved' });
    await unanswered.ring();
    expect(unanswered.orders).toEqual([]);

    const reopened = await askingDesk([refuse('NO_HEALTHY_SENDER', 'Later.')]);
    await reopened.answeredAndResolved(start);
    await reopened.asked(1);
    await reopened.change({ status: 'open' });
    vi.setSystemTime(start + dayMs);
    await reopened.ring();
    expect(reopened.orders).toHaveLength(1);
  });

  test('is asked later under the same key where it could not be sent, and not at all where they opted out', async () => {
    const away = await askingDesk([new Error('away'), refuse('NO_HEALTHY_SENDER', 'Later.')]);
    await away.answeredAndResolved(start);
    await away.asked(1);
    for (const times of [2, 3]) {
      vi.setSystemTime(start + times * dayMs);
      await away.asked(times);
    }
    await away.ring();
    expect(away.orders).toHaveLength(3);
    expect(new Set(away.orders.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);

    const opted = await askingDesk([refuse('RECIPIENT_FILTERED', 'They opted out.')]);
    await opted.answeredAndResolved(start);
    await opted.asked(1);
    await until(async () => (await countOf(opted.log, 'surveys')) === 0);
  });
});

describe('a conversation in which nobody writes any more', () => {
  const silent = { support: { autoResolveHours: 24 } };

  test('is resolved by itself after the hours that were set, counting from the last message', async () => {
    const desk = await supportDesk(silent);
    vi.setSystemTime(start + minuteMs);
    await desk.log.take([desk.wrote(start), desk.answered(start + minuteMs)]);
    const { lastMessage } = await desk.conversation();
    const due = lastMessage / 1000 + dayMs;
    vi.setSystemTime(due - 1_000);
    await desk.ring();
    expect((await desk.conversation()).status).toBe('open');
    await evictDurableObject(desk.log);
    vi.setSystemTime(due + 1);
    await desk.ring();
    expect((await desk.conversation()).status).toBe('resolved');
  });

  test('stays open while somebody waits in it, and is resolved once they were answered', async () => {
    const desk = await supportDesk(silent);
    const others = Array.from({ length: 300 }, (_, index) => `62899${String(index).padStart(6, '0')}`);
    await takeAll(desk.log, [
      ...others.map((from) => received({ at: iso(start), from }, desk.numberId)),
      desk.wrote(start),
    ]);
    vi.setSystemTime(start + 2 * dayMs);
    for (let round = 0; round < 3; round += 1) await desk.ring();
    expect((await desk.conversation()).status).toBe('open');
    await desk.log.take([desk.answered(start + 2 * dayMs)]);
    vi.setSystemTime(start + 3 * dayMs + minuteMs);
    await desk.ring();
    expect((await desk.conversation()).status).toBe('resolved');
    const other = await desk.log.conversationOf({ numberId: desk.numberId, phoneNumber: others[0] });
    expect(other?.status).toBe('open');
  });

  test('stays as it is where nobody has set that', async () => {
    const desk = await supportDesk();
    await desk.log.take([desk.wrote(start), desk.answered(start + minuteMs)]);
    vi.setSystemTime(start + 365 * dayMs);
    await desk.ring();
    expect((await desk.conversation()).status).toBe('open');
  });
});
