import { expect, test } from 'vitest';
import { newMessageId, newUuid } from '../../../src/durable/new-ids.ts';
import { findMessage, withQuoted } from '../../../src/worker/features/messages/find-message.ts';

const messageId = newMessageId();
const inLog = { messageId, status: 'queued' };

/** An account that has handed a message over, or not, and a log that knows it from the how-manyth question on. */
function holders(knownFrom: number, accepted: object | null) {
  let asked = 0;
  const message = async () => {
    asked += 1;
    return asked >= knownFrom ? inLog : null;
  };
  const ACCOUNT = { getByName: () => ({ accepted: async () => accepted }) };
  return { ACCOUNT, EVENT_LOG: { getByName: () => ({ message }) } } as unknown as Env;
}

test('a message is found while it passes from its account to the log, and one that neither has is none', async () => {
  expect(await findMessage(holders(1, null), newUuid(), messageId)).toEqual(inLog);
  // The log was asked before it came there, and the account after it had left.
  expect(await findMessage(holders(2, null), newUuid(), messageId)).toEqual(inLog);
  const accepted = { messageId, numberId: newUuid(), from: null, to: '628123456789', chatType: 'personal' };
  expect(await findMessage(holders(2, accepted), newUuid(), messageId)).toMatchObject({
    messageId,
    status: 'queued',
    peer: '628123456789',
  });
  expect(await findMessage(holders(3, null), newUuid(), messageId)).toBeNull();
});

test('of what a message answers it bears the beginning, as much as a phone shows', async () => {
  const content = { type: 'text', text: 'y'.repeat(2_000) };
  const answered = { ...inLog, content, direction: 'inbound', peer: '628123456789', peerLid: null };
  const env = { EVENT_LOG: { getByName: () => ({ message: async () => answered }) } } as unknown as Env;
  const request = { content: { type: 'text', text: 'Yes.' }, quotedMessageId: messageId };
  const quoted = await withQuoted(env, newUuid(), request as never);
  expect(quoted).toMatchObject({ ok: true, request: { content: { quoted: { text: 'y'.repeat(1_024) } } } });
});
