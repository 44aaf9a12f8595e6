import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import {
  failed,
  queued,
  receipt,
  received,
  record,
  sent,
  start,
} from '../../durable/event-log/event-log-fixture.ts';
import { addConnectedNumber, ask, eventually, openAccount, type TestAccount } from '../front-door.ts';

const minute = 60_000;
const numberId = newUuid();
const minutes = (count: number) => start + count * minute;
const text = (index: number) => ({
  type: 'text' as const,
  text: `the ${['first', 'second'][index] ?? 'next'}`,
});
let account: TestAccount;
/** Five messages, oldest first. */
let ids: string[];

beforeAll(async () => {
  account = await openAccount();
  const messages = [
    record({ queuedAt: minutes(0), numberId, content: text(0) }),
    record({ queuedAt: minutes(1), content: text(1) }),
    record({ queuedAt: minutes(3), chatType: 'group', to: '120363041234567890@g.us' }),
    record({ queuedAt: minutes(4), numberId, to: '15550000002' }),
  ] as const;
  const [read, refused, toGroup, last] = messages;
  const log = logOf(env, account.accountId);
  await log.take([
    sent(read),
    receipt(read, 'read'),
    failed(refused, minutes(2)),
    received({ at: new Date(minutes(2)).toISOString() }),
    queued(toGroup),
    queued(last),
  ]);
  await logOf(env, (await openAccount()).accountId).take([queued(record())]);
  const { messages: all } = await log.messages({}, 10, null);
  ids = all.map(({ messageId }) => messageId).reverse();
});

const list = (query: string) => ask('GET', `/v1/messages${query}`, { headers: account.server });
const idsOf = (data: { messageId: string }[]) => data.map(({ messageId }) => ids.indexOf(messageId));

test.each([
  ['', [4, 3, 2, 1, 0]],
  ['?status=queued', [4, 3]],
  ['?status=failed', [1]],
  ['?status=received', [2]],
  ['?direction=inbound', [2]],
  ['?direction=outbound&status=read', [0]],
  [`?numberId=${numberId}`, [4, 0]],
  ['?to=%2B1%20(555)%20000-0002', [4]],
  ['?to=120363041234567890@g.us', [3]],
  ['?to=15550000001', [2]],
  ['?from=628123456789', [2]],
  ['?from=15550000001&to=15550000002', [4]],
  ['?type=text&direction=inbound', [2]],
  ['?since=2026-01-31T09:32:00.000Z', [4, 3, 2]],
  ['?until=2026-01-31T10:32:00%2B01:00', [1, 0]],
  ['?since=2026-01-31T09:31:00Z&until=2026-01-31T09:33:00Z', [2, 1]],
  ['?q=SECOND%20the', [1]],
  ['?q=first&status=failed', []],
  ['?status=delivered', []],
])('the list answers %j', async (query, expected) => {
  const { status, body } = await list(query);
  expect(status).toBe(200);
  expect(idsOf(body.data)).toEqual(expected);
  expect(body.nextCursor).toBeNull();
});

test('pages join without a gap, also when messages come in between', async () => {
  const first = await list('?limit=2');
  expect(idsOf(first.body.data)).toEqual([4, 3]);
  await logOf(env, account.accountId).take([queued(record({ queuedAt: minutes(5) }))]);
  const second = await list(`?limit=2&cursor=${first.body.nextCursor}`);
  expect(idsOf(second.body.data)).toEqual([2, 1]);
  const third = await list(`?limit=2&cursor=${second.body.nextCursor}`);
  expect(idsOf(third.body.data)).toEqual([0]);
  expect(third.body.nextCursor).toBeNull();
});

test.each([
  ['cursor', `?cursor=${btoa('msg_1')}`],
  ['cursor', `?cursor=${btoa(newUuid())}`],
  ['cursor', '?cursor=%00'],
  ['q', '?q=%20!%20'],
  ['q', `?q=${'a'.repeat(201)}`],
  ['type', '?type=telegram'],
])('a %s that is none is refused by name', async (parameter, query) => {
  const { status, body } = await list(query);
  expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  expect(body.error.details).toMatchObject([{ path: parameter }]);
});

test('a failed message says why, a received one who sent it', async () => {
  const one = async (index: number) =>
    (await ask('GET', `/v1/messages/${ids[index]}`, { headers: account.owner })).body;
  expect(await one(1)).toMatchObject({
    status: 'failed',
    errorMessage: 'The network refused it.',
    failedAt: '2026-01-31T09:32:00.000Z',
    sender: { phoneNumber: '15550000001' },
  });
  expect(await one(2)).toMatchObject({
    direction: 'inbound',
    from: '628123456789',
    to: '15550000001',
    receivedAt: '2026-01-31T09:32:00.000Z',
    sender: null,
  });
});

test('an accepted message can be read at once, and stands in the list as soon as the log has it', async () => {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  const sent = await ask('POST', '/v1/messages/send', {
    headers: account.server,
    json: { to: '+62 812-3456-789', text: 'hello' },
  });
  expect(sent.status).toBe(202);
  expect(sent.body).toEqual({
    messageId: expect.stringMatching(/^msg_/),
    status: 'queued',
    numberId,
    to: '628123456789',
    chatType: 'personal',
    messageType: 'text',
    queuedAt: expect.any(String),
  });
  const path = `/v1/messages/${sent.body.messageId}`;
  const record = await ask('GET', path, { headers: account.server });
  expect(record.status).toBe(200);
  expect(record.body).toMatchObject({
    direction: 'outbound',
    status: 'queued',
    text: 'hello',
    to: '628123456789',
  });
  // People are also told who made it: here an API key.
  const seen = await ask('GET', path, { headers: account.owner });
  expect(seen.body).toEqual({ ...record.body, origin: null });
  const listed = await eventually(async () => {
    const list = await ask('GET', '/v1/messages', { headers: account.server });
    return list.body.data.length === 1 && list.body.data[0];
  });
  const { heldReason, expectedAt, ...recorded } = record.body;
  expect(listed).toEqual(recorded);
  // Why it waits only its number knows.
  expect({ heldReason, expectedAt }).toEqual({ heldReason: 'not_connected', expectedAt: null });
});
