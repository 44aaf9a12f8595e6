import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { failed, record } from '../../durable/event-log/event-log-fixture.ts';
import { loggedEvents } from '../../durable/event-log/logged-events.ts';
import { addConnectedNumber, ask, eventually, openAccount, type TestAccount } from '../front-door.ts';

let account: TestAccount;
const good = { to: '628123456789', text: 'hello' };
const ownPhone = '15550000001';

beforeAll(async () => {
  account = await openAccount();
  await addConnectedNumber(account, ownPhone);
});

const send = (json: object, query = '') =>
  ask('POST', `/v1/messages/send${query}`, { headers: account.server, json });
const shown = (messageId: string) => ask('GET', `/v1/messages/${messageId}`, { headers: account.server });
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

describe('a send', () => {
  test('carries a reference of the caller to the record and the events', async () => {
    const { status, body } = await send({ ...good, clientReference: 'order-1042' });
    expect(status).toBe(202);
    const messageId = String(body.messageId);
    expect((await shown(messageId)).body).toMatchObject({ clientReference: 'order-1042', sendAt: null });
    const event = await eventually(async () =>
      (await loggedEvents(account.accountId)).find(
        ({ data }) => 'messageId' in data && data.messageId === messageId,
      ),
    );
    expect(event.data).toMatchObject({ clientReference: 'order-1042' });
    expect((await send({ ...good, clientReference: 'x'.repeat(129) })).body).toMatchObject({
      error: { code: 'VALIDATION_ERROR', details: [{ path: 'clientReference' }] },
    });
  });

  test('can be for later, at most thirty days ahead, alone and in a batch', async () => {
    const sendAt = inDays(3);
    const { body } = await send({ ...good, sendAt });
    expect((await shown(String(body.messageId))).body).toMatchObject({
      status: 'queued',
      sendAt,
      heldReason: 'scheduled',
      expectedAt: sendAt,
    });
    expect((await send({ ...good, sendAt }, '?dryRun=true')).body).toMatchObject({
      accepted: true,
      heldReason: 'scheduled',
      expectedAt: sendAt,
    });
    for (const wrong of [inDays(31), 'tomorrow', '2026-13-01T00:00:00Z']) {
      expect((await send({ ...good, sendAt: wrong })).body).toMatchObject({
        error: { code: 'VALIDATION_ERROR', details: [{ path: 'sendAt' }] },
      });
      expect(await send({ ...good, sendAt: wrong }, '?dryRun=true')).toMatchObject({
        status: 400,
        body: { error: { details: [{ path: 'sendAt' }] } },
      });
    }
    const messages = [
      { ...good, sendAt, clientReference: 'a' },
      { ...good, sendAt: inDays(31) },
    ];
    const batch = await ask('POST', '/v1/messages/send-batch', {
      headers: account.server,
      json: { messages },
    });
    expect(batch.body).toMatchObject({ accepted: 1, refused: 1 });
  });

  test('with another reference or another time under one key is another request', async () => {
    const headers = { ...account.server, 'Idempotency-Key': 'one' };
    const under = (json: object) => ask('POST', '/v1/messages/send', { headers, json });
    expect((await under({ ...good, clientReference: 'a' })).status).toBe(202);
    expect((await under({ ...good, clientReference: 'b' })).status).toBe(409);
    expect((await under({ ...good, clientReference: 'a' })).status).toBe(202);
  });

  test('of blanks only is refused', async () => {
    expect((await send({ ...good, text: ' \n\t ' })).body).toMatchObject({
      error: { code: 'VALIDATION_ERROR', details: [{ path: 'text' }] },
    });
  });

  test('takes a chat as it stands in events', async () => {
    const { status, body } = await send({ ...good, to: '628123456789@s.whatsapp.net' });
    expect([status, body.to, body.chatType]).toEqual([202, '628123456789', 'personal']);
  });

  test('to a number of the account is refused, and says why', async () => {
    const refused = await send({ ...good, to: ownPhone });
    expect(refused).toMatchObject({
      status: 422,
      body: { error: { code: 'RECIPIENT_FILTERED', details: [{ path: 'to', filter: 'ownNumber' }] } },
    });
  });

  test('that is dry and to nobody who could be written to is answered with the reason', async () => {
    for (const [to, code] of [
      ['12', 'RECIPIENT_INVALID'],
      ['12345678901234@lid', 'RECIPIENT_IS_LID'],
    ]) {
      expect(await send({ ...good, to }, '?dryRun=true')).toMatchObject({
        status: 200,
        body: { dryRun: true, accepted: false, to, sender: null, reasons: [{ code }] },
      });
      expect((await send({ ...good, to })).status).toBe(422);
    }
    const nobody = { 'X-API-Key': 'sk_live_nonsense' };
    const json = { ...good, to: '12' };
    expect((await ask('POST', '/v1/messages/send?dryRun=true', { headers: nobody, json })).status).toBe(401);
  });
});

test('a message that failed says why for a program too, on its record and its event', async () => {
  const message = record();
  const fact = { ...failed(message), errorCode: 'network_463' } as Parameters<
    ReturnType<typeof logOf>['take']
  >[0][number];
  await logOf(env, account.accountId).take([fact]);
  expect((await shown(message.messageId)).body).toMatchObject({ status: 'failed', errorCode: 'network_463' });
  const events = await loggedEvents(account.accountId);
  expect(events.find(({ event }) => event === 'message.failed')?.data).toMatchObject({
    errorCode: 'network_463',
  });
});
