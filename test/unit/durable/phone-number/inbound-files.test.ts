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

/** What the log is told of a document that the network names so, and the file store so. */
function mediaTold(named: { fileName?: string }, stored: { fileName?: string }) {
  const told: unknown[] = [];
  const parts = {
    sql: newNumberSql(),
    outbox: { add: (facts: object[]) => told.push(...facts) },
    device: { known: { numberId: 'number', phoneNumber: '628123456789' } },
    link: { ready: null },
  };
  const media = new InboundMedia(parts as unknown as InboundMediaParts);
  const mediaId = newUuid();
  const message: InboundMessage = {
    ...{ providerMessageId: 'IN1', at: new Date(now).toISOString(), chatType: 'personal' },
    ...{ from: '628555555555', pushName: '' },
    content: {
      type: 'document',
      media: {
        ...{ mediaId, mimetype: 'application/x-unknown', bytes: 1, sha256, caption: 'see', ...named },
        status: 'pending',
        source: { directPath: '/f', mediaKey: btoa('k'.repeat(32)), encSha256: btoa('e'.repeat(32)) },
      },
    },
  };
  media.hold(message, now);
  media.settle(mediaId, { mediaId, mimetype: 'application/pdf', bytes: 5, sha256, ...stored });
  const [fact] = told as { message: { content: { media: object } } }[];
  return fact?.message.content.media;
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
