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
} from './outbox-stage.ts';

useOutbox();

test('a message is handed over once the session is open, and is sent when the network says so', async () => {
  const message = makeMessage();
  stage.outbox.accept([message]);
  await settle();
  expect(stage.handed).toEqual([]);
  stage.outbox.opened(connection);
  await settle();
  expect(stage.handed).toEqual([message.providerMessageId]);
  expect(outcomes()).toEqual([]);
  stage.outbox.acknowledged(message.providerMessageId, null);
  expect(outcomes()).toEqual(['sent']);
});

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const traced = () => ({ ...makeMessage(), traceparent: `00-${traceId}-00f067aa0ba902b7-01` });

test('what the bridge does with a message that belongs to a trace is in its log by that trace', async () => {
  const [taken, refused] = [traced(), traced()];
  stage.outbox.opened(connection);
  stage.outbox.accept([taken, refused]);
  await settle();
  stage.outbox.acknowledged(taken.providerMessageId, null);
  stage.outbox.acknowledged(refused.providerMessageId, '479');
  const of = ({ messageId }: OutboundMessage, msg: string) => ({ messageId, msg, traceId });
  expect(stage.logged).toMatchObject([
    of(taken, 'send.handed_over'),
    of(refused, 'send.handed_over'),
    { ...of(taken, 'send.resolved'), outcome: 'sent' },
    { ...of(refused, 'send.refused'), errorCode: '479' },
    { ...of(refused, 'send.resolved'), outcome: 'failed' },
  ]);
});

test('a hand-over that fails is in the log by the trace of its message', async () => {
  stage.failWith = new HandOverError(new Error('Timed Out'), 'uncertain');
  const message = traced();
  stage.outbox.opened(connection);
  stage.outbox.accept([message]);
  await settle();
  const { messageId } = message;
  expect(stage.logged).toMatchObject([
    { messageId, msg: 'send.hand_over_failed', answer: 'uncertain', traceId },
  ]);
});

test('a message without a trace that goes well has no line in the log', async () => {
  const message = makeMessage();
  stage.outbox.opened(connection);
  stage.outbox.accept([message]);
  await settle();
  stage.outbox.acknowledged(message.providerMessageId, null);
  expect(outcomes()).toEqual(['sent']);
  expect(stage.logged).toEqual([]);
});

test('a message that was taken over and never handed on is handed over after a crash without waiting', async () => {
  const message = makeMessage();
  stage.outbox.accept([message]);
  crash();
  stage.outbox.opened(connection);
  stage.outbox.accept([{ ...message, handedTo: 'you' }]);
  await settle();
  expect(stage.handed).toEqual([message.providerMessageId]);
});

test('a message that may have left before a crash leaves again only without evidence, after the grace', async () => {
  const message = makeMessage();
  stage.outbox.opened(connection);
  stage.outbox.accept([message]);
  await settle();
  crash();
  stage.outbox.accept([{ ...message, handedTo: 'you' }]);
  stage.outbox.opened(connection);
  await settle(graceMs * 2);
  expect(stage.handed).toHaveLength(1);
  stage.outbox.caughtUp();
  await settle(graceMs - 1);
  expect(stage.handed).toHaveLength(1);
  await settle(1);
  expect(stage.handed).toEqual([message.providerMessageId, message.providerMessageId]);
});

test('a receipt after the next login proves that the message had left: it does not leave again', async () => {
  const message = makeMessage();
  stage.outbox.opened(connection);
  stage.outbox.accept([message]);
  await settle();
  crash();
  stage.outbox.accept([{ ...message, handedTo: 'you' }]);
  stage.outbox.opened(connection);
  stage.outbox.proven(message.providerMessageId, true);
  stage.outbox.caughtUp();
  await settle(graceMs * 2);
  expect(stage.handed).toHaveLength(1);
  expect(outcomes()).toEqual(['sent']);
});

test('evidence that arrived before the message was asked about counts, even across a crash', async () => {
  const message = makeMessage('another');
  stage.outbox.opened(connection);
  stage.outbox.caughtUp();
  stage.outbox.proven(message.providerMessageId, true);
  crash();
  stage.outbox.opened(connection);
  stage.outbox.caughtUp();
  stage.outbox.accept([message]);
  await settle(graceMs * 2);
  expect(stage.handed).toEqual([]);
  expect(outcomes()).toEqual(['sent']);
});

test('a message that another bridge had is in doubt', async () => {
  const message = makeMessage('another');
  stage.outbox.opened(connection);
  stage.outbox.caughtUp();
  stage.outbox.accept([message]);
  await settle(graceMs - 1);
  expect(stage.handed).toEqual([]);
  await settle(1);
  expect(stage.handed).toEqual([message.providerMessageId]);
});

test('new texts to others pass those in doubt, before the receipts are in and while these are looked for', async () => {
  const doubtful = [makeMessage('another'), makeMessage('another')];
  const fresh = ['628111111112', '628111111113', '628111111114'].map((to) => ({ ...makeMessage(), to }));
  const [early, later, last] = fresh as [OutboundMessage, OutboundMessage, OutboundMessage];
  stage.outbox.accept([...doubtful, early]);
  stage.outbox.opened(connection);
  await settle();
  expect(stage.handed).toEqual([early.providerMessageId]);
  stage.outbox.caughtUp();
  stage.outbox.accept([later]);
  await settle(graceMs - 1);
  expect(stage.handed).toEqual([early, later].map(({ providerMessageId }) => providerMessageId));
  await settle(50);
  stage.outbox.accept([last]);
  await settle(50);
  const ids = [early, later, ...doubtful, last].map(({ providerMessageId }) => providerMessageId);
  expect(stage.handed).toEqual(ids);
});

test('a message that another bridge had after this one took it over is in doubt', async () => {
  const message = makeMessage();
  stage.outbox.accept([message]);
  crash();
  stage.outbox.opened(connection);
  stage.outbox.caughtUp();
  stage.outbox.accept([{ ...message, handedTo: 'another' }]);
  await settle(graceMs - 1);
  expect(stage.handed).toEqual([]);
});

test('while a connection lasts, a message without an ack is not handed over again', async () => {
  const message = makeMessage();
  stage.outbox.opened(connection);
  stage.outbox.caughtUp();
  stage.outbox.accept([message]);
  await settle(3_600_000);
  expect(stage.handed).toHaveLength(1);
});

test('when the session is lost, what never left goes back and what may have left stays', async () => {
  const [first, second] = [makeMessage(), makeMessage()];
  const { promise, resolve } = Promise.withResolvers<void>();
  stage.outbox.opened({ ...connection, send: () => promise });
  stage.outbox.accept([first, second]);
  await settle();
  stage.outbox.lost();
  resolve();
  await settle();
  expect(outcomes()).toEqual(['returned']);
  stage.outbox.opened(connection);
  stage.outbox.caughtUp();
  await settle(graceMs);
  expect(stage.handed).toEqual([first.providerMessageId]);
});

test('a message that found no connection goes back at once', async () => {
  stage.failWith = new HandOverError(new Error('Connection Closed'), 'unconnected');
  stage.outbox.opened(connection);
  stage.outbox.accept([makeMessage()]);
  await settle();
  expect(outcomes()).toEqual(['returned']);
});

test('a message that cannot be prepared is tried three times and then fails with a sentence', async () => {
  stage.failWith = new HandOverError(new Error('item-not-found'), 'unprepared');
  stage.outbox.opened(connection);
  stage.outbox.accept([makeMessage()]);
  await settle(1_000);
  expect(outcomes()).toEqual(['failed']);
});

test('a message that the network keeps from being prepared fails with the code of the network, and no word of keys', async () => {
  stage.failWith = new HandOverError(new Error('forbidden'), 'unprepared', '403');
  stage.outbox.opened(connection);
  stage.outbox.accept([makeMessage()]);
  await settle(1_000);
  expect(reports()).toMatchObject([
    {
      outcome: 'failed',
      code: null,
      refusal: '403',
      errorMessage: 'The network does not allow this number to write there (403).',
    },
  ]);
});

test('a hand-over that broke off midway is looked into before it is repeated', async () => {
  stage.failWith = new HandOverError(new Error('Timed Out'), 'uncertain');
  const message = makeMessage();
  stage.outbox.opened(connection);
  stage.outbox.caughtUp();
  stage.outbox.accept([message]);
  await settle();
  stage.failWith = null;
  expect(outcomes()).toEqual([]);
  await settle(graceMs);
  expect(stage.handed).toEqual([message.providerMessageId]);
});

test('a resolved message answers a repeat with its outcome, after a crash too', async () => {
  const message = makeMessage();
  stage.outbox.opened(connection);
  stage.outbox.accept([message]);
  await settle();
  stage.outbox.acknowledged(message.providerMessageId, '463');
  crash();
  stage.outbox.opened(connection);
  stage.outbox.accept([{ ...message, handedTo: 'you' }]);
  await settle(graceMs * 2);
  expect(stage.handed).toHaveLength(1);
  expect(outcomes()).toEqual(['failed', 'failed']);
});

test('draining gives back what waits and lets what is in flight finish', async () => {
  const [first, second] = [makeMessage(), makeMessage()];
  const { promise, resolve } = Promise.withResolvers<void>();
  stage.outbox.opened({ ...connection, send: () => promise });
  stage.outbox.accept([first, second]);
  await settle();
  let isDrained = false;
  const draining = stage.outbox.drain().then(() => {
    isDrained = true;
  });
  await settle();
  expect([isDrained, outcomes()]).toEqual([false, ['returned']]);
  resolve();
  await settle();
  expect(isDrained).toBe(false);
  stage.outbox.acknowledged(first.providerMessageId, null);
  await draining;
  expect(outcomes()).toEqual(['returned', 'sent']);
  stage.outbox.accept([makeMessage()]);
  expect(outcomes()).toEqual(['returned', 'sent', 'returned']);
});

test('a message whose time is over while it is in doubt is not handed over again', async () => {
  const message = { ...makeMessage('another'), expiresInMs: 1_000 };
  stage.outbox.opened(connection);
  stage.outbox.caughtUp();
  stage.outbox.accept([message]);
  await settle(graceMs * 2);
  expect([stage.handed, outcomes()]).toEqual([[], []]);
  // Nothing of it stays in memory; a sign that comes after all is told all the same.
  expect(stage.outbox.hasMessages).toBe(false);
  stage.outbox.proven(message.providerMessageId, false);
  expect(reports()).toMatchObject([{ outcome: 'sent', messageId: message.messageId }]);
});

test('a message that is to be typed first leaves when that is over, and typing that fails does not stop it', async () => {
  const first = { ...makeMessage(), typingMs: 1500 };
  const second = { ...makeMessage(), typingMs: 500 };
  stage.outbox.opened(connection);
  stage.outbox.accept([first, second]);
  await settle(1499);
  expect(stage.typedTo).toEqual([first.to]);
  expect(stage.handed).toEqual([]);
  stage.typingFails = true;
  await settle(1);
  expect(stage.handed).toEqual([first.providerMessageId]);
  await settle(500);
  expect(stage.handed).toEqual([first.providerMessageId, second.providerMessageId]);
});

test('a message whose connection is lost while it is typed comes back and does not leave', async () => {
  const message = { ...makeMessage(), typingMs: 1500 };
  stage.outbox.opened(connection);
  stage.outbox.accept([message]);
  await settle(1000);
  stage.outbox.lost();
  await settle(1000);
  expect(stage.handed).toEqual([]);
  expect(outcomes()).toEqual(['returned']);
});

test('a shutdown while a message is typed gives it back', async () => {
  stage.outbox.opened(connection);
  stage.outbox.accept([{ ...makeMessage(), typingMs: 1500 }]);
  await settle(1000);
  await stage.outbox.drain();
  await settle(1000);
  expect(stage.handed).toEqual([]);
  expect(outcomes()).toEqual(['returned']);
});

test('a message that is proven to have left while it is typed once more does not leave again', async () => {
  const message = { ...makeMessage('another'), typingMs: 1_000 };
  stage.outbox.opened(connection);
  stage.outbox.caughtUp();
  stage.outbox.accept([message]);
  await settle(graceMs + 500);
  expect(stage.typedTo).toEqual([message.to]);
  stage.outbox.proven(message.providerMessageId, true);
  await settle(1_000);
  expect([stage.handed, outcomes()]).toEqual([[], ['sent']]);
});

test('an outcome says how long the network took to acknowledge, and with which code it refused', async () => {
  const [taken, refused] = [makeMessage(), makeMessage()];
  stage.outbox.opened(connection);
  stage.outbox.accept([taken, refused]);
  await settle(700);
  stage.outbox.acknowledged(taken.providerMessageId, null);
  stage.outbox.acknowledged(refused.providerMessageId, '463');
  const facts = stage.db.all<{ body: string }>(
    "SELECT body FROM facts WHERE kind = 'send.outcomes' ORDER BY seq",
  );
  expect(facts.flatMap(({ body }) => JSON.parse(body).items)).toMatchObject([
    { outcome: 'sent', ackMs: 700 },
    { outcome: 'failed', code: '463' },
  ]);
});

test('a refusal that comes after a crash fails what was handed over before it', async () => {
  const message = makeMessage();
  stage.outbox.opened(connection);
  stage.outbox.accept([message]);
  await settle();
  crash();
  stage.outbox.opened(connection);
  stage.outbox.acknowledged(message.providerMessageId, '463');
  expect(reports()).toMatchObject([{ outcome: 'failed', messageId: message.messageId, code: '463' }]);
});

test('after a loss the receipts of the next login are waited for, however long it takes until it comes', async () => {
  const message = makeMessage();
  stage.outbox.opened(connection);
  stage.outbox.caughtUp();
  stage.outbox.accept([message]);
  await settle();
  stage.outbox.lost();
  await settle(2 * graceMs);
  stage.outbox.opened(connection);
  await settle(2 * graceMs);
  expect(stage.handed).toEqual([message.providerMessageId]);
});

test('a message that is handed over anew has the time of that hand-over, and a repeat gives it no more', async () => {
  const message = { ...makeMessage(), expiresInMs: 2_000 };
  const repeated = { ...makeMessage(), expiresInMs: 2_000 };
  stage.outbox.accept([message, repeated]);
  await settle(1_000);
  stage.outbox.accept([{ ...message, handOver: 2 }, repeated]);
  await settle(1_500);
  stage.outbox.opened(connection);
  await settle();
  expect(stage.handed).toEqual([message.providerMessageId]);
});

test('what the network refuses during a shutdown has failed at once', async () => {
  const message = makeMessage();
  stage.chance = new Promise(() => {});
  stage.outbox.opened(connection);
  stage.outbox.accept([message]);
  await settle();
  const drained = stage.outbox.drain();
  stage.outbox.acknowledged(message.providerMessageId, '463');
  await drained;
  expect(reports()).toMatchObject([{ outcome: 'failed', code: '463' }]);
});

test('what was refused before a shutdown goes no other way during it, and the shutdown waits for its outcome', async () => {
  const message = makeMessage();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  stage.chance = promise;
  stage.outbox.opened(connection);
  stage.outbox.accept([message]);
  await settle();
  stage.outbox.acknowledged(message.providerMessageId, '463');
  const drained = stage.outbox.drain().then(() => reports());
  resolve(true);
  expect(await drained).toMatchObject([{ outcome: 'failed', code: '463' }]);
});
