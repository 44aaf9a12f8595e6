import { expect, test } from 'vitest';
import type { InboundMessage } from '../../../../src/contract/bridge/bridge-frames.ts';
import { newUuid } from '../../../../src/durable/new-ids.ts';
import {
  InboundMedia,
  type InboundMediaParts,
} from '../../../../src/durable/phone-number/bridge/inbound-media.ts';
import { newNumberSql } from './number-sql.ts';

const sha256 = 'ab'.repeat(32);
const now = Date.UTC(2026, 4, 10, 12);

/** Messages that wait for their files, what the log is told of them, and whether there is a bridge to ask for the files. */
function newMedia() {
  const told: { kind: string; message: InboundMessage }[] = [];
  const link = { ready: {} as object | null };
  const parts = {
    sql: newNumberSql(),
    outbox: { add: (facts: typeof told) => told.push(...facts) },
    device: { known: { numberId: 'number', phoneNumber: '628123456789' } },
    link,
  };
  return { media: new InboundMedia(parts as unknown as InboundMediaParts), told, link };
}

/** A document as it comes, whose file is still at the network. */
const pending = (providerMessageId: string, mediaId = newUuid(), named: { fileName?: string } = {}) =>
  ({
    ...{ providerMessageId, at: new Date(now).toISOString(), chatType: 'personal' },
    ...{ from: '628555555555', pushName: '' },
    content: {
      ...{ type: 'document', secret: 'c2VjcmV0' },
      media: {
        ...{ mediaId, mimetype: 'application/x-unknown', bytes: 1, sha256, caption: 'see', ...named },
        status: 'pending',
        source: { directPath: '/f', mediaKey: btoa('k'.repeat(32)), encSha256: btoa('e'.repeat(32)) },
      },
    },
  }) as InboundMessage;

/** What the log is told of a document that the network names so, and the file store so. */
function mediaTold(named: { fileName?: string }, stored: { fileName?: string }) {
  const { media, told } = newMedia();
  const mediaId = newUuid();
  media.hold(pending('IN1', mediaId, named), now);
  media.settle(mediaId, { mediaId, mimetype: 'application/pdf', bytes: 5, sha256, ...stored });
  return (told[0]?.message.content as { media?: object } | undefined)?.media;
}

test('a document that came without a name has the name under which it is stored', () => {
  expect(mediaTold({}, { fileName: 'document.pdf' })).toMatchObject({ fileName: 'document.pdf' });
});

test('a document keeps its name and caption, and is otherwise what was stored', () => {
  const media = mediaTold({ fileName: 'Bill.pdf' }, { fileName: 'bill.pdf' });
  expect(media).toMatchObject({
    fileName: 'Bill.pdf',
    caption: 'see',
    mimetype: 'application/pdf',
    bytes: 5,
  });
  expect(media).not.toHaveProperty('source');
  expect(media).not.toHaveProperty('status');
});

test('a file that does not come is asked for ever more seldom, once an hour at least, and is given up after three days', () => {
  const { media, told } = newMedia();
  media.hold(pending('IN1'), now);
  media.tell(now + 10_000);
  const askedAt: number[] = [];
  for (let at: number | null = now; at !== null; at = media.dueAt()) {
    if (media.toAsk(at).length > 0) askedAt.push(at);
  }
  const waits = askedAt.slice(1).map((at, index) => (at - (askedAt[index] ?? 0)) / 60_000);
  expect(waits.slice(0, 8)).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  const threeDaysMs = 3 * 86_400_000;
  expect((askedAt.at(-1) ?? 0) - now).toBeLessThan(threeDaysMs);
  expect((askedAt.at(-1) ?? 0) - now).toBeGreaterThanOrEqual(threeDaysMs - 3_600_000);
  expect(told).toMatchObject([
    { kind: 'message.received', message: { content: { media: { status: 'pending' } } } },
    { kind: 'message.media', message: { content: { media: { status: 'unavailable' } } } },
  ]);
});

test('the next bridge is asked at once, and again after a minute, for twenty files at a time', () => {
  const { media, link } = newMedia();
  for (let index = 0; index < 25; index += 1) media.hold(pending(`IN${index}`), now);
  expect([media.toAsk(now).length, media.toAsk(now).length, media.toAsk(now).length]).toEqual([20, 5, 0]);
  link.ready = null;
  expect(media.dueAt()).toBe(now + 10_000);
  expect(media.toAsk(now + 60_000)).toEqual([]);
  link.ready = {};
  media.linkReady();
  const later = now + 5_000;
  expect([media.toAsk(later).length, media.toAsk(later).length]).toEqual([20, 5]);
  expect(media.toAsk(later + 59_999)).toEqual([]);
  const [frame] = media.toAsk(later + 60_000);
  expect(frame).toMatchObject({ type: 'media.fetch', message: { from: '628555555555' } });
  expect(frame).not.toHaveProperty('message.content.secret');
});

test('a message waits ten seconds for its file, or until something is done to it, and is told once', () => {
  const { media, told } = newMedia();
  for (const id of ['IN1', 'IN2', 'IN3']) media.hold(pending(id), now);
  media.tellFirst(new Set(['IN2', 'unknown']));
  media.tell(now + 9_999);
  const ids = () => told.map(({ message }) => message.providerMessageId);
  expect(ids()).toEqual(['IN2']);
  media.tell(now + 10_000);
  media.tellFirst(new Set(['IN2']));
  media.tell(now + 20_000);
  expect(ids().toSorted()).toEqual(['IN1', 'IN2', 'IN3']);
});

test('a repeat of a message changes nothing about when it is told and asked for', () => {
  const { media } = newMedia();
  const message = pending('IN1');
  media.hold(message, now);
  media.toAsk(now);
  media.hold(message, now + 5_000);
  expect([media.dueAt(), media.toAsk(now + 5_000)]).toEqual([now + 10_000, []]);
});
