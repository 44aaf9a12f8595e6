import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { received, record, sent } from '../../durable/event-log/event-log-fixture.ts';
import { FakeBridge, phoneNumber } from '../../durable/phone-number/fake-bridge.ts';
import { FakeNetwork } from '../../durable/phone-number/fake-network.ts';
import { addConnectedNumber, ask, eventually, openAccount, type TestAccount } from '../front-door.ts';

/** The network's own address of a Mexican mobile, one of an old plan, and digits that no plan has ever had. */
const addresses = ['5215512345678', '22507123456', '9991234567890'];

async function wrote({ accountId }: TestAccount, numberId: string, from: string): Promise<string> {
  const log = logOf(env, accountId);
  await log.take([received({ from, content: { type: 'text', text: 'hola' } }, numberId)]);
  return (await log.conversationOf({ numberId, phoneNumber: from }))?.conversationId ?? '';
}

/** A number of the account, whose bridge has a network that answers. */
async function numberWithNetwork(account: TestAccount) {
  const made = await ask('POST', '/v1/numbers', { headers: account.owner, json: { label: 'Sales' } });
  const numberId: string = made.body.numberId;
  await phoneNumber(numberId).pair({ method: 'qr' });
  const bridge = await FakeBridge.link(numberId);
  bridge.say({ type: 'link.ready' });
  await bridge.take('session.pair');
  const network = new FakeNetwork(bridge, '15550000041', []);
  await bridge.tell({
    type: 'session.connected',
    phoneNumber: '15550000041',
    at: new Date().toISOString(),
  });
  return { numberId, network };
}

describe.each(addresses)('whoever writes from %s', (from) => {
  test('is answered under that address: by a key, alone and in a batch, and from the inbox', async () => {
    const account = await openAccount();
    const numberId = await addConnectedNumber(account);
    const conversationId = await wrote(account, numberId, from);
    const text = 'Hola';
    const send = (json: object, path = 'send') =>
      ask('POST', `/v1/messages/${path}`, { headers: account.server, json });
    expect(await send({ to: from, text })).toMatchObject({ status: 202, body: { to: from } });
    expect(await send({ to: `${from}@s.whatsapp.net`, text })).toMatchObject({
      status: 202,
      body: { to: from },
    });
    expect((await send({ to: from, text }, 'send?dryRun=true')).body).toMatchObject({
      accepted: true,
      to: from,
    });
    const batch = await send(
      {
        messages: [
          { to: from, text, mentions: [from] },
          { to: '12', text },
        ],
      },
      'send-batch',
    );
    expect(batch.body.data).toMatchObject([{ to: from }, { error: { code: 'RECIPIENT_INVALID' } }]);
    const answered = await ask('POST', `/v1/conversations/${conversationId}/messages`, {
      headers: account.owner,
      json: { text },
    });
    expect(answered).toMatchObject({ status: 202, body: { to: from } });
    const begun = await ask('POST', '/v1/conversations', {
      headers: account.owner,
      json: { numberId, to: from },
    });
    expect(begun).toMatchObject({ status: 200, body: { conversationId } });
    const listed = await ask('GET', `/v1/messages?from=${from}`, { headers: account.server });
    expect(listed.body.data).toMatchObject([{ from }]);
  });

  test('is put on the opt-out list and taken off it, imported as they were exported, and mailed to by alerts', async () => {
    const account = await openAccount();
    const numberId = await addConnectedNumber(account);
    await wrote(account, numberId, from);
    const headers = account.owner;
    const added = await ask('POST', '/v1/opt-outs', { headers, json: { phoneNumber: from } });
    expect(added).toMatchObject({ status: 201, body: { phoneNumber: from } });
    expect((await ask('DELETE', `/v1/opt-outs/${from}`, { headers })).status).toBe(204);
    const exported = await ask('GET', '/v1/contacts/export', { headers });
    const imported = await ask('POST', '/v1/contacts/import?consentSource=export', {
      headers: { ...headers, 'Content-Type': 'text/csv' },
      raw: exported.text,
    });
    const done = await eventually(async () => {
      const { body } = await ask('GET', `/v1/contacts/imports/${imported.body.importId}`, { headers });
      return body.status === 'running' ? null : body;
    });
    expect(done).toMatchObject({ status: 'finished', created: 0, updated: 1, refused: [] });
    const json = { contacts: [{ phoneNumber: from, name: 'Ana' }], consentSource: 'shop' };
    const asJson = await ask('POST', '/v1/contacts/import', { headers, json });
    expect(asJson.body).toMatchObject({ created: 0, updated: 1, refused: [] });
    const channel = await ask('POST', '/v1/alert-channels', {
      headers,
      json: { kind: 'whatsapp', target: { numberId: null, to: from }, kinds: 'all', numberIds: 'all' },
    });
    expect(channel).toMatchObject({ status: 201, body: { target: { to: from } } });
  });

  test('is looked up, blocked, let in again and shown typing under that address', async () => {
    const account = await openAccount();
    const headers = account.server;
    const { numberId, network } = await numberWithNetwork(account);
    await wrote(account, numberId, from);
    const path = `/v1/numbers/${numberId}`;
    await ask('POST', `${path}/contacts/check`, { headers, json: { phoneNumbers: [from] } });
    for (const method of ['PUT', 'DELETE']) await ask(method, `${path}/blocked/${from}`, { headers });
    await ask('POST', `${path}/chats/${from}/typing`, { headers, json: { state: 'typing' } });
    expect(network.asked.filter(({ verb }) => !verb.startsWith('groups'))).toEqual([
      { verb: 'contacts.check', phoneNumbers: [from] },
      { verb: 'contacts.block', phoneNumber: from, blocked: true },
      { verb: 'contacts.block', phoneNumber: from, blocked: false },
      { verb: 'chats.typing', chat: from, state: 'typing' },
    ]);
  });
});

test('a look-up that names other digits tells where messages go', async () => {
  const account = await openAccount();
  const headers = account.server;
  const { numberId, network } = await numberWithNetwork(account);
  const [plain, dialled, own] = ['628123456789', '5511987654321', '551187654321'];
  network.addresses.set(dialled, own);
  const check = await ask('POST', `/v1/numbers/${numberId}/contacts/check`, {
    headers,
    json: { phoneNumbers: [plain, dialled] },
  });
  expect(check.body.data).toEqual([
    { phoneNumber: plain, onNetwork: true },
    { phoneNumber: dialled, onNetwork: true, address: own },
  ]);
  // And whom a block means.
  expect((await ask('PUT', `/v1/numbers/${numberId}/blocked/${dialled}`, { headers })).status).toBe(204);
  expect(network.asked).toContainEqual({ verb: 'contacts.block', phoneNumber: own, blocked: true });
  const json = { to: dialled, text: 'hi', sendAt: new Date(Date.now() + 3_600_000).toISOString() };
  const sent = await ask('POST', '/v1/messages/send', { headers, json });
  expect(sent).toMatchObject({ status: 202, body: { to: dialled } });
  expect(network.asked.filter(({ verb }) => verb === 'contacts.check')).toHaveLength(1);
  const listed = await eventually(async () => {
    const { body } = await ask('GET', `/v1/messages?to=${own}`, { headers });
    return body.data.length > 0 ? body.data : null;
  });
  expect(listed).toMatchObject([{ messageId: sent.body.messageId, to: dialled }]);
});

test('who stands on the opt-out list by the digits that were dialled is taken off it by those of the network', async () => {
  const account = await openAccount();
  const headers = account.owner;
  const [dialled, own] = ['5511987654321', '551187654321'];
  const added = await ask('POST', '/v1/opt-outs', { headers, json: { phoneNumber: dialled } });
  expect(added).toMatchObject({ status: 201, body: { phoneNumber: dialled } });
  await logOf(env, account.accountId).take([sent(record({ to: own, dialled }))]);
  expect((await ask('DELETE', `/v1/opt-outs/${own}`, { headers })).status).toBe(204);
  expect((await ask('GET', '/v1/opt-outs', { headers })).body.data).toEqual([]);
});

test('digits that no plan has are nobody’s as long as nobody has written from them', async () => {
  const account = await openAccount();
  const stranger = await openAccount();
  const numberId = await addConnectedNumber(account);
  await wrote(stranger, await addConnectedNumber(stranger), '9991234567890');
  const to = '9991234567890';
  const send = await ask('POST', '/v1/messages/send', { headers: account.server, json: { to, text: 'hi' } });
  expect(send).toMatchObject({
    status: 422,
    body: { error: { code: 'RECIPIENT_INVALID', details: [{ path: 'to' }] } },
  });
  const optOut = await ask('POST', '/v1/opt-outs', { headers: account.owner, json: { phoneNumber: to } });
  expect(optOut.body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: 'phoneNumber' }] });
  const check = await ask('POST', `/v1/numbers/${numberId}/contacts/check`, {
    headers: account.server,
    json: { phoneNumbers: ['628123456789', to] },
  });
  expect(check.body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: 'phoneNumbers.1' }] });
  const imported = await ask('POST', '/v1/contacts/import', {
    headers: account.owner,
    json: { contacts: [{ phoneNumber: to }], consentSource: 'shop' },
  });
  expect(imported.body.refused).toMatchObject([{ row: 1, error: { code: 'RECIPIENT_INVALID' } }]);
});
