import { runInDurableObject } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { ContextMessages } from '../../../src/durable/event-log/assistants/turns/context-messages.ts';
import type { ContactRows } from '../../../src/durable/event-log/contacts/contact-rows.ts';
import type { Conversation } from '../../../src/durable/event-log/conversations/conversation.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { failed, newLog, queued, received, record, sent } from '../event-log/event-log-fixture.ts';

const customer = '628123456789';
const text = (words: string) => ({ content: { type: 'text' as const, text: words } });

test('an assistant knows what was said in its conversation, of no other number, of no group, and of nothing that failed', async () => {
  const [numberId, other] = [newUuid(), newUuid()];
  const log = newLog();
  const [said, lost] = [record({ numberId, ...text('said') }), record({ numberId, ...text('lost') })];
  const group = { chatType: 'group' as const, groupId: '120363000000000000@g.us' };
  await log.take([
    received({ from: customer, ...text('to this number') }, numberId),
    received({ from: customer, ...text('to another number') }, other),
    received({ from: customer, ...group, ...text('in a group') }, numberId),
    ...[queued(said), sent(said), queued(lost), failed(lost)],
  ]);
  const contacts = { digitsOf: () => [customer] } as unknown as ContactRows;
  const known = await runInDurableObject(log, (_, { storage }) =>
    new ContextMessages(storage.sql, contacts).since({ numberId } as Conversation, 0, {
      toAnswer: [],
      begunAt: 0,
    }),
  );
  expect(known.shown.map((message) => [message.from, message.text]).sort()).toEqual([
    ['business', 'said'],
    ['contact', 'to this number'],
  ]);
  expect(known.before).toEqual([]);
});
