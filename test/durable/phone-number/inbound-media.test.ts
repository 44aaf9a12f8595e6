import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import type { InboundMessage, NumberFact } from '../../../src/contract/bridge/bridge-frames.ts';
import type { FileFacts } from '../../../src/contract/messages/media.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { loggedEvents } from '../event-log/logged-events.ts';
import { until } from '../until.ts';
import { connectedNumber, FakeBridge, phoneNumber } from './fake-bridge.ts';

const sha256 = 'ab'.repeat(32);
const source = { directPath: '/v/t62/x', mediaKey: btoa('k'.repeat(32)), encSha256: btoa('e'.repeat(32)) };

function picture(mediaId = newUuid()): InboundMessage {
  return {
    providerMessageId: newUuid(),
    at: new Date().toISOString(),
    chatType: 'personal',
    from: '628555555555',
    pushName: 'Budi',
    content: {
      type: 'image',
      media: {
        mediaId,
        mimetype: 'image/jpeg; charset=x',
        bytes: 5,
        sha256,
        caption: 'look',
        status: 'pending',
        source,
      },
    },
  };
}

const mediaIdOf = ({ content }: InboundMessage) => ('media' in content ? content.media.mediaId : '');
const fileOf = (message: InboundMessage): FileFacts => ({
  mediaId: mediaIdOf(message),
  mimetype: 'image/jpeg',
  bytes: 5,
  sha256,
  width: 2,
  height: 1,
});
const inboundEvents = async (accountId: string) =>
  (await loggedEvents(accountId)).filter(
    ({ event }) => event === 'message.received' || event === 'message.media',
  );
const isHeld = (numberId: string) =>
  runInDurableObject(
    phoneNumber(numberId),
    (_, { storage }) => storage.sql.exec('SELECT 1 FROM inbound_media').toArray().length > 0,
  );

afterEach(() => {
  vi.useRealTimers();
});

test('a message is told with its file when that is stored in time', async () => {
  const { accountId, numberId, bridge } = await connectedNumber();
  const message = picture();
  await bridge.tell({ type: 'inbound', items: [message] });
  expect(await bridge.take('media.fetch')).toEqual({ type: 'media.fetch', message });
  expect(await inboundEvents(accountId)).toEqual([]);
  await bridge.tell({ type: 'media.fetched', mediaId: mediaIdOf(message), file: fileOf(message) });
  const [event] = await until(async () => {
    const events = await inboundEvents(accountId);
    return events.length > 0 && events;
  });
  expect(event).toMatchObject({
    event: 'message.received',
    data: {
      messageType: 'image',
      text: 'look',
      media: { ...fileOf(message), caption: 'look', status: 'ready' },
    },
  });
  expect(JSON.stringify(event)).not.toContain(source.mediaKey);
  expect(await isHeld(numberId)).toBe(false);
});

test('one whose file takes longer is told after ten seconds, and the file by itself when it is there', async () => {
  const { accountId, numberId, bridge } = await connectedNumber();
  const message = picture();
  await bridge.tell({ type: 'inbound', items: [message] });
  await bridge.take('media.fetch');
  vi.setSystemTime(Date.now() + 10_001);
  await runDurableObjectAlarm(phoneNumber(numberId));
  const received = await until(async () => (await inboundEvents(accountId))[0]);
  expect(received).toMatchObject({ event: 'message.received', data: { media: { status: 'pending' } } });
  await bridge.tell({ type: 'media.fetched', mediaId: mediaIdOf(message), file: fileOf(message) });
  const settled = await until(async () => (await inboundEvents(accountId))[1]);
  expect(settled).toMatchObject({
    event: 'message.media',
    data: {
      messageId: (received as { data: { messageId: string } }).data.messageId,
      media: { mediaId: mediaIdOf(message), status: 'ready', bytes: 5 },
    },
  });
  // To say it all again changes nothing.
  await bridge.tell({ type: 'inbound', items: [message] });
  await bridge.tell({ type: 'media.fetched', mediaId: mediaIdOf(message), file: fileOf(message) });
  await until(async () => !(await isHeld(numberId)));
  expect(await inboundEvents(accountId)).toHaveLength(2);
});

test('one whose file is not to be had is told all the same', async () => {
  const { accountId, bridge } = await connectedNumber();
  const message = picture();
  await bridge.tell({ type: 'inbound', items: [message] });
  await bridge.tell({ type: 'media.fetched', mediaId: mediaIdOf(message), file: null });
  const event = await until(async () => (await inboundEvents(accountId))[0]);
  expect(event).toMatchObject({
    event: 'message.received',
    data: { text: 'look', media: { status: 'unavailable', mimetype: 'image/jpeg; charset=x' } },
  });
});

test('another bridge is asked for what the first one did not bring, also when the object has slept', async () => {
  const { accountId, numberId, bridge } = await connectedNumber();
  const message = picture();
  await bridge.tell({ type: 'inbound', items: [message] });
  await bridge.take('media.fetch');
  await evictDurableObject(phoneNumber(numberId));
  const second = await FakeBridge.link(numberId, 2);
  second.say({ type: 'link.ready' });
  expect((await second.take('media.fetch')).message).toEqual(message);
  await second.tell({ type: 'media.fetched', mediaId: mediaIdOf(message), file: fileOf(message) });
  expect(await until(async () => (await inboundEvents(accountId))[0])).toMatchObject({
    data: { media: { status: 'ready' } },
  });
});

test('a bridge that says nothing is asked again after a minute, and given up after days', async () => {
  const { accountId, numberId, bridge } = await connectedNumber();
  const message = picture();
  await bridge.tell({ type: 'inbound', items: [message] });
  await bridge.take('media.fetch');
  const start = Date.now();
  vi.setSystemTime(start + 61_000);
  await runDurableObjectAlarm(phoneNumber(numberId));
  await bridge.take('media.fetch');
  vi.setSystemTime(start + 3 * 24 * 3_600_000 + 1000);
  await runDurableObjectAlarm(phoneNumber(numberId));
  const events = await until(async () => {
    const told = await inboundEvents(accountId);
    return told.length === 2 && told;
  });
  expect(events).toMatchObject([
    { event: 'message.received', data: { media: { status: 'pending' } } },
    { event: 'message.media', data: { media: { status: 'unavailable' } } },
  ]);
});

test('what is done to a message that waits for its file is told behind it, at once', async () => {
  const { accountId, bridge } = await connectedNumber();
  const [first, second] = [picture(), picture()];
  const deleted = ({ providerMessageId, from, at }: InboundMessage): NumberFact => {
    const target = { providerMessageId, isOwn: false, author: from };
    return {
      type: 'changes',
      items: [{ change: 'deleted', chatType: 'personal', chat: from, from, at, target }],
    };
  };
  await bridge.tell({ type: 'inbound', items: [first] });
  await bridge.tell(deleted(first));
  // The same where all of it comes at once.
  bridge.say({ type: 'fact', seq: 50, after: 0, fact: { type: 'inbound', items: [second] } });
  bridge.say({ type: 'fact', seq: 51, after: 50, fact: deleted(second) });
  const events = await until(async () => {
    const told = (await loggedEvents(accountId)).filter(({ event }) => event.startsWith('message.'));
    return told.length === 4 && told;
  });
  expect(events.map(({ event }) => event)).toEqual([
    ...['message.received', 'message.deleted', 'message.received', 'message.deleted'],
  ]);
  await bridge.tell({ type: 'media.fetched', mediaId: mediaIdOf(second), file: fileOf(second) }, 52);
  const last = await until(async () => {
    const told = await inboundEvents(accountId);
    return told.length === 3 && told.at(-1);
  });
  expect(last).toMatchObject({ event: 'message.media', data: { media: { status: 'ready' } } });
});
