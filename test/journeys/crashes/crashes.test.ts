import { afterEach, describe, expect } from 'vitest';
import { waitUntil } from '../../wait-until.ts';
import { Customer } from '../stage/customer.ts';
import type { GatewayProcess, Part } from '../stage/gateway-process.ts';
import {
  expectCleanLogs,
  expectEveryStepOnce,
  expectOnceOnTheNetwork,
  expectReceivedOnce,
} from '../stage/promises.ts';
import { test } from '../stage/workers-gateway.ts';

const messagesEach = 100;
const repliesEach = 40;

let gateway: GatewayProcess;
let customer: Customer;
const texts: string[] = [];

test.beforeAll(({ gateway: workers }) => {
  gateway = workers;
});
afterEach(() => customer?.leave());

async function sendAmid(accepted: number, run: () => void | Promise<void>): Promise<void> {
  customer = await Customer.join(gateway);
  const replies: string[] = [];
  const messages = await customer.sendMany(messagesEach, {
    accepted,
    run: async () => {
      const receiving = customer.receiveMany(repliesEach, replies);
      await waitUntil('The phone could not write', async () =>
        replies.length >= repliesEach / 4 ? true : null,
      );
      await Promise.all([receiving, run()]);
    },
  });
  texts.push(...messages.map(({ text }) => text), ...replies);
  expect(messages).toHaveLength(messagesEach);
  await expectOnceOnTheNetwork(customer, messages);
  await expectEveryStepOnce(customer, messages);
  await expectReceivedOnce(customer, replies);
}

describe('kill -9 in the middle of a hundred messages', () => {
  test.for<[string, Part]>([
    ['the bridge', 'bridge'],
    ["the Worker's runtime", 'workerd'],
    ['the process around the runtime', 'gateway'],
    ['the simulated network', 'simulator'],
  ])('of %s loses no accepted message and no event, and doubles none', async ([, part]) => {
    await sendAmid(messagesEach / 4, () => gateway.killAndAwaitRestart(part));
    expectCleanLogs(gateway, [customer], texts);
  });

  test('of everything at once loses no accepted message and no event, and doubles none', async () => {
    await sendAmid(messagesEach / 4, async () => {
      await gateway.killEverything();
      await gateway.start();
    });
    expectCleanLogs(gateway, [customer], texts);
  });
});
