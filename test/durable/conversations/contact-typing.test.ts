import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { feedUrl } from '../../../src/durable/event-log/feed/feed-frames.ts';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { received } from '../event-log/event-log-fixture.ts';
import { connectedNumber, type FakeBridge, phoneNumber } from '../phone-number/fake-bridge.ts';
import { until } from '../until.ts';

const customer = '628555000777';

/** What somebody hears who follows conversations. */
async function follow(accountId: string) {
  const filter = { events: null, numberId: null };
  const url = feedUrl({ after: 'now', filter, window: 100, viewerId: newUuid() });
  const { webSocket } = await logOf(env, accountId).fetch(url, { headers: { Upgrade: 'websocket' } });
  if (webSocket === null) throw new Error('the log does not take it');
  const typing: unknown[] = [];
  const frames: unknown[] = [];
  webSocket.addEventListener('message', ({ data }) => {
    const frame = JSON.parse(String(data));
    frames.push(frame);
    typing.push(...(frame.presence?.typing ?? []));
  });
  webSocket.accept();
  return { typing, frames, close: () => webSocket.close() };
}

test('whoever follows conversations hears that the other side types', async () => {
  const { accountId, numberId, bridge } = await connectedNumber();
  await logOf(env, accountId).take([received({ from: customer }, numberId)]);
  const conversationId = (await logOf(env, accountId).conversationOf({ numberId, phoneNumber: customer }))
    ?.conversationId;
  const seeing = await follow(accountId);
  const eventsBefore = (await logOf(env, accountId).readEvents({
    after: null,
    limit: 100,
    filter: { events: null, numberId: null },
  })) as { data: unknown[] };
  for (const state of ['typing', 'recording', 'paused'] as const)
    bridge.say({ type: 'chat.typing', phoneNumber: customer, state });
  // Of somebody with whom there is no conversation, nothing is told.
  bridge.say({ type: 'chat.typing', lid: '999', state: 'typing' });
  await until(() => seeing.typing.length >= 3);
  const one = { conversationId, numberId, until: expect.any(Number) };
  expect(seeing.typing).toEqual(['typing', 'recording', 'paused'].map((state) => ({ ...one, state })));
  // It is kept nowhere.
  const eventsAfter = await logOf(env, accountId).readEvents({
    after: null,
    limit: 100,
    filter: { events: null, numberId: null },
  });
  expect(eventsAfter).toMatchObject({ data: eventsBefore.data });
  seeing.close();
});

test('a bridge is asked to watch a chat, and not while the number is not connected', async () => {
  const watched = (bridge: FakeBridge) =>
    bridge.heard.flatMap((frame) =>
      frame.type === 'query' && frame.query.verb === 'chats.watch' ? [frame.query.chat] : [],
    );
  const { numberId, bridge } = await connectedNumber('628123456700');
  await phoneNumber(numberId).watchChat(customer);
  await until(() => watched(bridge).length > 0);
  const lastSeenAt = new Date().toISOString();
  await bridge.tell({ type: 'session.disconnected', reason: 'connection_lost', lastSeenAt });
  await phoneNumber(numberId).watchChat(customer);
  await phoneNumber(numberId).device();
  expect(watched(bridge)).toEqual([customer]);
});
