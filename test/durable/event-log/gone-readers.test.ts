import { expect, test } from 'vitest';
import type { EventRows } from '../../../src/durable/event-log/events/event-rows.ts';
import { Feed } from '../../../src/durable/event-log/feed/feed.ts';

/** A socket of somebody who follows everything, in this state. */
function socketIn(readyState: number) {
  const sent: unknown[] = [];
  let reader: unknown = {
    filter: { events: null, numberId: null },
    ...{ seq: 0, events: 0, characters: 0, window: 100, passedOver: 0, heardAt: Date.now() },
    ...{ viewerId: `viewer-${readyState}`, followsAlerts: true },
  };
  const socket = {
    readyState,
    send: (text: string) => sent.push(JSON.parse(text)),
    close: () => {},
    serializeAttachment: (next: unknown) => {
      reader = next;
    },
    deserializeAttachment: () => reader,
  };
  return { sent, socket: socket as unknown as WebSocket };
}

test('whoever is gone is sent no events, no alerts and nobody’s presence, nothing is read for them, and they are not there', async () => {
  const [here, closing, gone] = [WebSocket.OPEN, WebSocket.CLOSING, WebSocket.CLOSED].map(socketIn);
  const readers = [closing, gone, here].flatMap((one) => one ?? []);
  const reads: number[] = [];
  const envelope = { id: 'evt_1', event: 'message.sent', timestamp: '', data: {} };
  const rows = {
    ...{ oldest: 1, head: 1, earlier: [] },
    read: (after: number) => {
      reads.push(after);
      return [{ seq: 1, envelope }];
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
  feed.wake();
  feed.alertsMoved();
  await Promise.resolve();
  feed.tellViewers([]);
  expect(here?.sent).toMatchObject([{ events: [envelope] }, { alerts: true }, { presence: {} }]);
  expect([closing?.sent, gone?.sent]).toEqual([[], []]);
  expect(reads).toEqual([0]);
  expect(feed.viewers()).toEqual([`viewer-${WebSocket.OPEN}`]);
});
