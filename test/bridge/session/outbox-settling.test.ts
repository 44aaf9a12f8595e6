import { expect, test, vi } from 'vitest';
import type { OutboundMessage } from '../../../src/contract/bridge/bridge-frames.ts';
import { FileProblem } from '../../../src/session-bridge/media/outbound-files.ts';
import { HandOverError } from '../../../src/session-bridge/network/connection/connection.ts';
import {
  connection,
  crash,
  graceMs,
  handOvers,
  makeMessage,
  outcomes,
  reports,
  settle,
  stage,
  useOutbox,
  withFile,
} from './outbox-stage.ts';

useOutbox();

test('a message that was returned after several tries is under no suspicion: it keeps its place before later ones', async () => {
  const [message, later] = [makeMessage(), makeMessage()];
  stage.failWith = new HandOverError(new Error('rate-overlimit'), 'limited');
  stage.outbox.opened(connection);
  stage.outbox.accept([message]);
  await settle(60_000);
  stage.outbox.lost();
  stage.failWith = null;
  stage.outbox.opened(connection);
  stage.outbox.accept([{ ...message, handOver: 2 }, later]);
  await settle(3_600_000);
  expect([outcomes(), stage.handed]).toEqual([['returned'], idsOf(message, later)]);
});

test('a read mark counts as sent once it is written, and not when that broke off', async () => {
  const content = { type: 'read', providerMessageIds: ['3A1'] } as unknown as OutboundMessage['content'];
  stage.outbox.opened(connection);
  stage.failWith = new HandOverError(new Error('Timed Out'), 'uncertain');
  stage.outbox.accept([{ ...makeMessage(), content }]);
  await settle();
  expect(outcomes()).toEqual([]);
  stage.failWith = null;
  stage.outbox.accept([{ ...makeMessage(), content }]);
  await settle();
  expect(outcomes()).toEqual(['sent']);
});

test('a clock that was set back while the network answered makes no time that is less than none', async () => {
  const message = makeMessage();
  stage.outbox.opened(connection);
  stage.outbox.accept([message]);
  await settle();
  vi.setSystemTime(Date.now() - 3_600_000);
  stage.outbox.acknowledged(message.providerMessageId, null);
  expect(reports()).toMatchObject([{ outcome: 'sent', ackMs: 0 }]);
});

test('an outbox that was given up repeats nothing, and says nothing of what was in doubt', async () => {
  stage.outbox.opened(connection);
  stage.outbox.accept([makeMessage('another')]);
  stage.outbox.caughtUp();
  stage.outbox.dispose();
  await settle(2 * graceMs);
  expect(stage.logged.map(({ msg }) => msg)).toEqual(['send.in_doubt']);
  expect([stage.handed, reports()]).toEqual([[], []]);
});

test('an earlier hand-over that comes late is answered under the newest one', async () => {
  const message = { ...makeMessage(), handOver: 3 };
  stage.outbox.opened(connection);
  stage.outbox.accept([message]);
  await settle();
  stage.outbox.acknowledged(message.providerMessageId, null);
  stage.outbox.accept([{ ...message, handOver: 2 }]);
  expect(handOvers()).toEqual([
    ['sent', 3],
    ['sent', 3],
  ]);
});

test('every outcome names the hand-over that it is about', async () => {
  const [taken, refused, unprepared, unconnected] = [2, 3, 4, 5].map((handOver) => ({
    ...makeMessage(),
    handOver,
  }));
  if (!taken || !refused || !unprepared || !unconnected) throw new Error('four messages were made');
  stage.outbox.opened(connection);
  stage.outbox.accept([taken, refused]);
  await settle();
  stage.outbox.acknowledged(taken.providerMessageId, null);
  stage.outbox.acknowledged(refused.providerMessageId, '463');
  stage.failWith = new HandOverError(new Error('item-not-found'), 'unprepared');
  stage.outbox.accept([unprepared]);
  await settle(1_000);
  stage.failWith = new HandOverError(new Error('Connection Closed'), 'unconnected');
  stage.outbox.accept([unconnected]);
  await settle();
  expect(handOvers()).toEqual([
    ['sent', 2],
    ['failed', 3],
    ['failed', 4],
    ['returned', 5],
  ]);
});

test('a message that is handed over again while it is still here goes on under the newer number', async () => {
  const [first, second] = [makeMessage(), makeMessage()];
  stage.outbox.accept([first, second]);
  stage.outbox.accept([{ ...first, handOver: 3, handedTo: 'you' }]);
  stage.outbox.accept([{ ...first, handOver: 2, handedTo: 'you' }]);
  stage.outbox.opened(connection);
  await settle();
  expect(stage.handed).toEqual([first.providerMessageId, second.providerMessageId]);
  stage.outbox.acknowledged(first.providerMessageId, null);
  stage.outbox.accept([{ ...second, handOver: 2, handedTo: 'you' }]);
  crash();
  stage.outbox.acknowledged(second.providerMessageId, null);
  expect(handOvers()).toEqual([
    ['sent', 3],
    ['sent', 2],
  ]);
});

test('a settled message answers a newer hand-over with its outcome, under the newer number', async () => {
  const message = makeMessage();
  stage.outbox.opened(connection);
  stage.outbox.accept([message]);
  await settle();
  stage.outbox.acknowledged(message.providerMessageId, null);
  stage.outbox.accept([{ ...message, handOver: 2, handedTo: 'you' }]);
  await settle();
  expect(stage.handed).toHaveLength(1);
  expect(handOvers()).toEqual([
    ['sent', 1],
    ['sent', 2],
  ]);
});

test('a message that was returned does not leave when that hand-over is repeated, after a crash neither', async () => {
  const message = { ...makeMessage(), handOver: 2 };
  stage.outbox.lost();
  stage.outbox.accept([message]);
  stage.outbox.opened(connection);
  stage.outbox.accept([message]);
  crash();
  stage.outbox.opened(connection);
  stage.outbox.accept([{ ...message, handOver: 1 }]);
  await settle(graceMs * 2);
  expect(stage.handed).toEqual([]);
  expect(handOvers()).toEqual([
    ['returned', 2],
    ['returned', 2],
    ['returned', 2],
  ]);
});

test('a message that was returned leaves when it is handed over anew', async () => {
  const message = makeMessage();
  stage.outbox.lost();
  stage.outbox.accept([message]);
  stage.outbox.opened(connection);
  stage.outbox.accept([{ ...message, handOver: 2 }]);
  await settle();
  expect(stage.handed).toEqual([message.providerMessageId]);
  stage.outbox.acknowledged(message.providerMessageId, null);
  expect(handOvers()).toEqual([
    ['returned', 1],
    ['sent', 2],
  ]);
});

test('evidence of a message that was returned and left from elsewhere counts, even across a crash', async () => {
  const message = makeMessage();
  stage.outbox.lost();
  stage.outbox.accept([message]);
  stage.outbox.proven(message.providerMessageId, true);
  crash();
  stage.outbox.opened(connection);
  stage.outbox.accept([{ ...message, handOver: 3, handedTo: 'another' }]);
  await settle(graceMs * 2);
  expect(stage.handed).toEqual([]);
  expect(handOvers()).toEqual([
    ['returned', 1],
    ['sent', 3],
  ]);
});

test('the time that a message has is counted from its frame on, whatever the clock of the machine does', async () => {
  const message = { ...makeMessage(), expiresInMs: 5_000 };
  stage.outbox.accept([message]);
  vi.setSystemTime(Date.now() + 3_600_000);
  stage.outbox.opened(connection);
  await settle();
  expect(stage.handed).toEqual([message.providerMessageId]);
  const late = { ...makeMessage(), expiresInMs: 5_000 };
  stage.outbox.lost();
  stage.outbox.expectConnection();
  stage.outbox.accept([late]);
  await settle(5_100);
  stage.outbox.opened(connection);
  await settle();
  expect(stage.handed).toHaveLength(1);
  expect(outcomes()).toEqual(['returned']);
});

/** Loses the connection, opens the next one, and lets the time for evidence pass. */
async function reconnect(): Promise<void> {
  stage.outbox.lost();
  stage.outbox.expectConnection();
  stage.outbox.opened(connection);
  stage.outbox.caughtUp();
  await settle(graceMs);
}

test('a message that ends every connection is given up with an unknown outcome, and holds up nobody', async () => {
  const deadly = makeMessage();
  stage.outbox.opened(connection);
  stage.outbox.accept([deadly]);
  await settle();
  for (let connections = 0; connections < 6; connections += 1) await reconnect();
  crash();
  stage.outbox.accept([{ ...deadly, handedTo: 'you' }]);
  await reconnect();
  expect(stage.handed).toHaveLength(8);
  const [innocent, other] = [makeMessage(), makeMessage()];
  stage.outbox.accept([innocent, other]);
  await settle(5_100);
  stage.outbox.acknowledged(innocent.providerMessageId, null);
  stage.outbox.acknowledged(other.providerMessageId, null);
  await reconnect();
  expect(stage.handed).toEqual([
    ...Array(8).fill(deadly.providerMessageId),
    innocent.providerMessageId,
    other.providerMessageId,
  ]);
  expect(reports()).toMatchObject([
    { outcome: 'sent', messageId: innocent.messageId },
    { outcome: 'sent', messageId: other.messageId },
    { outcome: 'failed', messageId: deadly.messageId, code: 'unknown_outcome' },
  ]);
});

test('a message that was handed over twice without an answer goes last, and alone', async () => {
  const suspicious = makeMessage();
  stage.outbox.opened(connection);
  stage.outbox.accept([suspicious]);
  await settle();
  await reconnect();
  stage.outbox.lost();
  stage.outbox.expectConnection();
  stage.outbox.opened(connection);
  stage.outbox.caughtUp();
  await settle(graceMs - 1);
  const [first, second] = [makeMessage(), makeMessage()];
  stage.outbox.accept([first]);
  stage.handed = [];
  await settle(1);
  stage.outbox.accept([second]);
  await settle(100);
  expect(stage.handed).toEqual([suspicious.providerMessageId]);
  stage.outbox.acknowledged(suspicious.providerMessageId, null);
  await settle();
  expect(stage.handed).toEqual([suspicious.providerMessageId, second.providerMessageId]);
});

test('while the network limits questions, a message waits that needs one, and one to somebody who was written to does not', async () => {
  const known = makeMessage();
  stage.outbox.opened(connection);
  stage.outbox.accept([known]);
  await settle();
  stage.failWith = new HandOverError(new Error('rate-overlimit'), 'limited');
  const [cold, later] = [
    { ...makeMessage(), to: '628222222222' },
    { ...makeMessage(), to: '628333333333' },
  ];
  stage.outbox.accept([cold]);
  await settle();
  stage.failWith = null;
  stage.handed = [];
  const again = makeMessage();
  stage.outbox.accept([later, again]);
  await settle(10_000);
  expect([stage.handed, outcomes()]).toEqual([[again.providerMessageId], []]);
  await settle(30_000);
  expect(stage.handed.toSorted()).toEqual(
    [again, cold, later].map(({ providerMessageId }) => providerMessageId).toSorted(),
  );
});

test('a message that waits for the network is given back when its time is over', async () => {
  stage.failWith = new HandOverError(new Error('rate-overlimit'), 'limited');
  stage.outbox.opened(connection);
  stage.outbox.accept([{ ...makeMessage(), expiresInMs: 2_000 }]);
  await settle(2_001);
  expect(outcomes()).toEqual(['returned']);
});

const textTo = (to: string): OutboundMessage => ({ ...makeMessage(), to });
const idsOf = (...messages: OutboundMessage[]) => messages.map(({ providerMessageId }) => providerMessageId);

test('while a file is on its way others go out, and what stands behind it in its chat waits', async () => {
  const [file, behind, other, otherFile] = [
    withFile('62811'),
    textTo('62811'),
    textTo('62822'),
    withFile('62833'),
  ];
  stage.outbox.opened(connection);
  stage.outbox.accept([file, behind, other, otherFile]);
  await settle();
  expect([stage.handed, stage.bringing.length]).toEqual([idsOf(other), 2]);
  stage.bringing[1]?.resolve();
  await settle();
  expect(stage.handed).toEqual(idsOf(other, otherFile));
  stage.bringing[0]?.resolve();
  await settle();
  expect(stage.handed).toEqual(idsOf(other, otherFile, file, behind));
});

test('a file that cannot be brought is tried three times, then its message fails and its chat goes on', async () => {
  const [file, behind, other] = [withFile('62811'), textTo('62811'), textTo('62822')];
  stage.outbox.opened(connection);
  stage.outbox.accept([file, behind, other]);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    await settle();
    expect(stage.handed).toEqual(idsOf(other));
    stage.bringing.at(-1)?.reject(new FileProblem('nobody takes it'));
    await settle(100);
  }
  expect(stage.bringing).toHaveLength(3);
  expect(stage.handed).toEqual(idsOf(other, behind));
  expect(reports()).toMatchObject([
    { outcome: 'failed', code: null, errorMessage: expect.stringContaining('nobody takes it') },
  ]);
});

test('a file that is still on its way when the session is lost, or the time is over, has not left', async () => {
  const [file, late] = [withFile('62811'), { ...withFile('62822'), expiresInMs: 2_000 }];
  stage.outbox.opened(connection);
  stage.outbox.accept([file, late]);
  await settle(2_001);
  expect(reports()).toMatchObject([{ outcome: 'returned', messageId: late.messageId }]);
  stage.outbox.lost();
  expect(outcomes()).toEqual(['returned', 'returned']);
  for (const one of stage.bringing) one.resolve();
  stage.outbox.opened(connection);
  await settle(10_000);
  expect(stage.handed).toEqual([]);
  stage.outbox.accept([{ ...file, handOver: 2 }]);
  await settle();
  // What was brought for it before says nothing about this time.
  expect([stage.handed, stage.bringing.length]).toEqual([[], 3]);
  stage.bringing.at(-1)?.resolve();
  await settle();
  expect(stage.handed).toEqual(idsOf(file));
});

test('what was refused goes another way once, and no more', async () => {
  const message = makeMessage();
  stage.chance = Promise.resolve(true);
  stage.outbox.opened(connection);
  stage.outbox.accept([message]);
  await settle();
  stage.outbox.acknowledged(message.providerMessageId, '463');
  await settle();
  expect([stage.handed.length, outcomes()]).toEqual([2, []]);
  stage.outbox.acknowledged(message.providerMessageId, '463');
  await settle();
  expect([stage.handed.length, outcomes()]).toEqual([2, ['failed']]);
});

test('what was refused fails when there is no other way, when that takes too long to find out, and when the session is lost', async () => {
  const messages = [makeMessage(), makeMessage(), makeMessage()];
  const [hopeless, slow, interrupted] = messages.map(({ providerMessageId }) => providerMessageId) as [
    string,
    string,
    string,
  ];
  stage.outbox.opened(connection);
  stage.outbox.accept(messages);
  await settle();
  stage.chance = Promise.resolve(false);
  stage.outbox.acknowledged(hopeless, '400');
  await settle();
  expect(reports()).toMatchObject([{ outcome: 'failed', code: '400' }]);
  stage.chance = new Promise(() => {});
  stage.outbox.acknowledged(slow, '463');
  await settle(15_000);
  expect(reports()).toMatchObject([{ code: '400' }, { code: '463' }]);
  stage.outbox.acknowledged(interrupted, '463');
  stage.outbox.lost();
  expect(outcomes()).toEqual(['failed', 'failed', 'failed']);
});
