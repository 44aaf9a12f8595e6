import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Customer } from './customer.ts';
import { GatewayProcess, type Part } from './gateway-process.ts';
import {
  expectCleanLogs,
  expectEveryStepOnce,
  expectOnceOnTheNetwork,
  expectReceivedOnce,
} from './promises.ts';

const messagesEach = 200;
const repliesEach = 40;

let gateway: GatewayProcess;
let customer: Customer;
const texts: string[] = [];

beforeAll(async () => {
  gateway = await GatewayProcess.start({
    WEBHOOK_RETRY_SECONDS: '1,1,1,1,1,1,1,1',
    // What a queue lost with its process is queued again soon.
    SWEEP_GRACE_SECONDS: '5',
    KEY_RATE_PER_SECOND: '1000',
    KEY_RATE_BURST: '1000',
  });
});

afterEach(() => customer.leave());
afterAll(() => gateway.discard());

async function sendAmid(accepted: number, run: () => void | Promise<void>): Promise<void> {
  customer = await Customer.join(gateway);
  let replies: string[] = [];
  const messages = await customer.sendMany(messagesEach, {
    accepted,
    run: async () => {
      [replies] = await Promise.all([customer.receiveMany(repliesEach), run()]);
    },
  });
  texts.push(...messages.map(({ text }) => text), ...replies);
  expect(messages).toHaveLength(messagesEach);
  await expectOnceOnTheNetwork(customer, messages);
  await expectEveryStepOnce(customer, messages);
  expect(replies).not.toEqual([]);
  await expectReceivedOnce(customer, replies);
}

describe('kill -9 in the middle of a few hundred messages', () => {
  test.for<[string, Part]>([
    ['the bridge', 'bridge'],
    ["the Worker's runtime", 'workerd'],
    ['the process around the runtime', 'gateway'],
    ['the simulated network', 'simulator'],
  ])('of %s loses no accepted message and no event, and doubles none', async ([, part]) => {
    await sendAmid(messagesEach / 2, () => gateway.killAndAwaitRestart(part));
    expectCleanLogs(gateway, [customer], texts);
  });

  test('of everything at once loses no accepted message and no event, and doubles none', async () => {
    await sendAmid(messagesEach / 2, async () => {
      await gateway.killEverything();
      await gateway.start();
    });
    expectCleanLogs(gateway, [customer], texts);
  });
});
