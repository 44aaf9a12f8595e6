import { evictDurableObject } from 'cloudflare:test';
import { expect, test } from 'vitest';
import type { MessageAction } from '../../../src/contract/messages/actions.ts';
import type { Fact } from '../../../src/durable/event-log/facts.ts';
import { newMessageId, providerMessageIdOf } from '../../../src/durable/new-ids.ts';
import { countOf, eventsOf, failed, newLog, queued, record, sent, start } from './event-log-fixture.ts';

const own = '15550000001';

/** A log with a message that was sent, and what is done to it by this action. */
async function withAction(
  what: { type: 'edit'; text: string } | { type: 'delete' } | { type: 'reaction'; emoji: string },
) {
  const log = newLog();
  const message = record();
  await log.take([queued(message), sent(message)]);
  const { messageId, numberId } = message;
  const target = { providerMessageId: providerMessageIdOf(messageId), isOwn: true };
  const content: MessageAction = { ...what, targetId: messageId, target };
  const action = record({ numberId, content, queuedAt: start + 60_000, isQuiet: true });
  const told = async () =>
    (await eventsOf(log)).slice(2).map(({ envelope: { event, data } }) => ({ event, data }));
  return { log, message, action, content, told };
}

test('a change shows when the network has taken it, once, and can be asked for by a device', async () => {
  const { log, message, action, content, told } = await withAction({ type: 'edit', text: 'better' });
  await log.take([queued(action)]);
  expect(await log.message(message.messageId)).toMatchObject({ editedAt: null });
  await log.take([sent(action), sent(action, action.queuedAt + 9_000)]);
  await evictDurableObject(log);
  await log.take([sent(action)]);
  expect(await log.message(message.messageId)).toMatchObject({
    content: { text: 'better' },
    editedAt: start + 60_000,
  });
  expect(await told()).toMatchObject([
    {
      event: 'message.edited',
      data: { messageId: message.messageId, direction: 'outbound', text: 'better' },
    },
  ]);
  expect(await log.sentContent(providerMessageIdOf(action.messageId))).toEqual({ content, to: action.to });
  expect(await countOf(log, 'messages')).toBe(1);
});

test('what was taken back and reacted with is told as by anybody', async () => {
  const deleted = await withAction({ type: 'delete' });
  await deleted.log.take([sent(deleted.action)]);
  expect(await deleted.told()).toMatchObject([{ event: 'message.deleted', data: { direction: 'outbound' } }]);
  const reacted = await withAction({ type: 'reaction', emoji: '👍' });
  await reacted.log.take([sent(reacted.action)]);
  expect(await reacted.told()).toMatchObject([
    { event: 'message.reaction', data: { from: own, emoji: '👍' } },
  ]);
});

test('what came to nothing changes nothing, and stands on the record with its reason, once', async () => {
  const { log, message, action, told } = await withAction({ type: 'edit', text: 'better' });
  const failure = { ...failed(action), errorCode: 'network_479' } as Fact;
  await log.take([failure, failure]);
  await evictDurableObject(log);
  await log.take([failure]);
  expect(await log.message(message.messageId)).toMatchObject({
    content: { text: 'hello' },
    status: 'sent',
    failedActions: [
      {
        action: 'edit',
        acceptedAt: action.queuedAt,
        failedAt: action.queuedAt + 1000,
        errorMessage: 'The network refused it.',
        errorCode: 'network_479',
      },
    ],
  });
  expect(await told()).toEqual([]);
});

test('of what came to nothing the last ten are kept', async () => {
  const { log, message, action } = await withAction({ type: 'delete' });
  const others = Array.from({ length: 11 }, (_, index) => ({
    ...action,
    messageId: newMessageId(),
    queuedAt: action.queuedAt + index,
  }));
  await log.take([action, ...others].map((one) => failed(one)));
  const found = await log.message(message.messageId);
  expect(found?.failedActions.map(({ acceptedAt }) => acceptedAt)).toEqual(
    others.slice(1).map(({ queuedAt }) => queuedAt),
  );
});

test('what the network has after all has not failed, whichever is told first', async () => {
  for (const failsFirst of [true, false]) {
    const { log, message, action } = await withAction({ type: 'edit', text: 'better' });
    await log.take(failsFirst ? [failed(action), sent(action)] : [sent(action), failed(action)]);
    expect(await log.message(message.messageId)).toMatchObject({
      content: { text: 'better' },
      failedActions: [],
    });
  }
});
