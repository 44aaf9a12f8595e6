import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { AlertSender, consumeAlerts } from '../../../src/worker/features/alerts/sending/alert-sender.ts';

/** A wake-up of an account, and what became of it. */
function wakeUp(accountId: string) {
  const outcomes: string[] = [];
  return {
    body: { accountId },
    outcomes,
    ack: () => void outcomes.push('ack'),
    retry: () => void outcomes.push('retry'),
  };
}

test('an account that cannot be asked is asked again alone, and what is more than one round has a wake-up of its own', async () => {
  const [failing, busy, quiet] = [newUuid(), newUuid(), newUuid()];
  const due = (accountId: string) => (accountId === busy ? 5 : 4);
  const order = (accountId: string) => ({
    ...{ deliveryId: newUuid(), news: 'raised', alerts: [], at: Date.now(), attempt: 1 },
    channel: { id: accountId, kind: 'slack', shownTarget: '', sealedTarget: null, confirmedAt: null },
  });
  const logs = {
    getByName: (accountId: string) => ({
      beginAlertDeliveries: async () => {
        if (accountId === failing) throw new Error('the log is away');
        return Array.from({ length: due(accountId) }, () => order(accountId));
      },
      reportAlertDelivery: async () => 'failed',
    }),
  };
  const sent: unknown[] = [];
  const ALERTS = { send: async (body: unknown) => void sent.push(body) };
  const own = { ...env, EVENT_LOG: logs, ALERTS } as unknown as Env;
  const messages = [failing, busy, quiet].map(wakeUp);
  const exports = { AlertSender: new AlertSender({} as never, own) };
  const goesOn: Promise<unknown>[] = [];
  const waitUntil = (work: Promise<unknown>) => void goesOn.push(work);
  await consumeAlerts({ messages } as never, own, { exports, waitUntil } as never);
  await Promise.all(goesOn);
  expect(messages.map(({ outcomes }) => outcomes)).toEqual([['retry'], ['ack'], ['ack']]);
  expect(sent).toEqual([{ accountId: busy }]);
});

test('a channel that hangs holds up no other account: the queue goes on', async () => {
  const [slow, quick] = [newUuid(), newUuid()];
  const delivered: string[] = [];
  const hanging = Promise.withResolvers<void>();
  const deliver = async (accountId: string) => {
    if (accountId === slow) await hanging.promise;
    delivered.push(accountId);
  };
  const logs = { getByName: () => ({ beginAlertDeliveries: async () => [{}] }) };
  const goesOn: Promise<unknown>[] = [];
  const context = {
    exports: { AlertSender: { deliver } },
    waitUntil: (work: Promise<unknown>) => void goesOn.push(work),
  };
  const messages = [slow, quick].map(wakeUp);
  await consumeAlerts({ messages } as never, { EVENT_LOG: logs } as never, context as never);
  expect(messages.map(({ outcomes }) => outcomes)).toEqual([['ack'], ['ack']]);
  expect(delivered).toEqual([quick]);
  hanging.resolve();
  await Promise.all(goesOn);
  expect(delivered).toEqual([quick, slow]);
});
