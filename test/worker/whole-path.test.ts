import { evictAllDurableObjects } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { FakeBridge } from '../durable/phone-number/fake-bridge.ts';
import { ask, eventually, openAccount, type TestAccount } from './front-door.ts';
import { interceptCallbacks, receiver } from './webhooks/webhook-receiver.ts';

interceptCallbacks();

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const url = 'https://whole-path.example.com/hook';
const now = () => new Date().toISOString();

async function newNumber(account: TestAccount): Promise<string> {
  const created = await ask('POST', '/v1/numbers', { headers: account.owner, json: { label: 'Sales' } });
  expect(created).toMatchObject({
    status: 201,
    body: { state: 'unpaired', health: 'unavailable', inPool: true },
  });
  return created.body.numberId;
}

/** Pairs the number by QR, as the dashboard and a bridge would. */
async function pair(account: TestAccount, numberId: string, phoneNumber: string): Promise<FakeBridge> {
  const path = `/v1/numbers/${numberId}`;
  const accepted = await ask('POST', `${path}/pair`, { headers: account.owner, json: { method: 'qr' } });
  expect(accepted).toMatchObject({ status: 202, body: { numberId, state: 'pairing' } });
  const bridge = await FakeBridge.link(numberId);
  bridge.say({ type: 'link.ready' });
  const { pairingId } = await bridge.take('session.pair');
  const expiresAt = now();
  await bridge.tell({ type: 'pairing.qr', pairingId, qr: '2@scan,me', expiresAt });
  const pairing = await ask('GET', `${path}/pairing`, { headers: account.owner });
  expect(pairing).toMatchObject({
    status: 200,
    body: { method: 'qr', qr: '2@scan,me', code: null, expiresAt },
  });
  await bridge.tell({ type: 'session.connected', phoneNumber, at: now() });
  return bridge;
}

test.for<[string, () => Promise<void>]>([
  ['', async () => {}],
  [', also with every object evicted after every step', () => evictAllDurableObjects()],
])(
  'a number is paired, a message goes out and is read, a reply comes in; each step is a callback%s',
  async ([, afterStep]) => {
    const account = await openAccount();
    const { callbacks } = receiver(url);
    const hook = { url, numberIds: 'all', events: 'all' };
    await ask('POST', '/v1/webhooks', { headers: account.owner, json: hook });
    const events = () => callbacks.map(({ body }) => JSON.parse(body));
    const told = () => events().map(({ event }) => event);

    const numberId = await newNumber(account);
    await afterStep();
    const bridge = await pair(account, numberId, '15550000001');
    await afterStep();
    await eventually(() => callbacks.length === 2);
    const first = (name: string) => events().find(({ event }) => event === name);
    expect(first('device.pairing')).toMatchObject({ data: { numberId, method: 'qr', qr: '2@scan,me' } });
    expect(first('device.connected')).toMatchObject({ data: { numberId, phoneNumber: '15550000001' } });
    const number = await ask('GET', `/v1/numbers/${numberId}`, { headers: account.server });
    expect(number).toMatchObject({
      status: 200,
      body: {
        numberId,
        label: 'Sales',
        phoneNumber: '15550000001',
        state: 'connected',
        health: 'healthy',
        reason: null,
      },
    });
    expect((await ask('GET', '/v1/numbers', { headers: account.server })).body).toEqual({
      data: [number.body],
      nextCursor: null,
    });

    const sent = await eventually(async () => {
      const json = { to: '+62 812 3456 789', text: 'hello' };
      const headers = { ...account.server, traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
      const answer = await ask('POST', '/v1/messages/send', { headers, json });
      // The number tells its account that it is connected a moment after it says so itself.
      return answer.status === 202 && answer.body;
    });
    await afterStep();
    const { messages } = await bridge.take('send');
    const [outbound] = messages;
    if (outbound === undefined) throw new Error('an empty hand-over');
    expect(outbound).toMatchObject({ messageId: sent.messageId, to: '628123456789', handedTo: null });
    expect(outbound.traceparent).toBe(`00-${traceId}-00f067aa0ba902b7-01`);
    const { messageId, providerMessageId } = outbound;
    await bridge.tell({
      type: 'send.outcomes',
      items: [{ outcome: 'sent', handOver: 1, messageId, at: now() }],
    });
    await afterStep();
    const receipt = { providerMessageId, at: now(), isGroup: false, recipient: '628123456789' };
    await bridge.tell({ type: 'receipts', items: [{ ...receipt, kind: 'delivered' }] });
    await afterStep();
    await bridge.tell({ type: 'receipts', items: [{ ...receipt, kind: 'read' }] });
    await afterStep();
    await bridge.tell({
      type: 'inbound',
      items: [
        {
          providerMessageId: '3AREPLY',
          at: now(),
          chatType: 'personal',
          from: '628123456789',
          pushName: 'Budi',
          content: { type: 'text', text: 'hello yourself' },
        },
      ],
    });
    await eventually(() => told().includes('conversation.created') && told().length === 8);
    const steps = events().filter(({ data }) => data.messageId === messageId);
    expect(steps.map(({ event }) => event)).toEqual([
      'message.queued',
      'message.sent',
      'message.delivered',
      'message.read',
    ]);
    // The callbacks of the message belong to the trace of its request, each under an id of its own; others to none.
    const traces = callbacks.flatMap(({ headers, body }) =>
      JSON.parse(body).data.messageId === messageId ? [headers.traceparent ?? ''] : [],
    );
    for (const trace of traces) expect(trace).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
    expect(new Set(traces).size).toBe(4);
    expect(callbacks.filter(({ headers }) => 'traceparent' in headers)).toHaveLength(4);
    expect(new Set(events().map(({ id }) => id)).size).toBe(8);
    const received = events().find(({ event }) => event === 'message.received');
    expect(received.data).toMatchObject({
      numberId,
      from: '628123456789',
      to: '15550000001',
      text: 'hello yourself',
    });

    const record = await ask('GET', `/v1/messages/${messageId}`, { headers: account.server });
    expect(record.body).toEqual({
      messageId,
      direction: 'outbound',
      status: 'read',
      numberId,
      to: '628123456789',
      chatType: 'personal',
      messageType: 'text',
      text: 'hello',
      providerMessageId,
      sender: { numberId, phoneNumber: '15550000001', source: 'pool' },
      errorMessage: null,
      errorCode: null,
      clientReference: null,
      sendAt: null,
      queuedAt: sent.queuedAt,
      sentAt: expect.any(String),
      deliveredAt: expect.any(String),
      readAt: expect.any(String),
      failedAt: null,
      heldReason: null,
      expectedAt: null,
    });
    const inbound = await ask('GET', '/v1/messages?direction=inbound', { headers: account.server });
    expect(inbound.body).toEqual({
      data: [
        expect.objectContaining({
          messageId: received.data.messageId,
          direction: 'inbound',
          status: 'received',
          from: '628123456789',
          to: '15550000001',
          text: 'hello yourself',
          sender: null,
        }),
      ],
      nextCursor: null,
    });
  },
);

test('the QR code of a pairing can be fetched as a picture', async () => {
  const account = await openAccount();
  const numberId = await newNumber(account);
  const path = `/v1/numbers/${numberId}/pairing`;
  await ask('POST', `/v1/numbers/${numberId}/pair`, { headers: account.owner, json: { method: 'qr' } });
  const svg = { ...account.owner, Accept: 'image/svg+xml' };
  expect(await ask('GET', path, { headers: svg })).toMatchObject({ status: 404 });
  const bridge = await FakeBridge.link(numberId);
  bridge.say({ type: 'link.ready' });
  const { pairingId } = await bridge.take('session.pair');
  await bridge.tell({ type: 'pairing.qr', pairingId, qr: '2@scan,me', expiresAt: now() });
  const picture = await ask('GET', path, { headers: svg });
  expect(picture.status).toBe(200);
  expect(picture.headers.get('Content-Type')).toBe('image/svg+xml');
  expect(picture.text).toMatch(/^<svg .*<\/svg>$/s);
});

test('every fresh code of a pairing is told as an event, and its end without a device is too', async () => {
  const account = await openAccount();
  const numberId = await newNumber(account);
  await ask('POST', `/v1/numbers/${numberId}/pair`, { headers: account.owner, json: { method: 'qr' } });
  const bridge = await FakeBridge.link(numberId);
  bridge.say({ type: 'link.ready' });
  const { pairingId } = await bridge.take('session.pair');
  const expiresAt = now();
  await bridge.tell({ type: 'pairing.qr', pairingId, qr: '2@first', expiresAt });
  await bridge.tell({ type: 'pairing.qr', pairingId, qr: '2@first', expiresAt });
  await bridge.tell({ type: 'pairing.qr', pairingId, qr: '2@second', expiresAt });
  await bridge.tell({ type: 'pairing.failed', pairingId, failure: 'expired' });
  const told = await eventually(async () => {
    const { body } = await ask('GET', '/v1/events?events=device.pairing', { headers: account.owner });
    return body.data.length === 3 ? body.data : undefined;
  });
  expect(told.map(({ data }: { data: unknown }) => data)).toEqual([
    { numberId, method: 'qr', qr: '2@first', expiresAt },
    { numberId, method: 'qr', qr: '2@second', expiresAt },
    { numberId, method: 'qr', expiresAt: expect.any(String) },
  ]);
});

test('a session is disconnected, connected and logged out on request, and only when there is one', async () => {
  const account = await openAccount();
  const numberId = await newNumber(account);
  const path = `/v1/numbers/${numberId}`;
  const step = (name: string) => ask('POST', `${path}/${name}`, { headers: account.owner });
  for (const name of ['connect', 'disconnect', 'logout']) {
    expect(await step(name)).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
  }
  const bridge = await pair(account, numberId, '15550000001');
  expect(await step('disconnect')).toMatchObject({ status: 202, body: { state: 'disconnected' } });
  expect(await bridge.take('session.stop')).toMatchObject({ logout: false });
  expect(await step('connect')).toMatchObject({ status: 202 });
  await bridge.take('session.start');
  expect(await step('logout')).toMatchObject({ status: 202 });
  expect(await bridge.take('session.stop')).toMatchObject({ logout: true });
});
