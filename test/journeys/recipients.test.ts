import { randomInt, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitUntil } from '../wait-until.ts';
import { Customer } from './stage/customer.ts';
import { GatewayProcess } from './stage/gateway-process.ts';

let gateway: GatewayProcess;
let customer: Customer;

beforeAll(async () => {
  gateway = await GatewayProcess.start({});
  customer = await Customer.join(gateway);
});

afterAll(async () => {
  await customer.leave();
  await gateway.discard();
});

interface Refused {
  error?: { code: string; details?: { filter?: string }[] };
}

async function sendTo(to: string): Promise<{ status: number; body: Refused }> {
  const response = await customer.sendOnce({ to, text: 'hello' }, randomUUID());
  return { status: response.status, body: (await response.json()) as Refused };
}

test('a recipient whom the network does not know is refused before anything is sent, one whom it knows is not', async () => {
  await customer.admin('PATCH', '/v1/settings', { filters: { checkOnNetwork: true } });
  const missing = `1555${randomInt(1e6, 1e7)}`;
  await customer.scriptPhone({ registered: false }, missing);
  expect(await sendTo(missing)).toMatchObject({
    status: 422,
    body: { error: { code: 'RECIPIENT_NOT_ON_NETWORK' } },
  });
  const present = `1555${randomInt(1e6, 1e7)}`;
  await customer.scriptPhone({ registered: true }, present);
  expect(await sendTo(present)).toMatchObject({ status: 202 });
  await customer.admin('PATCH', '/v1/settings', { filters: { checkOnNetwork: false } });
  expect(await customer.get('/v1/usage')).toMatchObject({ used: 1 });
});

test('who writes STOP from their phone is written to no more, and who writes START is again', async () => {
  await customer.send(`hello ${randomUUID()}`);
  const write = (text: string) =>
    customer.simulator('POST', `/admin/phones/${customer.recipient}/messages`, {
      to: customer.phoneNumber,
      text,
    });
  await write('stop');
  const refusal = await waitUntil('The opt-out had no effect', async () => {
    const { status, body } = await sendTo(customer.recipient);
    return status === 422 ? body : null;
  });
  expect(refusal.error).toMatchObject({ code: 'RECIPIENT_FILTERED', details: [{ filter: 'optOut' }] });
  await write('Start');
  await waitUntil('The start word had no effect', async () =>
    (await sendTo(customer.recipient)).status === 202 ? true : null,
  );
});
