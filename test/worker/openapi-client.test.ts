import { exports } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { NotFoundError, QuotaExceededError, RecipientError } from '../../src/sdk/client/errors.ts';
import { Heliograph } from '../../src/sdk/client/heliograph.ts';
import { addConnectedNumber, eventually, openAccount } from './front-door.ts';
import { calls } from './openapi-document.ts';
import { interceptCallbacks, receiver } from './webhook-receiver.ts';

interceptCallbacks();

const url = 'https://example.com/hook';

/** A client whose requests come to the Worker's front door; `sent` holds them. */
async function customer() {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  const sent: { method: string; path: string }[] = [];
  const options = {
    baseUrl: 'https://gateway.test',
    fetch: (input: RequestInfo | URL, init?: RequestInit) => {
      const request = new Request(input, init);
      sent.push({ method: request.method, path: new URL(request.url).pathname });
      return exports.default.fetch(request);
    },
  };
  const server = new Heliograph({ ...options, apiKey: account.server['X-API-Key'] });
  const person = new Heliograph({ ...options, token: account.owner.Authorization.replace('Bearer ', '') });
  return { server, person, numberId, sent };
}

test('the client sends, gets and lists messages, and sees numbers and usage', async () => {
  const { server, numberId } = await customer();
  const sent = await server.messages.send({ to: '+62 812-3456-789', text: 'hello' });
  expect(sent).toMatchObject({ status: 'queued', to: '628123456789', numberId });
  expect(await server.messages.get(sent.messageId)).toMatchObject({ text: 'hello', direction: 'outbound' });
  const listed = await eventually(async () => {
    for await (const message of server.messages.list({ direction: 'outbound' }, { limit: 1 })) return message;
    return undefined;
  });
  expect(listed.messageId).toBe(sent.messageId);
  expect(await server.usage()).toMatchObject({ used: 1, limit: 1000 });
  expect(await server.numbers.get(numberId)).toMatchObject({ numberId, label: 'Sales' });
  expect((await server.numbers.list().page()).data).toHaveLength(1);
});

test('two sends under one idempotency key are one message', async () => {
  const { server } = await customer();
  const send = () => server.messages.send({ to: '628123456789', text: 'hi' }, { idempotencyKey: 'order-1' });
  expect(await send()).toEqual(await send());
  expect(await server.usage()).toMatchObject({ used: 1 });
});

test("the Worker's refusals are the client's errors", async () => {
  const { server } = await customer();
  const message = { to: '123456789012345@lid', text: 'hello' };
  const error = await server.messages.send(message).catch((refusal: unknown) => refusal);
  expect(error).toBeInstanceOf(RecipientError);
  expect(error).not.toBeInstanceOf(QuotaExceededError);
  expect(error).toMatchObject({ code: 'RECIPIENT_IS_LID', details: [{ path: 'to' }] });
  await expect(server.messages.get('msg_1')).rejects.toBeInstanceOf(NotFoundError);
});

test('every call of the client is an operation of the document', async () => {
  const { server, person, numberId, sent } = await customer();
  receiver(url);
  const { id } = await person.webhooks.create({
    url,
    numberIds: [numberId],
    events: 'all',
  });
  const key = await person.apiKeys.create({ name: 'till' });
  const fresh = await person.numbers.create({ label: 'Desk' });
  const message = await server.messages.send({ to: '628123456789', text: 'hello' });
  const conflict = () => undefined;
  await Promise.all([
    server.usage(),
    server.messages.get(message.messageId),
    server.messages.list({ status: 'queued', since: new Date(0) }).page(),
    server.numbers.list().page(),
    person.numbers.get(numberId),
    person.numbers.update(numberId, { label: 'Front desk' }),
    person.numbers.connect(fresh.numberId).catch(conflict),
    person.numbers.disconnect(fresh.numberId).catch(conflict),
    person.numbers.logout(fresh.numberId).catch(conflict),
    person.webhooks.list().page(),
    person.webhooks.get(id),
    person.webhooks.update(id, { description: 'Orders' }),
    person.webhooks.rotateSecret(id),
    person.webhooks.redeliverSince(id, { since: new Date().toISOString() }),
    person.webhooks.deliveries(id, { status: 'failed', event: 'message.sent' }).page(),
    person.apiKeys.list().page(),
    person.apiKeys.update(key.id, { name: 'till 2' }),
  ]);
  const { deliveryId } = await person.webhooks.test(id);
  await person.webhooks.redeliver(id, deliveryId);
  await person.numbers.pair(fresh.numberId, { method: 'qr' });
  await person.numbers.pairing(fresh.numberId);
  await person.numbers.delete(fresh.numberId);
  await person.webhooks.delete(id);
  await person.apiKeys.revoke(key.id);

  const documented = calls.map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));
  const unknown = sent.filter(
    (call) => !documented.some(({ method, pattern }) => method === call.method && pattern.test(call.path)),
  );
  expect(unknown).toEqual([]);
  const methods = [server.messages, person.numbers, person.webhooks, person.apiKeys].flatMap((resource) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(resource)).filter((name) => name !== 'constructor'),
  );
  // `usage` stands on the client itself.
  expect(new Set(sent.map(({ method, path }) => `${method} ${path}`)).size).toBeGreaterThanOrEqual(
    methods.length + 1,
  );
});
