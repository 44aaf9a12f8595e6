import { randomInt, randomUUID } from 'node:crypto';
import { afterAll, describe, expect } from 'vitest';
import { waitUntil } from '../wait-until.ts';
import { type ArrivedMessage, Customer } from './stage/customer.ts';
import type { GatewayProcess } from './stage/gateway-process.ts';
import { expectCleanLogs, expectEveryStepOnce, expectOnceOnTheNetwork } from './stage/promises.ts';
import { isSigned } from './stage/webhook-receiver.ts';
import { test } from './stage/workers-gateway.ts';

let gateway: GatewayProcess;
const customers: Customer[] = [];
const texts: string[] = [];

async function newCustomer(): Promise<Customer> {
  const customer = await Customer.join(gateway);
  customers.push(customer);
  return customer;
}

test.beforeAll(({ gateway: workers }) => {
  gateway = workers;
});
afterAll(() => Promise.all(customers.map((customer) => customer.leave())));

interface Delivery {
  deliveryId: string;
  status: string;
  attempts: { statusCode: number }[];
}

interface Refused {
  error?: { code: string; details?: { filter?: string }[] };
}

async function sendTo(customer: Customer, to: string): Promise<{ status: number; body: Refused }> {
  const response = await customer.sendOnce({ to, text: 'hello' }, randomUUID());
  return { status: response.status, body: (await response.json()) as Refused };
}

describe('the path of a message through real processes', () => {
  test('a text walks through queued, sent, delivered and read, each a signed webhook with exactly its fields', async () => {
    const customer = await newCustomer();
    const message = await customer.send(`hello ${randomUUID()}`);
    texts.push(message.text);
    await expectEveryStepOnce(customer, [message]);
    await expectOnceOnTheNetwork(customer, [message]);

    const callbacks = customer.receiver.about(message.messageId);
    expect(callbacks.map(({ event }) => event)).toEqual([
      'message.queued',
      'message.sent',
      'message.delivered',
      'message.read',
    ]);
    const { messageId } = message;
    const [{ id: providerMessageId }] = (await customer.arrived()) as [ArrivedMessage];
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const common = { messageId, numberId: customer.numberId };
    const receipt = {
      ...common,
      providerMessageId,
      messageStatus: 'delivered',
      deliveredAt: time,
      chat: `${customer.recipient}@s.whatsapp.net`,
      recipient: customer.recipient,
      recipientLid: expect.any(String),
      isGroup: false,
    };
    const target = { to: customer.recipient, chatType: 'personal', messageType: 'text' };
    const withoutAlias = ({ recipientLid = 'not given', ...data }: Record<string, unknown>) => ({
      ...data,
      recipientLid,
    });
    expect(callbacks[0]?.data).toEqual({ ...common, ...target, status: 'queued' });
    expect(callbacks[1]?.data).toEqual({
      ...common,
      ...target,
      providerMessageId,
      status: 'sent',
      sentAt: time,
    });
    expect(withoutAlias(callbacks[2]?.data ?? {})).toEqual({ ...receipt, status: 'delivered' });
    expect(withoutAlias(callbacks[3]?.data ?? {})).toEqual({ ...receipt, status: 'read', readAt: time });

    for (const callback of callbacks) {
      expect(callback.headers).toMatchObject({
        'content-type': 'application/json',
        'user-agent': 'Heliograph-Webhooks/1.0',
        'x-service-event': callback.event,
        'x-service-attempt': '1',
        'webhook-id': callback.id,
      });
      expect(isSigned(callback, `${customer.webhookSecret}x`)).toBe(false);
    }
    const record = await customer.get<Record<string, unknown>>(`/v1/messages/${messageId}`);
    expect(record).toMatchObject({
      messageId,
      direction: 'outbound',
      status: 'read',
      text: message.text,
      providerMessageId,
    });
  });

  test('a reply from the phone arrives as message.received with its text and the phone number of its author', async () => {
    const customer = await newCustomer();
    const text = `a reply ${randomUUID()}`;
    texts.push(text);
    await customer.simulator('POST', `/admin/phones/${customer.recipient}/messages`, {
      to: customer.phoneNumber,
      text,
    });
    const received = await waitUntil('message.received did not arrive', async () => {
      return customer.receiver.callbacks.find(({ event }) => event === 'message.received') ?? null;
    });
    expect(isSigned(received, customer.webhookSecret)).toBe(true);
    expect(received.data).toMatchObject({
      numberId: customer.numberId,
      from: customer.recipient,
      to: customer.phoneNumber,
      messageType: 'text',
      text,
      isGroup: false,
      chatType: 'personal',
    });
    const record = await customer.get<Record<string, unknown>>(`/v1/messages/${received.data.messageId}`);
    expect(record).toMatchObject({ direction: 'inbound', from: customer.recipient, text });
  });

  test('a receiver that answers 500 gets the same event again under the same delivery id until it takes it, and what it says before its answers counts as nothing', async () => {
    const customer = await newCustomer();
    customer.receiver.saysInterim = true;
    customer.receiver.answer = (callback) =>
      callback.event === 'message.queued' && callback.headers['x-service-attempt'] !== '3' ? 500 : 204;
    const message = await customer.send(`again ${randomUUID()}`);
    texts.push(message.text);
    const attempts = await waitUntil('The third attempt did not come', async () => {
      const queued = customer.receiver
        .about(message.messageId)
        .filter(({ event }) => event === 'message.queued');
      return queued.length >= 3 ? queued : null;
    });
    expect(attempts.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2', '3']);
    expect(new Set(attempts.map(({ id }) => id)).size).toBe(1);
    expect(new Set(attempts.map(({ headers }) => headers['x-service-delivery-id'])).size).toBe(1);
    expect(attempts.every((attempt) => isSigned(attempt, customer.webhookSecret))).toBe(true);
    const [webhook] = (await customer.admin<{ data: { id: string }[] }>('GET', '/v1/webhooks')).data;
    const delivered = await waitUntil('It is not delivered', async () => {
      const path = `/v1/webhooks/${webhook?.id}/deliveries`;
      const { data } = await customer.admin<{ data: Delivery[] }>('GET', path);
      const deliveryId = attempts[0]?.headers['x-service-delivery-id'];
      return data.find((one) => one.deliveryId === deliveryId && one.status === 'delivered') ?? null;
    });
    expect(delivered.attempts.map(({ statusCode }) => statusCode).sort()).toEqual([204, 500, 500]);
  });

  test('a request repeated under its Idempotency-Key is answered alike and sends one message', async () => {
    const customer = await newCustomer();
    const key = randomUUID();
    const body = { to: customer.recipient, text: `once ${randomUUID()}` };
    texts.push(body.text);
    const first = await customer.sendOnce(body, key);
    expect(first.status).toBe(202);
    const answer = (await first.json()) as { messageId: string; numberId: string };
    for (const repeat of [await customer.sendOnce(body, key), await customer.sendOnce(body, key)]) {
      expect(repeat.status).toBe(202);
      expect(repeat.headers.get('idempotent-replayed')).toBe('true');
      expect(await repeat.json()).toEqual(answer);
    }
    const { messageId, numberId } = answer;
    await expectOnceOnTheNetwork(customer, [
      { messageId, numberId, to: customer.recipient, text: body.text },
    ]);
  });

  test('a recipient whom the network does not know is refused before anything is sent, one whom it knows is not', async () => {
    const customer = await newCustomer();
    await customer.admin('PATCH', '/v1/settings', { filters: { checkOnNetwork: true } });
    const missing = `1555${randomInt(1e6, 1e7)}`;
    await customer.scriptPhone({ registered: false }, missing);
    expect(await sendTo(customer, missing)).toMatchObject({
      status: 422,
      body: { error: { code: 'RECIPIENT_NOT_ON_NETWORK' } },
    });
    const present = `1555${randomInt(1e6, 1e7)}`;
    await customer.scriptPhone({ registered: true }, present);
    expect(await sendTo(customer, present)).toMatchObject({ status: 202 });
    await customer.admin('PATCH', '/v1/settings', { filters: { checkOnNetwork: false } });
    expect(await customer.get('/v1/usage')).toMatchObject({ used: 1 });
  });

  test('somebody whom the network knows by other digits gets the message, and answers as the same contact', async () => {
    const customer = await newCustomer();
    const rest = String(randomInt(1e7, 1e8));
    const [dialled, own] = [`55119${rest}`, `5511${rest}`];
    await customer.scriptPhone({ autoDeliver: true, foundAs: [dialled] }, own);
    const { contactId } = await customer.admin<{ contactId: string }>('POST', '/v1/contacts', {
      phoneNumber: dialled,
    });
    const { messageId } = await customer.send(`hello ${randomUUID()}`, dialled);
    await waitUntil('It was not delivered', async () =>
      customer.receiver.about(messageId).some(({ event }) => event === 'message.delivered') ? true : null,
    );
    expect(await customer.get(`/v1/messages/${messageId}`)).toMatchObject({
      to: dialled,
      status: 'delivered',
    });
    const answer = { to: customer.phoneNumber, text: `back ${randomUUID()}` };
    await customer.simulator('POST', `/admin/phones/${own}/messages`, answer);
    const conversations = await waitUntil('The answer did not come', async () => {
      const { data } = await customer.admin<{ data: object[] }>('GET', '/v1/conversations');
      return data.length > 0 ? data : null;
    });
    expect(conversations).toMatchObject([{ contact: { contactId } }]);
    const contacts = await customer.admin<{ data: object[] }>('GET', '/v1/contacts?q=5511');
    expect(contacts.data).toMatchObject([{ contactId, phoneNumber: own }]);
    // A habit of a country that no list knows: what a look-up has said counts all the same.
    const habit = { dialled: `62811${rest}`, own: `62815${rest}` };
    await customer.scriptPhone({ autoDeliver: true, foundAs: [habit.dialled] }, habit.own);
    const check = `/v1/numbers/${customer.numberId}/contacts/check`;
    expect(await customer.admin('POST', check, { phoneNumbers: [habit.dialled] })).toMatchObject({
      data: [{ phoneNumber: habit.dialled, onNetwork: true, address: habit.own }],
    });
    const looked = await customer.send(`hello ${randomUUID()}`, habit.dialled);
    await waitUntil('It was not delivered', async () =>
      customer.receiver.about(looked.messageId).some(({ event }) => event === 'message.delivered')
        ? true
        : null,
    );
    for (const to of [habit.dialled, habit.own]) {
      expect(await customer.get(`/v1/messages?to=${to}`)).toMatchObject({
        data: [{ messageId: looked.messageId, to: habit.dialled }],
      });
    }
    // An address of a numbering plan that is over is answered as it came.
    const old = `5215${randomInt(1e9, 2e9)}`.slice(0, 13);
    await customer.scriptPhone({ autoDeliver: true }, old);
    await customer.simulator('POST', `/admin/phones/${old}/messages`, answer);
    await waitUntil('Nobody wrote', async () =>
      customer.receiver.callbacks.some(({ event, data }) => event === 'message.received' && data.from === old)
        ? true
        : null,
    );
    const back = await customer.send(`hello ${randomUUID()}`, old);
    await waitUntil('The answer was not delivered', async () =>
      customer.receiver.about(back.messageId).some(({ event }) => event === 'message.delivered')
        ? true
        : null,
    );
  });

  test('who writes STOP from their phone is written to no more, and who writes START is again', async () => {
    const customer = await newCustomer();
    await customer.send(`hello ${randomUUID()}`);
    const write = (text: string) =>
      customer.simulator('POST', `/admin/phones/${customer.recipient}/messages`, {
        to: customer.phoneNumber,
        text,
      });
    await write('stop');
    const refusal = await waitUntil('The opt-out had no effect', async () => {
      const { status, body } = await sendTo(customer, customer.recipient);
      return status === 422 ? body : null;
    });
    expect(refusal.error).toMatchObject({ code: 'RECIPIENT_FILTERED', details: [{ filter: 'optOut' }] });
    await write('Start');
    await waitUntil('The start word had no effect', async () =>
      (await sendTo(customer, customer.recipient)).status === 202 ? true : null,
    );
  });

  test('no log of all this holds a secret, a full phone number or a text', () => {
    expectCleanLogs(gateway, customers, texts);
  });
});
