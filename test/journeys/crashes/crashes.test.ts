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

/** Eight are sent at a time, and all that are left wait for the part that was killed: more of them show nothing more. */
const messagesEach = 40;
const repliesEach = 16;

const parts: Part[] = ['supervisor', 'gateway', 'workerd', 'bridge', 'simulator'];
type KilledPart = Exclude<Part, 'supervisor'>;
/** What goes with each of them. */
const diesWith: Record<KilledPart, Part[]> = {
  bridge: ['bridge'],
  simulator: ['simulator'],
  // Killed from outside it takes the process around it along, or is started anew in it.
  workerd: ['workerd', 'gateway'],
  gateway: ['gateway', 'workerd'],
};

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

describe('kill -9 in the middle of messages both ways', () => {
  test.for<[string, KilledPart]>([
    ['the bridge', 'bridge'],
    ["the Worker's runtime", 'workerd'],
    ['the process around the runtime', 'gateway'],
    ['the simulated network', 'simulator'],
  ])(
    'of %s loses no accepted message and no event, and doubles none, while the other parts run on, and the terminal says so',
    async ([, part]) => {
      const shownBefore = gateway.terminalText.length;
      const dies = diesWith[part];
      const others = parts.filter((other) => !dies.includes(other)).map((other) => gateway.pidOf(other));
      await sendAmid(messagesEach / 2, () => gateway.killAndAwaitRestart(part));
      const name = part === 'workerd' ? 'gateway' : part;
      await waitUntil('The terminal says nothing of it', async () =>
        gateway.terminalText.includes(`The ${name} had ended (SIGKILL) and was started again.`, shownBefore)
          ? true
          : null,
      );
      expect(parts.filter((other) => !dies.includes(other)).map((other) => gateway.pidOf(other))).toEqual(
        others,
      );
      expectCleanLogs(gateway, [customer], texts);
    },
  );

  test('of everything at once loses no accepted message and no event, and doubles none', async () => {
    await sendAmid(messagesEach / 2, async () => {
      await gateway.killEverything();
      await gateway.start();
    });
    expectCleanLogs(gateway, [customer], texts);
  });
});
