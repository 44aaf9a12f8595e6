import { randomUUID } from 'node:crypto';
import { afterEach, expect } from 'vitest';
import { waitUntil } from '../wait-until.ts';
import { Customer } from './stage/customer.ts';
import type { GatewayProcess, Part } from './stage/gateway-process.ts';
import { test } from './stage/workers-gateway.ts';

const turns = 12;

let gateway: GatewayProcess;
let customer: Customer;

test.beforeAll(({ gateway: workers }) => {
  gateway = workers;
});
afterEach(() => customer?.leave());

interface Item {
  kind: 'message' | 'note';
  message?: { direction: string; text: string };
  note?: { text: string };
}

/** Does it again under the same key until it is accepted, as the inbox does. */
async function said(path: string, body: object): Promise<void> {
  const key = randomUUID();
  await waitUntil('It was not accepted', async () => {
    const response = await fetch(`http://127.0.0.1:${gateway.environment.PORT}${path}/messages`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${customer.token}`,
        'idempotency-key': key,
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    }).catch(() => null);
    return response?.ok ? true : null;
  });
}

test.for<[string, Part]>([
  ['the bridge', 'bridge'],
  ["the Worker's runtime", 'workerd'],
])('kill -9 of %s amid a chat loses no word of it, doubles none, and no note leaves', async ([, part]) => {
  customer = await Customer.join(gateway);
  const { recipient, phoneNumber, numberId } = customer;
  const begun = await customer.admin<{ conversationId: string }>('POST', '/v1/conversations', {
    numberId,
    to: recipient,
  });
  const path = `/v1/conversations/${begun.conversationId}`;
  const write = (text: string) =>
    customer.simulator('POST', `/admin/phones/${recipient}/messages`, { to: phoneNumber, text });
  const words = (who: string) => Array.from({ length: turns }, (_, turn) => `${who} ${turn}`);
  const chat = async () => {
    for (const [turn, text] of words('answer').entries()) {
      await waitUntil('The phone could not write', () =>
        write(`question ${turn}`).then(
          () => true,
          () => null,
        ),
      );
      await said(path, { text });
      await said(path, { note: true, text: `note ${turn}` });
    }
  };
  const isAmid = waitUntil('The chat did not begin', async () =>
    (await customer.arrived()).length >= 3 ? true : null,
  );
  const killed = isAmid.then(() => gateway.killAndAwaitRestart(part));
  await Promise.all([chat(), killed]);
  const items = await waitUntil('Not all of it is there', async () => {
    const { data } = await customer.admin<{ data: Item[] }>('GET', `${path}/messages?limit=200`);
    return data.length >= 3 * turns ? data : null;
  });
  const saidBy = (is: (item: Item) => boolean) =>
    items
      .filter(is)
      .map(({ message, note }) => message?.text ?? note?.text)
      .toSorted();
  expect(saidBy(({ message }) => message?.direction === 'inbound')).toEqual(words('question').toSorted());
  expect(saidBy(({ message }) => message?.direction === 'outbound')).toEqual(words('answer').toSorted());
  expect(saidBy(({ kind }) => kind === 'note')).toEqual(words('note').toSorted());
  const arrived = await waitUntil('Not all answers arrived', async () => {
    const found = await customer.arrived();
    return found.length >= turns ? found : null;
  });
  expect(arrived.map(({ text }) => text).toSorted()).toEqual(words('answer').toSorted());
  // Before the crash and behind it, each answer came once.
  expect(arrived.filter(({ count }) => count !== 1)).toEqual([]);
});
