import { expect, test } from 'vitest';
import type { ActionOrder } from '../../../src/durable/event-log/automations/actions/planned.ts';
import {
  consumeAutomationWakeUps,
  ordersByReceiver,
} from '../../../src/worker/features/automations/running/automations-consumer.ts';

const reply = (runId: string): ActionOrder => ({
  ...callbackTo(runId),
  runId,
  action: { kind: 'reply' } as never,
});

const callbackTo = (url: string, index = 0): ActionOrder => ({
  automationId: 'rule',
  runId: `run-${url}`,
  index,
  dueAt: 0,
  attempt: 1,
  action: { kind: 'call_webhook', url, eventId: 'event', body: '{}' },
  target: {} as never,
});

/** Accounts with orders that are due, and wake-ups of them. */
class Stage {
  readonly due = new Map<string, ActionOrder[]>();
  readonly calls: { accountId: string; orders: readonly ActionOrder[] }[] = [];
  readonly settled: string[] = [];
  readonly rung: string[] = [];
  readonly acked: string[] = [];
  carryOut: (accountId: string, orders: readonly ActionOrder[]) => Promise<unknown> = async (_, orders) =>
    orders.map(() => ({ kind: 'done' }));

  /** What goes on when the wake-ups were handled. */
  readonly goesOn: Promise<unknown>[] = [];

  async consume(): Promise<void> {
    const messages = [...this.due.keys()].map((accountId) => ({
      body: { accountId },
      ack: () => this.acked.push(accountId),
      retry: () => {},
    }));
    const env = {
      EVENT_LOG: { getByName: (accountId: string) => this.#logOf(accountId) },
      AUTOMATIONS: { send: async ({ accountId }: { accountId: string }) => this.rung.push(accountId) },
    };
    const exports = {
      AutomationSender: {
        carryOut: (accountId: string, orders: readonly ActionOrder[]) => {
          this.calls.push({ accountId, orders });
          return this.carryOut(accountId, orders);
        },
      },
    };
    return consumeAutomationWakeUps(
      { messages } as never,
      env as never,
      { exports, waitUntil: (work: Promise<unknown>) => this.goesOn.push(work) } as never,
    );
  }

  #logOf(accountId: string) {
    return {
      takeAutomationActions: async (limit: number) => this.due.get(accountId)?.splice(0, limit) ?? [],
      settleAutomationActions: async (settled: readonly { order: { runId: string } }[]) =>
        this.settled.push(...settled.map(({ order }) => `${accountId} ${order.runId}`)),
    };
  }
}

test('each account has calls of its own, of six orders at most, and fifteen of them in all', async () => {
  const stage = new Stage();
  for (const account of ['a', 'b', 'c', 'd', 'e']) {
    const urls = Array.from({ length: 10 }, (_, index) => `https://${account}${index}.example/`);
    stage.due.set(
      account,
      urls.map((url) => callbackTo(url)),
    );
  }
  await stage.consume();
  await Promise.all(stage.goesOn);
  expect(stage.calls.length).toBeLessThanOrEqual(15);
  for (const { accountId, orders } of stage.calls) {
    expect(orders.length).toBeLessThanOrEqual(6);
    for (const { runId } of orders) expect(runId).toContain(`https://${accountId}`);
  }
  // What is more than one round waits for another wake-up.
  expect(stage.rung.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(stage.settled).toHaveLength(30);
});

test('a receiver that hangs holds up no account, no other receiver, no reply, and no other wake-up', async () => {
  const stage = new Stage();
  stage.due.set('slow', [
    callbackTo('https://hangs.example/'),
    callbackTo('https://answers.example/'),
    reply('reply'),
  ]);
  stage.due.set('quick', [callbackTo('https://quick.example/')]);
  const hangs = Promise.withResolvers<void>();
  stage.carryOut = async (_, orders) => {
    if (orders.some(({ runId }) => runId.includes('hangs'))) await hangs.promise;
    return orders.map(() => ({ kind: 'done' }));
  };
  await stage.consume();
  expect(stage.acked.toSorted()).toEqual(['quick', 'slow']);
  while (stage.settled.length < 3) await Promise.resolve();
  expect(stage.settled.toSorted()).toEqual([
    'quick run-https://quick.example/',
    'slow reply',
    'slow run-https://answers.example/',
  ]);
  hangs.resolve();
  await Promise.all(stage.goesOn);
  expect(stage.settled).toContain('slow run-https://hangs.example/');
});

test('orders go by their receivers, and none is left out where there are too many of these', () => {
  const urls = [
    'https://a.example/1',
    'https://b.example/',
    'https://a.example/2',
    'https://c.example/',
    'x',
  ];
  const groups = ordersByReceiver(
    urls.map((url) => callbackTo(url)),
    3,
  );
  expect(groups.map((group) => group.map(({ action }) => 'url' in action && action.url))).toEqual([
    ['https://a.example/1', 'https://a.example/2'],
    ['https://b.example/'],
    ['https://c.example/', 'x'],
  ]);
  expect(ordersByReceiver([], 3)).toEqual([]);
});
