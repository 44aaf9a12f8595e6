import { evictAllDurableObjects } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { FakeBridge } from '../../durable/phone-number/fake-bridge.ts';
import { ask, eventually, openAccount, type TestAccount } from '../front-door.ts';

const now = () => new Date().toISOString();

/** A number of the account that is paired and connected through a bridge of its own. */
async function pairedNumber(account: TestAccount, phoneNumber: string, pacing: object) {
  const { body } = await ask('POST', '/v1/numbers', { headers: account.owner, json: { label: 'Sales' } });
  const { numberId } = body;
  const path = `/v1/numbers/${numberId}`;
  await ask('PATCH', path, { headers: account.owner, json: { pacing } });
  await ask('POST', `${path}/pair`, { headers: account.owner, json: { method: 'qr' } });
  const bridge = await FakeBridge.link(numberId);
  bridge.say({ type: 'link.ready' });
  await bridge.take('session.pair');
  await bridge.tell({ type: 'session.connected', phoneNumber, at: now() });
  await eventually(async () => {
    const { body: listed } = await ask('GET', '/v1/numbers', { headers: account.server });
    const number = listed.data.find((it: { numberId: string }) => it.numberId === numberId);
    const dry = await ask('POST', '/v1/messages/send?dryRun=true', {
      headers: account.server,
      json: { to: '628123456789', text: 'hello', senderHint: numberId },
    });
    return number.health === 'healthy' && dry.body.sender?.source === 'hint';
  });
  return { numberId, bridge };
}

test('a message that waits for its turn says so, and when its number is logged out another one of the pool sends it', async () => {
  const account = await openAccount();
  const slow = await pairedNumber(account, '15550000001', { minDelayMs: 100_000, maxDelayMs: 100_000 });
  const fast = await pairedNumber(account, '15550000002', { minDelayMs: 0, maxDelayMs: 0 });
  const send = async (to: string) => {
    const json = { to, text: 'hello', senderHint: slow.numberId };
    const sent = await ask('POST', '/v1/messages/send', { headers: account.server, json });
    expect(sent).toMatchObject({ status: 202, body: { numberId: slow.numberId } });
    return sent.body.messageId;
  };
  const record = async (messageId: string) =>
    (await ask('GET', `/v1/messages/${messageId}`, { headers: account.server })).body;

  const first = await send('628123456701');
  const [handed] = (await slow.bridge.take('send')).messages;
  expect(handed?.messageId).toBe(first);
  await slow.bridge.tell({
    type: 'send.outcomes',
    items: [{ outcome: 'sent', messageId: first, handOver: 1, at: now() }],
  });
  const second = await send('628123456702');
  const waiting = await record(second);
  expect(waiting).toMatchObject({ status: 'queued', heldReason: 'pacing', numberId: slow.numberId });
  expect(Date.parse(waiting.expectedAt)).toBeGreaterThan(Date.now() + 60_000);

  await evictAllDurableObjects();
  await slow.bridge.tell({ type: 'session.ended', reason: 'logged_out_by_phone', at: now() });
  const [moved] = (await fast.bridge.take('send')).messages;
  expect(moved).toMatchObject({ messageId: second, to: '628123456702', handedTo: null });
  await fast.bridge.tell({
    type: 'send.outcomes',
    items: [{ outcome: 'sent', messageId: second, handOver: 1, at: now() }],
  });
  const shown = await eventually(async () => {
    const { status, ...rest } = await record(second);
    return status === 'sent' && rest;
  });
  expect(shown).toMatchObject({
    numberId: fast.numberId,
    sender: { numberId: fast.numberId, phoneNumber: '15550000002', source: 'hint_fallback' },
    heldReason: null,
    expectedAt: null,
  });
  expect(slow.bridge.heard.filter(({ type }) => type === 'send')).toEqual([]);
  const usage = await ask('GET', '/v1/usage', { headers: account.owner });
  expect(usage.body).toMatchObject({ used: 2 });
  expect(usage.body.byNumber).toHaveLength(2);
});

test('the time after which messages move is a setting of the account, and holds for a number that is away already', async () => {
  const account = await openAccount();
  const unpaced = { minDelayMs: 0, maxDelayMs: 0 };
  const away = await pairedNumber(account, '15550000001', { minDelayMs: 100_000, maxDelayMs: 100_000 });
  const other = await pairedNumber(account, '15550000002', unpaced);
  const change = (json: object) => ask('PATCH', '/v1/settings', { headers: account.owner, json });
  expect(await change({ rerouteAfterMs: 3_600_000 })).toMatchObject({ body: { rerouteAfterMs: 3_600_000 } });
  const sent: string[] = [];
  for (const to of ['628123456701', '628123456702']) {
    const json = { to, text: 'hello', senderHint: away.numberId };
    const { body } = await ask('POST', '/v1/messages/send', { headers: account.server, json });
    expect(body.numberId).toBe(away.numberId);
    sent.push(body.messageId);
  }
  await away.bridge.take('send');
  await away.bridge.tell({ type: 'session.disconnected', reason: 'connection_lost', lastSeenAt: now() });
  await change({ rerouteAfterMs: 0 });
  const [moved] = (await other.bridge.take('send')).messages;
  expect(moved?.messageId).toBe(sent[1]);
});

test('a dry run of an answer does not wait for another day, where that of a new chat does', async () => {
  const account = await openAccount();
  const unpaced = { minDelayMs: 0, maxDelayMs: 0 };
  const { bridge } = await pairedNumber(account, '15550000001', { ...unpaced, dailyLimit: 1 });
  const post = (path: string, to: string) =>
    ask('POST', `/v1/messages/${path}`, { headers: account.server, json: { to, text: 'hello' } });
  expect(await post('send', '628123456701')).toMatchObject({ status: 202 });
  await bridge.take('send');
  const wrote = {
    ...{ providerMessageId: '3EB0AA', at: now(), chatType: 'personal' as const, from: '628123456702' },
    ...{ pushName: '', content: { type: 'text' as const, text: 'hello?' } },
  };
  await bridge.tell({ type: 'inbound', items: [wrote] });
  const answer = await eventually(async () => {
    const { body } = await post('send?dryRun=true', '628123456702');
    return body.heldReason === 'daily_limit' ? undefined : body;
  });
  expect(answer).toMatchObject({ accepted: true, heldReason: null });
  expect(Date.parse(answer.expectedAt)).toBeLessThanOrEqual(Date.now());
  const { body } = await post('send?dryRun=true', '628123456703');
  expect(body).toMatchObject({ accepted: true, heldReason: 'daily_limit' });
});
