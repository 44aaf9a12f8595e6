import { afterEach, expect, test, vi } from 'vitest';
import { addConnectedNumber, ask, openAccount, reportToAccount, type TestAccount } from '../front-door.ts';

const message = { to: '628123456789', text: 'hello' };

afterEach(() => vi.restoreAllMocks());

/** The lines of accepted sends from here on. */
function sendLines(): { messageId?: string; numberId?: string; source?: string }[] {
  const lines: Record<string, string>[] = [];
  vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(JSON.parse(String(line))));
  return lines;
}

async function pinnedKey(account: TestAccount, pinnedNumberId: string, onPinFailure: 'strict' | 'fallback') {
  const json = { name: 'pinned', pinnedNumberId, onPinFailure };
  const { body } = await ask('POST', '/v1/auth/api-keys', { headers: account.owner, json });
  return { id: body.id as string, headers: { 'X-API-Key': body.key as string } };
}

function takeDown(account: TestAccount, numberId: string): Promise<void> {
  return reportToAccount(account, numberId, {
    revision: 2_000,
    state: 'disconnected',
    health: { status: 'unavailable', reason: 'The connection to the network was lost.', until: null },
  });
}

test('a key with a fallback goes silently to the pool, and its record and its log line say so', async () => {
  const account = await openAccount();
  const pin = await addConnectedNumber(account, '15550000001');
  const other = await addConnectedNumber(account, '15550000002');
  const strict = await pinnedKey(account, pin, 'strict');
  const fallback = await pinnedKey(account, pin, 'fallback');
  const lines = sendLines();
  const send = (headers: Record<string, string>) =>
    ask('POST', '/v1/messages/send', { headers, json: message });
  expect(await send(fallback.headers)).toMatchObject({ status: 202, body: { numberId: pin } });
  await takeDown(account, pin);
  expect(await send(strict.headers)).toMatchObject({
    status: 503,
    body: { error: { code: 'SENDER_UNAVAILABLE' } },
  });
  const { body } = await send(fallback.headers);
  expect(body).toEqual({
    messageId: expect.any(String),
    status: 'queued',
    numberId: other,
    to: message.to,
    chatType: 'personal',
    messageType: 'text',
    queuedAt: expect.any(String),
  });
  const record = await ask('GET', `/v1/messages/${body.messageId}`, { headers: account.server });
  expect(record.body.sender).toMatchObject({ numberId: other, source: 'pinned_fallback' });
  expect(lines.find(({ messageId }) => messageId === body.messageId)).toMatchObject({
    numberId: other,
    source: 'pinned_fallback',
  });
});

test('a changed pin, and a pin whose number is deleted, hold from the next send on', async () => {
  const account = await openAccount();
  const [first, second] = [
    await addConnectedNumber(account, '15550000001'),
    await addConnectedNumber(account, '15550000002'),
  ];
  const key = await pinnedKey(account, first, 'fallback');
  const lines = sendLines();
  // As it was chosen: these numbers send nothing, and what waits for them may move on before it can be read.
  const sender = async () => {
    const { body } = await ask('POST', '/v1/messages/send', { headers: key.headers, json: message });
    return [body.numberId, lines.find(({ messageId }) => messageId === body.messageId)?.source];
  };
  expect(await sender()).toEqual([first, 'pinned']);
  await ask('PATCH', `/v1/auth/api-keys/${key.id}`, {
    headers: account.owner,
    json: { pinnedNumberId: second },
  });
  expect(await sender()).toEqual([second, 'pinned']);
  await ask('DELETE', `/v1/numbers/${second}`, { headers: account.owner });
  expect(await sender()).toEqual([first, 'pinned_fallback']);
});
