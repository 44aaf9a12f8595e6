import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect } from 'vitest';
import { Customer } from '../stage/customer.ts';
import { expectEveryStepOnce, expectOnceOnTheNetwork } from '../stage/promises.ts';
import { test } from '../stage/workers-gateway.ts';

let customer: Customer;

test.beforeEach(async ({ gateway }) => {
  customer = await Customer.join(gateway);
});
afterEach(async () => {
  await customer.simulator('PATCH', '/admin/network', {
    ackDelayMs: 0,
    dropAckRate: 0,
    refuseConnections: false,
  });
  await customer.leave();
});

describe('a network that misbehaves', () => {
  test('that drops every acknowledgement still gets each message once, and receipts prove what was sent', async () => {
    await customer.simulator('PATCH', '/admin/network', { dropAckRate: 1 });
    const messages = await customer.sendMany(20);
    await expectOnceOnTheNetwork(customer, messages);
    await expectEveryStepOnce(customer, messages);
  });

  test('that acknowledges late gets each message once', async () => {
    await customer.simulator('PATCH', '/admin/network', { ackDelayMs: 1500 });
    const messages = await customer.sendMany(24);
    await expectOnceOnTheNetwork(customer, messages);
    await expectEveryStepOnce(customer, messages);
  });

  test('that drops the link again and again gets each message once', async () => {
    const drops = async () => {
      for (let drop = 0; drop < 3; drop += 1) {
        await customer.simulator('POST', `/admin/devices/${customer.phoneNumber}/drop`);
        await customer.whenState('connected');
      }
    };
    const messages = await customer.sendMany(60, { accepted: 20, run: drops });
    await expectOnceOnTheNetwork(customer, messages);
    await expectEveryStepOnce(customer, messages);
  });

  test('that refuses connections keeps messages waiting, and gets each once when it takes them again', async () => {
    const outage = async () => {
      await customer.simulator('PATCH', '/admin/network', { refuseConnections: true });
      await customer.whenState('disconnected');
      const refused = await customer.sendOnce(
        { to: customer.recipient, text: 'nobody can send this' },
        randomUUID(),
      );
      expect(refused.status).toBe(503);
      expect(await refused.json()).toMatchObject({ error: { code: 'NO_HEALTHY_SENDER' } });
      await customer.simulator('PATCH', '/admin/network', { refuseConnections: false });
    };
    const messages = await customer.sendMany(40, { accepted: 20, run: outage });
    await expectOnceOnTheNetwork(customer, messages);
    await expectEveryStepOnce(customer, messages);
    const events = () => customer.receiver.callbacks.map(({ event }) => event);
    // Events of a number and of its messages do not wait for each other.
    await expect.poll(events).toContain('device.disconnected');
    expect(events().filter((event) => event === 'message.failed')).toEqual([]);
  });
});
