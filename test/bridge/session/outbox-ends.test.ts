import { expect, test } from 'vitest';
import type { OutboundMessage } from '../../../src/contract/bridge/bridge-frames.ts';
import { HandOverError } from '../../../src/session-bridge/network/connection/connection.ts';
import {
  connection,
  crash,
  graceMs,
  makeMessage,
  outcomes,
  reports,
  settle,
  stage,
  useOutbox,
  withFile,
} from './outbox-stage.ts';

useOutbox();

const idsOf = (...messages: OutboundMessage[]) => messages.map(({ providerMessageId }) => providerMessageId);

test('what comes while the session connects waits for it, and what comes while it is down goes back', async () => {
  const [early, meanwhile] = [makeMessage(), makeMessage()];
  stage.outbox.lost();
  stage.outbox.accept([early]);
  stage.outbox.expectConnection();
  stage.outbox.accept([meanwhile]);
  expect(outcomes()).toEqual(['returned']);
  stage.outbox.opened(connection);
  await settle();
  expect(stage.handed).toEqual(idsOf(meanwhile));
});

test('what another bridge may have sent is in doubt after a crash too, before anything was handed over here', async () => {
  const message = makeMessage('another');
  stage.outbox.accept([message]);
  crash();
  stage.outbox.opened(connection);
  stage.outbox.caughtUp();
  stage.outbox.accept([{ ...message, handedTo: 'you', handOver: 2 }]);
  await settle(graceMs - 1);
  expect([stage.handed, stage.repeated]).toEqual([[], 0]);
  await settle(1);
  expect([stage.handed, stage.repeated]).toEqual([idsOf(message), 1]);
});

test('that receipts are in is worth nothing before the connection that brings them', async () => {
  stage.outbox.caughtUp();
  stage.outbox.accept([makeMessage('another')]);
  stage.outbox.opened(connection);
  await settle(2 * graceMs);
  expect(stage.handed).toEqual([]);
});

test('what the recipient says of a message counts where the edge asks about it later', async () => {
  const message = makeMessage('another');
  stage.outbox.opened(connection);
  stage.outbox.proven(message.providerMessageId, false);
  stage.outbox.accept([message]);
  expect(outcomes()).toEqual(['sent']);
});

test('of messages that nobody here knows only the copies of the own phone are kept on disk', () => {
  const kept = () => stage.db.all('SELECT * FROM outbound').length;
  stage.outbox.proven('3EB0AA', false);
  stage.outbox.acknowledged('3EB0AA', null);
  stage.outbox.acknowledged('3EB0AA', '463');
  expect([kept(), reports()]).toEqual([0, []]);
  stage.outbox.proven('3EB0AA', true);
  expect(kept()).toBe(1);
});

test('to whom a message went is known as long as the journal has it', async () => {
  const message = makeMessage();
  stage.outbox.opened(connection);
  stage.outbox.accept([message]);
  await settle();
  const recipient = () => stage.outbox.recipientOf(message.providerMessageId);
  expect(recipient()).toBe(message.to);
  stage.outbox.acknowledged(message.providerMessageId, null);
  crash();
  expect([recipient(), stage.outbox.recipientOf('3EB0AA')]).toEqual([message.to, null]);
});

test('files are brought while a text before them is typed, be they given before the session is open or after', async () => {
  const typed = { ...makeMessage(), typingMs: 3_000 };
  stage.outbox.accept([typed, withFile('62822')]);
  stage.outbox.opened(connection);
  await settle(1_000);
  expect([stage.typedTo.length, stage.bringing.length]).toEqual([1, 1]);
  stage.outbox.accept([withFile('62833')]);
  await settle(1_000);
  expect([stage.handed, stage.bringing.length]).toEqual([[], 2]);
});

test('the wait of a message that could not be prepared is twice as long the second time, whatever comes meanwhile', async () => {
  stage.failWith = new HandOverError(new Error('item-not-found'), 'unprepared');
  const message = makeMessage();
  stage.outbox.opened(connection);
  stage.outbox.accept([message]);
  await settle(10);
  stage.failWith = null;
  await settle(10);
  stage.outbox.caughtUp();
  await settle(9);
  expect(stage.handed).toEqual([]);
  await settle(1);
  expect(stage.handed).toEqual(idsOf(message));
});

test('a shutdown ends when what is on its way turns out not to leave, or its connection is lost', async () => {
  const { promise, reject } = Promise.withResolvers<void>();
  stage.outbox.opened({ ...connection, send: () => promise });
  stage.outbox.accept([makeMessage()]);
  await settle();
  const drained = stage.outbox.drain();
  reject(new HandOverError(new Error('item-not-found'), 'unprepared'));
  await drained;
  // It is on no wait of this bridge: somebody else sends it.
  expect([outcomes(), stage.outbox.hasMessages]).toEqual([['returned'], false]);
  crash();
  stage.outbox.opened(connection);
  stage.outbox.accept([makeMessage()]);
  await settle();
  const cutShort = stage.outbox.drain();
  stage.outbox.lost();
  await cutShort;
  expect(outcomes()).toEqual(['returned']);
});

test('a shutdown that is cut short ends at once', async () => {
  stage.outbox.opened(connection);
  stage.outbox.accept([makeMessage()]);
  await settle();
  const drained = stage.outbox.drain();
  stage.outbox.dispose();
  await drained;
  expect(stage.outbox.hasMessages).toBe(false);
});

test('what may have left is not handed over once more during a shutdown', async () => {
  stage.outbox.opened(connection);
  stage.outbox.caughtUp();
  stage.outbox.accept([makeMessage('another')]);
  const drained = stage.outbox.drain();
  await settle(2 * graceMs);
  await drained;
  stage.outbox.accept([withFile('62822')]);
  expect([stage.handed, stage.bringing, outcomes()]).toEqual([[], [], ['returned']]);
});

test('what was refused fails with a sentence, also where it could not be found out if it may go another way', async () => {
  const { promise, reject } = Promise.withResolvers<boolean>();
  stage.chance = promise;
  const message = makeMessage();
  stage.outbox.opened(connection);
  stage.outbox.accept([message]);
  await settle();
  stage.outbox.acknowledged(message.providerMessageId, '463');
  reject(new Error('Connection Closed'));
  await settle();
  expect(reports()).toMatchObject([{ outcome: 'failed', code: '463', errorMessage: expect.any(String) }]);
});
