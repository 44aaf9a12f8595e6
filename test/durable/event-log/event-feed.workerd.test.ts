import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { EventsPage, EventsRequest } from '../../../src/durable/event-log/feed/event-reader.ts';
import {
  type FeedFrame,
  type FeedRequest,
  feedCloseCodes,
  feedPing,
  feedPong,
  feedUrl,
  unacknowledgedMax,
} from '../../../src/durable/event-log/feed/feed-frames.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { until } from '../until.ts';
import { acceptMessages, messageOf, queuedMessage, receivedMessage, tell } from './stream-facts.ts';

const everything = { events: null, numberId: null };
const openSockets: WebSocket[] = [];

afterEach(() => {
  vi.useRealTimers();
  for (const socket of openSockets.splice(0)) socket.close();
});

async function read(accountId: string, request: Partial<EventsRequest> = {}): Promise<EventsPage> {
  const whole = { after: null, limit: 1_000, filter: everything, ...request };
  const page = await env.EVENT_LOG.getByName(accountId).readEvents(whole);
  if (!page.ok) throw new Error(page.code);
  return page;
}

/** Where the log's newest event is. */
const headOf = async (accountId: string) => (await read(accountId, { after: 'now' })).nextCursor;

/** The cursor of an event. */
const placeOf = async (accountId: string, messageId: string) =>
  (await read(accountId)).data.find((event) => messageOf(event) === messageId)?.cursor ?? '';

/** A live reader that acknowledges nothing by itself. */
async function follow(accountId: string, request: Partial<FeedRequest> = {}) {
  const after = request.after ?? (await headOf(accountId));
  const url = feedUrl({ filter: everything, window: unacknowledgedMax, ...request, after });
  const response = await env.EVENT_LOG.getByName(accountId).fetch(url, { headers: { Upgrade: 'websocket' } });
  const socket = response.webSocket;
  if (socket === null) throw new Error(`answered ${response.status}: ${await response.text()}`);
  openSockets.push(socket);
  const frames: (FeedFrame & { characters: number })[] = [];
  let closeCode: number | null = null;
  let pongs = 0;
  socket.addEventListener('message', ({ data }) => {
    if (data === feedPong) pongs += 1;
    else frames.push({ ...JSON.parse(String(data)), characters: String(data).length });
  });
  socket.addEventListener('close', ({ code }) => {
    closeCode = code;
  });
  socket.accept();
  let acknowledged = 0;
  return {
    socket,
    frames,
    pongs: () => pongs,
    closeCode: () => closeCode,
    messageIds: () => frames.flatMap(({ events }) => events.map(messageOf)),
    acknowledge() {
      for (const { events, characters } of frames.slice(acknowledged)) {
        socket.send(JSON.stringify({ events: events.length, characters }));
      }
      acknowledged = frames.length;
    },
  };
}

describe('a live reader', () => {
  test('gets what is behind its place, and then what happens, each once and in order', async () => {
    const accountId = newUuid();
    const before = await acceptMessages(accountId, 3);
    const reader = await follow(accountId, { after: await placeOf(accountId, before[0] ?? '') });
    const after = await acceptMessages(accountId, 2);
    const expected = [...before.slice(1), ...after];
    await until(() => reader.messageIds().length >= expected.length);
    expect(reader.messageIds()).toEqual(expected);
    // What has become of the messages is for those who follow conversations.
    expect(reader.frames.flatMap(({ shown }) => Object.values(shown ?? {}))).toEqual([]);
  });

  test('misses nothing that happens while it connects', async () => {
    const accountId = newUuid();
    const start = await headOf(accountId);
    const [told, reader] = await Promise.all([
      Promise.all(Array.from({ length: 20 }, () => acceptMessages(accountId, 1))),
      follow(accountId, { after: start }),
    ]);
    await until(() => reader.messageIds().length >= 20);
    expect(reader.messageIds().sort()).toEqual(told.flat().sort());
    const logged = (await read(accountId, { after: start })).data.map(messageOf);
    expect(reader.messageIds()).toEqual(logged);
  });

  test('gets only the events and the number that it asked for', async () => {
    const accountId = newUuid();
    const [wanted, other] = [newUuid(), newUuid()];
    const reader = await follow(accountId, { filter: { events: ['message.sent'], numberId: wanted } });
    const mine = queuedMessage(wanted);
    const theirs = queuedMessage(other);
    const at = Date.now();
    await tell(accountId, [
      mine,
      theirs,
      { kind: 'message.sent', message: theirs.message, at },
      { kind: 'message.sent', message: mine.message, at },
    ]);
    await until(() => reader.frames.length > 0);
    expect(reader.messageIds()).toEqual([mine.message.messageId]);
  });

  test('with 1,000 events unacknowledged waits, and goes on where it was when it acknowledges', async () => {
    const accountId = newUuid();
    const reader = await follow(accountId);
    const told = await acceptMessages(accountId, 1_250);
    await until(() => reader.messageIds().length >= 1_000);
    told.push(...(await acceptMessages(accountId, 1)));
    expect(reader.messageIds()).toHaveLength(1_000);
    reader.acknowledge();
    await until(() => reader.messageIds().length >= 1_251);
    expect(reader.messageIds()).toEqual(told);
  });

  test('that waits holds up no other reader', async () => {
    const accountId = newUuid();
    const slow = await follow(accountId, { window: 1 });
    const quick = await follow(accountId);
    const told = await acceptMessages(accountId, 5);
    await until(() => quick.messageIds().length >= told.length);
    expect(quick.messageIds()).toEqual(told);
    expect(slow.messageIds()).toEqual(told.slice(0, 1));
  });

  test('loses and repeats nothing when the log is evicted midway', async () => {
    const accountId = newUuid();
    const reader = await follow(accountId);
    const told = await acceptMessages(accountId, 1_100);
    await until(() => reader.messageIds().length >= 1_000);
    await evictDurableObject(env.EVENT_LOG.getByName(accountId));
    told.push(...(await acceptMessages(accountId, 10)));
    reader.acknowledge();
    await until(() => reader.messageIds().length >= told.length);
    await evictDurableObject(env.EVENT_LOG.getByName(accountId));
    told.push(...(await acceptMessages(accountId, 10)));
    await until(() => reader.messageIds().length >= told.length);
    expect(reader.messageIds()).toEqual(told);
  });

  test('that wants nothing of what happens is told now and then how far it has come', async () => {
    const accountId = newUuid();
    const reader = await follow(accountId, { filter: { events: ['device.connected'], numberId: null } });
    await acceptMessages(accountId, 1_200);
    await until(() => reader.frames.length >= 1);
    expect(reader.frames[0]?.events).toEqual([]);
    const left = await read(accountId, { after: reader.frames[0]?.cursor ?? null });
    expect(left.data.length).toBeLessThanOrEqual(200);
  });

  test('that comes back to much that it does not want gets past it turn by turn', async () => {
    const accountId = newUuid();
    const start = await headOf(accountId);
    const [numberId, wanted] = [newUuid(), newUuid()];
    await acceptMessages(accountId, 4_500, numberId);
    const [last] = await acceptMessages(accountId, 1, wanted);
    const reader = await follow(accountId, { after: start, filter: { events: null, numberId: wanted } });
    await until(() => {
      reader.acknowledge();
      return reader.messageIds().length > 0;
    });
    expect(reader.messageIds()).toEqual([last]);
    // Each turn looked at a part.
    expect(reader.frames.length).toBeGreaterThan(2);
  });

  test('that has not been heard of for a minute is let go at the next event', async () => {
    const accountId = newUuid();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 61_000 });
    const gone = await follow(accountId);
    const pinging = await follow(accountId);
    const reading = await follow(accountId);
    const told = await acceptMessages(accountId, 1);
    await until(() => reading.messageIds().length === 1);
    vi.useRealTimers();
    pinging.socket.send(feedPing);
    await until(() => pinging.pongs() === 1);
    reading.acknowledge();
    await until(async () => (await unacknowledgedOf(accountId)).includes(0));
    told.push(...(await acceptMessages(accountId, 1)));
    await until(() => gone.closeCode() === feedCloseCodes.silent);
    for (const there of [pinging, reading]) {
      await until(() => there.messageIds().length === 2);
      expect(there.messageIds()).toEqual(told);
    }
    expect(gone.messageIds()).toHaveLength(1);
  });

  test('whose place is no longer kept is let go, so that it learns of it', async () => {
    const accountId = newUuid();
    const reader = await follow(accountId, { window: 1 });
    await acceptMessages(accountId, 3);
    await until(() => reader.messageIds().length >= 1);
    await forgetEvents(accountId);
    await acceptMessages(accountId, 1);
    await until(() => reader.closeCode() === feedCloseCodes.expired);
    expect(reader.messageIds()).toHaveLength(1);
  });

  test('is let go when it says what it may not say', async () => {
    const reader = await follow(newUuid());
    reader.socket.send('{"events":-1}');
    await until(() => reader.closeCode() === feedCloseCodes.notUnderstood);
  });
});

/** How many events each reader has not acknowledged. */
const unacknowledgedOf = (accountId: string): Promise<number[]> =>
  runInDurableObject(env.EVENT_LOG.getByName(accountId), (_, ctx) =>
    ctx.getWebSockets().map((socket) => socket.deserializeAttachment().events),
  );

/** Everything that happened so far is swept away. */
async function forgetEvents(accountId: string): Promise<void> {
  const stub = env.EVENT_LOG.getByName(accountId);
  await runInDurableObject(stub, (_, { storage }) => {
    const select = 'SELECT first_seq + count - 1 AS seq, at FROM events ORDER BY first_seq DESC LIMIT 1';
    const head = storage.sql.exec<{ seq: number; at: number }>(select).one();
    const insert = "INSERT INTO log_state (name, json) VALUES ('events.head', ?)";
    storage.sql.exec(insert, JSON.stringify(head));
    storage.sql.exec('DELETE FROM events');
  });
  await evictDurableObject(stub);
}

test('large events make a page shorter, and none is left out', async () => {
  const accountId = newUuid();
  const received = Array.from({ length: 80 }, (_, index) =>
    receivedMessage(newUuid(), index, 'x'.repeat(65_000)),
  );
  await tell(accountId, received);
  const found: string[] = [];
  let pages = 0;
  for (let after: string | null = null, hasMore = true; hasMore; pages += 1) {
    const page: EventsPage = await read(accountId, { after });
    found.push(
      ...page.data.flatMap(({ data }) => ('pushName' in data && 'text' in data ? data.pushName : [])),
    );
    ({ nextCursor: after, hasMore } = page);
  }
  expect(pages).toBeGreaterThan(1);
  expect(found).toEqual(received.map(({ message }) => message.pushName));
});
