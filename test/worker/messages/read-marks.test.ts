import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { QueryOf } from '../../../src/contract/bridge/network-queries.ts';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { received } from '../../durable/event-log/event-log-fixture.ts';
import { FakeBridge, phoneNumber } from '../../durable/phone-number/fake-bridge.ts';
import { until } from '../../durable/until.ts';
import { ask, openAccount } from '../front-door.ts';

/** A number with a conversation, and what its bridge is asked to mark as read. */
async function stage(markRead: 'always' | 'on_reply' | 'never') {
  const account = await openAccount();
  const { owner: headers } = account;
  const { numberId } = (await ask('POST', '/v1/numbers', { headers, json: { label: 'Desk' } })).body;
  await ask('PATCH', `/v1/numbers/${numberId}`, { headers, json: { markRead } });
  await phoneNumber(numberId).pair({ method: 'qr' });
  const bridge = await FakeBridge.link(numberId);
  const marked: QueryOf<'chats.read'>[] = [];
  bridge.onQuery = ({ queryId, query }) => {
    if (query.verb === 'chats.read') marked.push(query);
    bridge.say({ type: 'query.result', queryId, answer: {} });
  };
  bridge.say({ type: 'link.ready' });
  await bridge.take('session.pair');
  await bridge.tell({ type: 'session.connected', phoneNumber: '15550000031', at: new Date().toISOString() });
  const from = '628555222111';
  const log = logOf(env, account.accountId);
  const writes = (...ids: string[]) =>
    log.take(ids.map((providerMessageId) => received({ from, providerMessageId }, numberId)));
  await writes('IN0', 'IN1', 'IN2');
  // What the same person writes to another number is read there.
  await log.take([received({ from, providerMessageId: 'ELSEWHERE' }, newUuid())]);
  // And so is what they write in groups.
  const groupId = '120363041234567890@g.us';
  const inGroup = { from, chatType: 'group', groupId } as const;
  await log.take(
    ['G1', 'G2'].map((providerMessageId) => received({ ...inGroup, providerMessageId }, numberId)),
  );
  const found = await log.conversationOf({ numberId, phoneNumber: from });
  const read = () => ask('POST', `/v1/conversations/${found?.conversationId}/read`, { headers });
  return { bridge, marked, read, writes, from };
}

test('what people read in the inbox is read at the network too, once, where the number shows that always', async () => {
  const { marked, read, writes, from } = await stage('always');
  expect((await read()).status).toBe(204);
  await until(() => marked.length === 1);
  const target = (providerMessageId: string) => ({ providerMessageId, isOwn: false, author: from });
  expect(marked[0]).toEqual({
    verb: 'chats.read',
    chat: from,
    messages: [target('IN2'), target('IN1'), target('IN0')],
  });
  // Nothing is unread: nothing is marked.
  await read();
  await writes('IN3');
  await read();
  await until(() => marked.length === 2);
  expect(marked[1]?.messages).toEqual([target('IN3')]);
});

test.for(['never', 'on_reply'] as const)(
  'to read marks nothing where the number is set to %s',
  async (set) => {
    const { bridge, marked, read } = await stage(set);
    expect((await read()).status).toBe(204);
    await bridge.tell({
      type: 'session.connected',
      phoneNumber: '15550000031',
      at: new Date().toISOString(),
    });
    expect(marked).toEqual([]);
  },
);
