import { expect, test } from 'vitest';
import type { EventRows, StoredEvent } from '../../../src/durable/event-log/events/event-rows.ts';
import { Feed } from '../../../src/durable/event-log/feed/feed.ts';
import { feedCloseCodes } from '../../../src/durable/event-log/feed/feed-frames.ts';

/** A socket of somebody who follows everything, in this state. */
function socketIn(readyState: number, more: object = {}) {
  const sent: unknown[] = [];
  const closed: number[] = [];
  let reader: unknown = {
    filter: { events: null, numberId: null },
    ...{ seq: 0, events: 0, characters: 0, window: 100, passedOver: 0, heardAt: Date.now() },
    ...{ viewerId: `viewer-${readyState}`, followsAlerts: true },
    ...more,
  };
  const socket = {
    readyState,
    send: (text: string) => sent.push(JSON.parse(text)),
    close: (code: number) => closed.push(code),
    serializeAttachment: (next: unknown) => {
      reader = next;
    },
    deserializeAttachment: () => reader,
  };
  return { sent, closed, socket: socket as unknown as WebSocket };
}

/** The feed of a log with these events, ten in each answer, and of these readers; `reads` is where it has read so far. */
function feedOf(readers: { socket: WebSocket }[], events: StoredEvent[]) {
  const reads: number[] = [];
  const rows = {
    ...{ oldest: 1, earlier: [] },
    get head() {
      return events.length;
    },
    read: (after: number, limit: number) => {
      reads.push(after);
      return events.slice(after, after + Math.min(limit, 10));
    },
  };
  const ctx = {
    setWebSocketAutoResponse: () => {},
    getWebSocketAutoResponseTimestamp: () => null,
    getWebSockets: () => readers.map(({ socket }) => socket),
  };
  const feed = new Feed(
    ctx as unknown as DurableObjectState,
    rows as unknown as EventRows,
    'generation',
    () => null,
  );
  return { feed, reads };
}

const eventAt = (seq: number, text = '') =>
  ({ seq, envelope: { id: `evt_${seq}`, event: 'message.sent', timestamp: '', data: { text } } }) as never;

test('whoever is gone is sent no events, no alerts and nobody’s presence, nothing is read for them, and they are not there', async () => {
  const [here, closing, gone] = [WebSocket.OPEN, WebSocket.CLOSING, WebSocket.CLOSED].map((state) =>
    socketIn(state),
  );
  const readers = [closing, gone, here].flatMap((one) => one ?? []);
  const { feed, reads } = feedOf(readers, [eventAt(1)]);
  feed.wake();
  feed.alertsMoved();
  await Promise.resolve();
  feed.tellViewers([]);
  expect(here?.sent).toMatchObject([{ events: [{ id: 'evt_1' }] }, { alerts: true }, { presence: {} }]);
  expect([closing?.sent, gone?.sent]).toEqual([[], []]);
  expect(reads).toEqual([0]);
  expect(feed.viewers()).toEqual([`viewer-${WebSocket.OPEN}`]);
});

test('a reader hears of alerts, and of who is where, when it has asked for that; two pages of somebody are one person', async () => {
  const plain = socketIn(WebSocket.OPEN, { viewerId: null, followsAlerts: false });
  const pages = ['first', 'second'].map(() => socketIn(WebSocket.OPEN, { viewerId: 'ada' }));
  const { feed } = feedOf([plain, ...pages], []);
  feed.alertsMoved();
  await Promise.resolve();
  feed.tellViewers([]);
  expect(plain.sent).toEqual([]);
  const presence = { conversations: [], online: ['ada'] };
  for (const { sent } of pages) expect(sent).toEqual([{ alerts: true }, { presence }]);
});

test('a reader that cannot be sent to is let go, and the others get what happens', () => {
  const [broken, other] = [socketIn(WebSocket.OPEN), socketIn(WebSocket.OPEN)];
  broken.socket.send = () => {
    throw new Error('the network is away');
  };
  feedOf([broken, other], [eventAt(1)]).feed.wake();
  expect(broken.closed).toEqual([feedCloseCodes.fault]);
  expect(other.sent).toMatchObject([{ events: [{ id: 'evt_1' }] }]);
});

test('a reader that acknowledges nothing is sent some megabytes, and goes on with its acknowledgement', () => {
  const events = Array.from({ length: 90 }, (_, index) => eventAt(index + 1, 'x'.repeat(100_000)));
  const slow = socketIn(WebSocket.OPEN);
  const { feed } = feedOf([slow], events);
  const sent = () => (slow.sent as { events: unknown[] }[]).flatMap((frame) => frame.events).length;
  feed.wake();
  expect(sent()).toBe(40);
  feed.message(slow.socket, JSON.stringify({ events: 10, characters: 1_000_000 }));
  expect(sent()).toBe(50);
});

test('a reader whose room is used up is sent as many more events as it has acknowledged', () => {
  const events = Array.from({ length: 30 }, (_, index) => eventAt(index + 1));
  const reader = socketIn(WebSocket.OPEN, { window: 10 });
  const { feed } = feedOf([reader], events);
  const sent = () => (reader.sent as { events: unknown[] }[]).flatMap((frame) => frame.events).length;
  feed.wake();
  expect(sent()).toBe(10);
  for (const acknowledged of [1, 3]) {
    feed.message(reader.socket, JSON.stringify({ events: acknowledged, characters: 0 }));
  }
  expect(sent()).toBe(14);
});

test('a reader that wants nothing of it is told how far it has come after a thousand events, and not with each', () => {
  const events = Array.from({ length: 1_000 }, (_, index) => eventAt(index + 1));
  const filter = { events: ['device.connected'], numberId: null };
  const reader = socketIn(WebSocket.OPEN, { filter });
  const { feed } = feedOf([reader], events);
  feed.wake();
  expect(reader.sent).toMatchObject([{ events: [], hasMore: false }]);
  events.push(eventAt(1_001));
  feed.wake();
  expect(reader.sent).toHaveLength(1);
});
