import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { OutboundMessage, SendOutcome } from '../../../src/contract/bridge/bridge-frames.ts';
import { JournalDatabase } from '../../../src/session-bridge/journal/database.ts';
import { FactLog } from '../../../src/session-bridge/journal/facts.ts';
import { OutboundJournal } from '../../../src/session-bridge/journal/outbound.ts';
import { SendInterval } from '../../../src/session-bridge/journal/send-interval.ts';
import { makeLog } from '../../../src/session-bridge/logging.ts';
import { FileProblem } from '../../../src/session-bridge/media/outbound-files.ts';
import {
  HandOverError,
  type NetworkConnection,
} from '../../../src/session-bridge/network/connection/connection.ts';
import { Outbox } from '../../../src/session-bridge/session/outbox/outbox.ts';

const numberId = uuidv7();
const graceMs = 3_000;

let home: string;
let db: JournalDatabase;
let outbox: Outbox;
/** Ids in the order in which they were handed to the network. */
let handed: string[];
let failWith: HandOverError | null;
/** To whom typing was shown. */
let typedTo: string[];
let typingFails: boolean;
/** Whether what the network refuses may go another way. */
let chance: Promise<boolean> | null;
/** Files on their way to the network, in the order in which that began. */
let bringing: PromiseWithResolvers<void>[];
/** What stands in the bridge's log at its usual level. */
let logged: Record<string, unknown>[];

beforeEach(() => {
  vi.useFakeTimers();
  home = mkdtempSync(join(tmpdir(), 'bridge-outbox-'));
  handed = [];
  failWith = null;
  typedTo = [];
  typingFails = false;
  chance = null;
  bringing = [];
  logged = [];
  openOutbox();
});

afterEach(() => {
  outbox.dispose();
  db.close();
  rmSync(home, { recursive: true, force: true });
  vi.useRealTimers();
});

function openOutbox(): void {
  db = new JournalDatabase(home, (error) => {
    throw error;
  });
  outbox = new Outbox({
    numberId,
    bridgeId: db.bridgeId,
    db,
    outbound: new OutboundJournal(db),
    facts: new FactLog({
      db,
      numberId,
      epoch: 1,
      interval: new SendInterval(1),
      repeatAfterMs: 15_000,
      holdNetworkMs: 500,
      log: makeLog('silent'),
      onVaultStored: () => {},
    }),
    timings: { inDoubtGraceMs: graceMs, reconnectBaseMs: 10, rateHoldMs: 15_000 },
    onRepeated: () => {},
    secondChance: () => chance,
    bringFile: () => {
      const file = Promise.withResolvers<void>();
      bringing.push(file);
      return file.promise;
    },
    log: makeLog('info', { write: (line) => logged.push(JSON.parse(line)) }),
  });
}

/** As after a `kill -9`: memory is gone, the disk is not. */
function crash(): void {
  outbox.dispose();
  db.close();
  openOutbox();
}

const connection: NetworkConnection = {
  files: {} as NetworkConnection['files'],
  lastHeardAtMs: 0,
  send: async ({ providerMessageId }) => {
    if (failWith) throw failWith;
    handed.push(providerMessageId);
  },
  requestPairingCode: () => Promise.reject(new Error('not in this test')),
  showTyping: async (to) => {
    if (typingFails) throw new Error('no typing here');
    typedTo.push(to);
  },
  settingsChanged: () => {},
  taken: () => {},
  remedy: async () => false,
  ask: async () => ({}),
  groups: async () => [],
  newChatRestriction: async () => null,
  probe: async () => true,
  phoneNumberOfAlias: async () => null,
  logout: async () => {},
  close: async () => {},
};

function makeMessage(handedTo: OutboundMessage['handedTo'] = null): OutboundMessage {
  return {
    messageId: `msg_${uuidv7()}`,
    providerMessageId: `3EB0${uuidv7().replaceAll('-', '').toUpperCase()}`,
    to: '628111111111',
    chatType: 'personal',
    content: { type: 'text', text: 'hello' },
    handedTo,
    handOver: 1,
    expiresInMs: 86_400_000,
    typingMs: 0,
  };
}

function reports(): SendOutcome[] {
  const rows = db.all<{ body: string }>("SELECT body FROM facts WHERE kind = 'send.outcomes' ORDER BY seq");
  return rows.flatMap(({ body }) => JSON.parse(body).items as SendOutcome[]);
}

const outcomes = () => reports().map(({ outcome }) => outcome);
const handOvers = () => reports().map(({ outcome, handOver }) => [outcome, handOver]);

async function settle(ms = 0): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
}

test('a message is handed over once the session is open, and is sent when the network says so', async () => {
  const message = makeMessage();
  outbox.accept([message]);
  await settle();
  expect(handed).toEqual([]);
  outbox.opened(connection);
  await settle();
  expect(handed).toEqual([message.providerMessageId]);
  expect(outcomes()).toEqual([]);
  outbox.acknowledged(message.providerMessageId, null);
  expect(outcomes()).toEqual(['sent']);
});

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const traced = () => ({ ...makeMessage(), traceparent: `00-${traceId}-00f067aa0ba902b7-01` });

test('what the bridge does with a message that belongs to a trace is in its log by that trace', async () => {
  const [taken, refused] = [traced(), traced()];
  outbox.opened(connection);
  outbox.accept([taken, refused]);
  await settle();
  outbox.acknowledged(taken.providerMessageId, null);
  outbox.acknowledged(refused.providerMessageId, '479');
  const of = ({ messageId }: OutboundMessage, msg: string) => ({ messageId, msg, traceId });
  expect(logged).toMatchObject([
    of(taken, 'send.handed_over'),
    of(refused, 'send.handed_over'),
    { ...of(taken, 'send.resolved'), outcome: 'sent' },
    { ...of(refused, 'send.refused'), errorCode: '479' },
    { ...of(refused, 'send.resolved'), outcome: 'failed' },
  ]);
});

test('a hand-over that fails is in the log by the trace of its message', async () => {
  failWith = new HandOverError(new Error('Timed Out'), 'uncertain');
  const message = traced();
  outbox.opened(connection);
  outbox.accept([message]);
  await settle();
  const { messageId } = message;
  expect(logged).toMatchObject([{ messageId, msg: 'send.hand_over_failed', answer: 'uncertain', traceId }]);
});

test('a message without a trace that goes well has no line in the log', async () => {
  const message = makeMessage();
  outbox.opened(connection);
  outbox.accept([message]);
  await settle();
  outbox.acknowledged(message.providerMessageId, null);
  expect(outcomes()).toEqual(['sent']);
  expect(logged).toEqual([]);
});

test('a message that was taken over and never handed on is handed over after a crash without waiting', async () => {
  const message = makeMessage();
  outbox.accept([message]);
  crash();
  outbox.opened(connection);
  outbox.accept([{ ...message, handedTo: 'you' }]);
  await settle();
  expect(handed).toEqual([message.providerMessageId]);
});

test('a message that may have left before a crash leaves again only without evidence, after the grace', async () => {
  const message = makeMessage();
  outbox.opened(connection);
  outbox.accept([message]);
  await settle();
  crash();
  outbox.accept([{ ...message, handedTo: 'you' }]);
  outbox.opened(connection);
  await settle(graceMs * 2);
  expect(handed).toHaveLength(1);
  outbox.caughtUp();
  await settle(graceMs - 1);
  expect(handed).toHaveLength(1);
  await settle(1);
  expect(handed).toEqual([message.providerMessageId, message.providerMessageId]);
});

test('a receipt after the next login proves that the message had left: it does not leave again', async () => {
  const message = makeMessage();
  outbox.opened(connection);
  outbox.accept([message]);
  await settle();
  crash();
  outbox.accept([{ ...message, handedTo: 'you' }]);
  outbox.opened(connection);
  outbox.proven(message.providerMessageId, true);
  outbox.caughtUp();
  await settle(graceMs * 2);
  expect(handed).toHaveLength(1);
  expect(outcomes()).toEqual(['sent']);
});

test('evidence that arrived before the message was asked about counts, even across a crash', async () => {
  const message = makeMessage('another');
  outbox.opened(connection);
  outbox.caughtUp();
  outbox.proven(message.providerMessageId, true);
  crash();
  outbox.opened(connection);
  outbox.caughtUp();
  outbox.accept([message]);
  await settle(graceMs * 2);
  expect(handed).toEqual([]);
  expect(outcomes()).toEqual(['sent']);
});

test('a message that another bridge had is in doubt', async () => {
  const message = makeMessage('another');
  outbox.opened(connection);
  outbox.caughtUp();
  outbox.accept([message]);
  await settle(graceMs - 1);
  expect(handed).toEqual([]);
  await settle(1);
  expect(handed).toEqual([message.providerMessageId]);
});

test('new texts to others pass those in doubt, before the receipts are in and while these are looked for', async () => {
  const doubtful = [makeMessage('another'), makeMessage('another')];
  const fresh = ['628111111112', '628111111113', '628111111114'].map((to) => ({ ...makeMessage(), to }));
  const [early, later, last] = fresh as [OutboundMessage, OutboundMessage, OutboundMessage];
  outbox.accept([...doubtful, early]);
  outbox.opened(connection);
  await settle();
  expect(handed).toEqual([early.providerMessageId]);
  outbox.caughtUp();
  outbox.accept([later]);
  await settle(graceMs - 1);
  expect(handed).toEqual([early, later].map(({ providerMessageId }) => providerMessageId));
  await settle(50);
  outbox.accept([last]);
  await settle(50);
  const ids = [early, later, ...doubtful, last].map(({ providerMessageId }) => providerMessageId);
  expect(handed).toEqual(ids);
});

test('a message that another bridge had after this one took it over is in doubt', async () => {
  const message = makeMessage();
  outbox.accept([message]);
  crash();
  outbox.opened(connection);
  outbox.caughtUp();
  outbox.accept([{ ...message, handedTo: 'another' }]);
  await settle(graceMs - 1);
  expect(handed).toEqual([]);
});

test('while a connection lasts, a message without an ack is not handed over again', async () => {
  const message = makeMessage();
  outbox.opened(connection);
  outbox.caughtUp();
  outbox.accept([message]);
  await settle(3_600_000);
  expect(handed).toHaveLength(1);
});

test('when the session is lost, what never left goes back and what may have left stays', async () => {
  const [first, second] = [makeMessage(), makeMessage()];
  const { promise, resolve } = Promise.withResolvers<void>();
  outbox.opened({ ...connection, send: () => promise });
  outbox.accept([first, second]);
  await settle();
  outbox.lost();
  resolve();
  await settle();
  expect(outcomes()).toEqual(['returned']);
  outbox.opened(connection);
  outbox.caughtUp();
  await settle(graceMs);
  expect(handed).toEqual([first.providerMessageId]);
});

test('a message that found no connection goes back at once', async () => {
  failWith = new HandOverError(new Error('Connection Closed'), 'unconnected');
  outbox.opened(connection);
  outbox.accept([makeMessage()]);
  await settle();
  expect(outcomes()).toEqual(['returned']);
});

test('a message that cannot be prepared is tried three times and then fails with a sentence', async () => {
  failWith = new HandOverError(new Error('item-not-found'), 'unprepared');
  outbox.opened(connection);
  outbox.accept([makeMessage()]);
  await settle(1_000);
  expect(outcomes()).toEqual(['failed']);
});

test('a message that the network keeps from being prepared fails with the code of the network, and no word of keys', async () => {
  failWith = new HandOverError(new Error('forbidden'), 'unprepared', '403');
  outbox.opened(connection);
  outbox.accept([makeMessage()]);
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
  failWith = new HandOverError(new Error('Timed Out'), 'uncertain');
  const message = makeMessage();
  outbox.opened(connection);
  outbox.caughtUp();
  outbox.accept([message]);
  await settle();
  failWith = null;
  expect(outcomes()).toEqual([]);
  await settle(graceMs);
  expect(handed).toEqual([message.providerMessageId]);
});

test('a resolved message answers a repeat with its outcome, after a crash too', async () => {
  const message = makeMessage();
  outbox.opened(connection);
  outbox.accept([message]);
  await settle();
  outbox.acknowledged(message.providerMessageId, '463');
  crash();
  outbox.opened(connection);
  outbox.accept([{ ...message, handedTo: 'you' }]);
  await settle(graceMs * 2);
  expect(handed).toHaveLength(1);
  expect(outcomes()).toEqual(['failed', 'failed']);
});

test('draining gives back what waits and lets what is in flight finish', async () => {
  const [first, second] = [makeMessage(), makeMessage()];
  const { promise, resolve } = Promise.withResolvers<void>();
  outbox.opened({ ...connection, send: () => promise });
  outbox.accept([first, second]);
  await settle();
  let isDrained = false;
  const draining = outbox.drain().then(() => {
    isDrained = true;
  });
  await settle();
  expect([isDrained, outcomes()]).toEqual([false, ['returned']]);
  resolve();
  await settle();
  expect(isDrained).toBe(false);
  outbox.acknowledged(first.providerMessageId, null);
  await draining;
  expect(outcomes()).toEqual(['returned', 'sent']);
  outbox.accept([makeMessage()]);
  expect(outcomes()).toEqual(['returned', 'sent', 'returned']);
});

test('a message whose time is over while it is in doubt is not handed over again', async () => {
  const message = { ...makeMessage('another'), expiresInMs: 1_000 };
  outbox.opened(connection);
  outbox.caughtUp();
  outbox.accept([message]);
  await settle(graceMs * 2);
  expect([handed, outcomes()]).toEqual([[], []]);
  // Nothing of it stays in memory; a sign that comes after all is told all the same.
  expect(outbox.hasMessages).toBe(false);
  outbox.proven(message.providerMessageId, false);
  expect(reports()).toMatchObject([{ outcome: 'sent', messageId: message.messageId }]);
});

test('a message that is to be typed first leaves when that is over, and typing that fails does not stop it', async () => {
  const first = { ...makeMessage(), typingMs: 1500 };
  const second = { ...makeMessage(), typingMs: 500 };
  outbox.opened(connection);
  outbox.accept([first, second]);
  await settle(1499);
  expect(typedTo).toEqual([first.to]);
  expect(handed).toEqual([]);
  typingFails = true;
  await settle(1);
  expect(handed).toEqual([first.providerMessageId]);
  await settle(500);
  expect(handed).toEqual([first.providerMessageId, second.providerMessageId]);
});

test('a message whose connection is lost while it is typed comes back and does not leave', async () => {
  const message = { ...makeMessage(), typingMs: 1500 };
  outbox.opened(connection);
  outbox.accept([message]);
  await settle(1000);
  outbox.lost();
  await settle(1000);
  expect(handed).toEqual([]);
  expect(outcomes()).toEqual(['returned']);
});

test('a shutdown while a message is typed gives it back', async () => {
  outbox.opened(connection);
  outbox.accept([{ ...makeMessage(), typingMs: 1500 }]);
  await settle(1000);
  await outbox.drain();
  await settle(1000);
  expect(handed).toEqual([]);
  expect(outcomes()).toEqual(['returned']);
});

test('a message that is proven to have left while it is typed once more does not leave again', async () => {
  const message = { ...makeMessage('another'), typingMs: 1_000 };
  outbox.opened(connection);
  outbox.caughtUp();
  outbox.accept([message]);
  await settle(graceMs + 500);
  expect(typedTo).toEqual([message.to]);
  outbox.proven(message.providerMessageId, true);
  await settle(1_000);
  expect([handed, outcomes()]).toEqual([[], ['sent']]);
});

test('an outcome says how long the network took to acknowledge, and with which code it refused', async () => {
  const [taken, refused] = [makeMessage(), makeMessage()];
  outbox.opened(connection);
  outbox.accept([taken, refused]);
  await settle(700);
  outbox.acknowledged(taken.providerMessageId, null);
  outbox.acknowledged(refused.providerMessageId, '463');
  const facts = db.all<{ body: string }>("SELECT body FROM facts WHERE kind = 'send.outcomes' ORDER BY seq");
  expect(facts.flatMap(({ body }) => JSON.parse(body).items)).toMatchObject([
    { outcome: 'sent', ackMs: 700 },
    { outcome: 'failed', code: '463' },
  ]);
});

test('a refusal that comes after a crash fails what was handed over before it', async () => {
  const message = makeMessage();
  outbox.opened(connection);
  outbox.accept([message]);
  await settle();
  crash();
  outbox.opened(connection);
  outbox.acknowledged(message.providerMessageId, '463');
  expect(reports()).toMatchObject([{ outcome: 'failed', messageId: message.messageId, code: '463' }]);
});

test('after a loss the receipts of the next login are waited for, however long it takes until it comes', async () => {
  const message = makeMessage();
  outbox.opened(connection);
  outbox.caughtUp();
  outbox.accept([message]);
  await settle();
  outbox.lost();
  await settle(2 * graceMs);
  outbox.opened(connection);
  await settle(2 * graceMs);
  expect(handed).toEqual([message.providerMessageId]);
});

test('a message that is handed over anew has the time of that hand-over, and a repeat gives it no more', async () => {
  const message = { ...makeMessage(), expiresInMs: 2_000 };
  const repeated = { ...makeMessage(), expiresInMs: 2_000 };
  outbox.accept([message, repeated]);
  await settle(1_000);
  outbox.accept([{ ...message, handOver: 2 }, repeated]);
  await settle(1_500);
  outbox.opened(connection);
  await settle();
  expect(handed).toEqual([message.providerMessageId]);
});

test('what the network refuses during a shutdown has failed at once', async () => {
  const message = makeMessage();
  chance = new Promise(() => {});
  outbox.opened(connection);
  outbox.accept([message]);
  await settle();
  const drained = outbox.drain();
  outbox.acknowledged(message.providerMessageId, '463');
  await drained;
  expect(reports()).toMatchObject([{ outcome: 'failed', code: '463' }]);
});

test('what was refused before a shutdown goes no other way during it, and the shutdown waits for its outcome', async () => {
  const message = makeMessage();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  chance = promise;
  outbox.opened(connection);
  outbox.accept([message]);
  await settle();
  outbox.acknowledged(message.providerMessageId, '463');
  const drained = outbox.drain().then(() => reports());
  resolve(true);
  expect(await drained).toMatchObject([{ outcome: 'failed', code: '463' }]);
});

test('a message that was returned after several tries is under no suspicion: it keeps its place before later ones', async () => {
  const [message, later] = [makeMessage(), makeMessage()];
  failWith = new HandOverError(new Error('rate-overlimit'), 'limited');
  outbox.opened(connection);
  outbox.accept([message]);
  await settle(60_000);
  outbox.lost();
  failWith = null;
  outbox.opened(connection);
  outbox.accept([{ ...message, handOver: 2 }, later]);
  await settle(3_600_000);
  expect([outcomes(), handed]).toEqual([['returned'], idsOf(message, later)]);
});

test('a read mark counts as sent once it is written, and not when that broke off', async () => {
  const content = { type: 'read', providerMessageIds: ['3A1'] } as unknown as OutboundMessage['content'];
  outbox.opened(connection);
  failWith = new HandOverError(new Error('Timed Out'), 'uncertain');
  outbox.accept([{ ...makeMessage(), content }]);
  await settle();
  expect(outcomes()).toEqual([]);
  failWith = null;
  outbox.accept([{ ...makeMessage(), content }]);
  await settle();
  expect(outcomes()).toEqual(['sent']);
});

test('a clock that was set back while the network answered makes no time that is less than none', async () => {
  const message = makeMessage();
  outbox.opened(connection);
  outbox.accept([message]);
  await settle();
  vi.setSystemTime(Date.now() - 3_600_000);
  outbox.acknowledged(message.providerMessageId, null);
  expect(reports()).toMatchObject([{ outcome: 'sent', ackMs: 0 }]);
});

test('an outbox that was given up repeats nothing, and says nothing of what was in doubt', async () => {
  outbox.opened(connection);
  outbox.accept([makeMessage('another')]);
  outbox.caughtUp();
  outbox.dispose();
  await settle(2 * graceMs);
  expect(logged.map(({ msg }) => msg)).toEqual(['send.in_doubt']);
  expect([handed, reports()]).toEqual([[], []]);
});

test('an earlier hand-over that comes late is answered under the newest one', async () => {
  const message = { ...makeMessage(), handOver: 3 };
  outbox.opened(connection);
  outbox.accept([message]);
  await settle();
  outbox.acknowledged(message.providerMessageId, null);
  outbox.accept([{ ...message, handOver: 2 }]);
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
  outbox.opened(connection);
  outbox.accept([taken, refused]);
  await settle();
  outbox.acknowledged(taken.providerMessageId, null);
  outbox.acknowledged(refused.providerMessageId, '463');
  failWith = new HandOverError(new Error('item-not-found'), 'unprepared');
  outbox.accept([unprepared]);
  await settle(1_000);
  failWith = new HandOverError(new Error('Connection Closed'), 'unconnected');
  outbox.accept([unconnected]);
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
  outbox.accept([first, second]);
  outbox.accept([{ ...first, handOver: 3, handedTo: 'you' }]);
  outbox.accept([{ ...first, handOver: 2, handedTo: 'you' }]);
  outbox.opened(connection);
  await settle();
  expect(handed).toEqual([first.providerMessageId, second.providerMessageId]);
  outbox.acknowledged(first.providerMessageId, null);
  outbox.accept([{ ...second, handOver: 2, handedTo: 'you' }]);
  crash();
  outbox.acknowledged(second.providerMessageId, null);
  expect(handOvers()).toEqual([
    ['sent', 3],
    ['sent', 2],
  ]);
});

test('a settled message answers a newer hand-over with its outcome, under the newer number', async () => {
  const message = makeMessage();
  outbox.opened(connection);
  outbox.accept([message]);
  await settle();
  outbox.acknowledged(message.providerMessageId, null);
  outbox.accept([{ ...message, handOver: 2, handedTo: 'you' }]);
  await settle();
  expect(handed).toHaveLength(1);
  expect(handOvers()).toEqual([
    ['sent', 1],
    ['sent', 2],
  ]);
});

test('a message that was returned does not leave when that hand-over is repeated, after a crash neither', async () => {
  const message = { ...makeMessage(), handOver: 2 };
  outbox.lost();
  outbox.accept([message]);
  outbox.opened(connection);
  outbox.accept([message]);
  crash();
  outbox.opened(connection);
  outbox.accept([{ ...message, handOver: 1 }]);
  await settle(graceMs * 2);
  expect(handed).toEqual([]);
  expect(handOvers()).toEqual([
    ['returned', 2],
    ['returned', 2],
    ['returned', 2],
  ]);
});

test('a message that was returned leaves when it is handed over anew', async () => {
  const message = makeMessage();
  outbox.lost();
  outbox.accept([message]);
  outbox.opened(connection);
  outbox.accept([{ ...message, handOver: 2 }]);
  await settle();
  expect(handed).toEqual([message.providerMessageId]);
  outbox.acknowledged(message.providerMessageId, null);
  expect(handOvers()).toEqual([
    ['returned', 1],
    ['sent', 2],
  ]);
});

test('evidence of a message that was returned and left from elsewhere counts, even across a crash', async () => {
  const message = makeMessage();
  outbox.lost();
  outbox.accept([message]);
  outbox.proven(message.providerMessageId, true);
  crash();
  outbox.opened(connection);
  outbox.accept([{ ...message, handOver: 3, handedTo: 'another' }]);
  await settle(graceMs * 2);
  expect(handed).toEqual([]);
  expect(handOvers()).toEqual([
    ['returned', 1],
    ['sent', 3],
  ]);
});

test('the time that a message has is counted from its frame on, whatever the clock of the machine does', async () => {
  const message = { ...makeMessage(), expiresInMs: 5_000 };
  outbox.accept([message]);
  vi.setSystemTime(Date.now() + 3_600_000);
  outbox.opened(connection);
  await settle();
  expect(handed).toEqual([message.providerMessageId]);
  const late = { ...makeMessage(), expiresInMs: 5_000 };
  outbox.lost();
  outbox.expectConnection();
  outbox.accept([late]);
  await settle(5_100);
  outbox.opened(connection);
  await settle();
  expect(handed).toHaveLength(1);
  expect(outcomes()).toEqual(['returned']);
});

/** Loses the connection, opens the next one, and lets the time for evidence pass. */
async function reconnect(): Promise<void> {
  outbox.lost();
  outbox.expectConnection();
  outbox.opened(connection);
  outbox.caughtUp();
  await settle(graceMs);
}

test('a message that ends every connection is given up with an unknown outcome, and holds up nobody', async () => {
  const deadly = makeMessage();
  outbox.opened(connection);
  outbox.accept([deadly]);
  await settle();
  for (let connections = 0; connections < 6; connections += 1) await reconnect();
  crash();
  outbox.accept([{ ...deadly, handedTo: 'you' }]);
  await reconnect();
  expect(handed).toHaveLength(8);
  const [innocent, other] = [makeMessage(), makeMessage()];
  outbox.accept([innocent, other]);
  await settle(5_100);
  outbox.acknowledged(innocent.providerMessageId, null);
  outbox.acknowledged(other.providerMessageId, null);
  await reconnect();
  expect(handed).toEqual([
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
  outbox.opened(connection);
  outbox.accept([suspicious]);
  await settle();
  await reconnect();
  outbox.lost();
  outbox.expectConnection();
  outbox.opened(connection);
  outbox.caughtUp();
  await settle(graceMs - 1);
  const [first, second] = [makeMessage(), makeMessage()];
  outbox.accept([first]);
  handed = [];
  await settle(1);
  outbox.accept([second]);
  await settle(100);
  expect(handed).toEqual([suspicious.providerMessageId]);
  outbox.acknowledged(suspicious.providerMessageId, null);
  await settle();
  expect(handed).toEqual([suspicious.providerMessageId, second.providerMessageId]);
});

test('while the network limits questions, a message waits that needs one, and one to somebody who was written to does not', async () => {
  const known = makeMessage();
  outbox.opened(connection);
  outbox.accept([known]);
  await settle();
  failWith = new HandOverError(new Error('rate-overlimit'), 'limited');
  const [cold, later] = [
    { ...makeMessage(), to: '628222222222' },
    { ...makeMessage(), to: '628333333333' },
  ];
  outbox.accept([cold]);
  await settle();
  failWith = null;
  handed = [];
  const again = makeMessage();
  outbox.accept([later, again]);
  await settle(10_000);
  expect([handed, outcomes()]).toEqual([[again.providerMessageId], []]);
  await settle(30_000);
  expect(handed.toSorted()).toEqual(
    [again, cold, later].map(({ providerMessageId }) => providerMessageId).toSorted(),
  );
});

test('a message that waits for the network is given back when its time is over', async () => {
  failWith = new HandOverError(new Error('rate-overlimit'), 'limited');
  outbox.opened(connection);
  outbox.accept([{ ...makeMessage(), expiresInMs: 2_000 }]);
  await settle(2_001);
  expect(outcomes()).toEqual(['returned']);
});

/** One that carries a file, to somebody. */
const withFile = (to: string): OutboundMessage => ({
  ...makeMessage(),
  to,
  content: { type: 'document', media: { mediaId: uuidv7(), bytes: 5, sha256: 'a'.repeat(64) } },
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
  outbox.opened(connection);
  outbox.accept([file, behind, other, otherFile]);
  await settle();
  expect([handed, bringing.length]).toEqual([idsOf(other), 2]);
  bringing[1]?.resolve();
  await settle();
  expect(handed).toEqual(idsOf(other, otherFile));
  bringing[0]?.resolve();
  await settle();
  expect(handed).toEqual(idsOf(other, otherFile, file, behind));
});

test('a file that cannot be brought is tried three times, then its message fails and its chat goes on', async () => {
  const [file, behind, other] = [withFile('62811'), textTo('62811'), textTo('62822')];
  outbox.opened(connection);
  outbox.accept([file, behind, other]);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    await settle();
    expect(handed).toEqual(idsOf(other));
    bringing.at(-1)?.reject(new FileProblem('nobody takes it'));
    await settle(100);
  }
  expect(bringing).toHaveLength(3);
  expect(handed).toEqual(idsOf(other, behind));
  expect(reports()).toMatchObject([
    { outcome: 'failed', code: null, errorMessage: expect.stringContaining('nobody takes it') },
  ]);
});

test('a file that is still on its way when the session is lost, or the time is over, has not left', async () => {
  const [file, late] = [withFile('62811'), { ...withFile('62822'), expiresInMs: 2_000 }];
  outbox.opened(connection);
  outbox.accept([file, late]);
  await settle(2_001);
  expect(reports()).toMatchObject([{ outcome: 'returned', messageId: late.messageId }]);
  outbox.lost();
  expect(outcomes()).toEqual(['returned', 'returned']);
  for (const one of bringing) one.resolve();
  outbox.opened(connection);
  await settle(10_000);
  expect(handed).toEqual([]);
  outbox.accept([{ ...file, handOver: 2 }]);
  await settle();
  // What was brought for it before says nothing about this time.
  expect([handed, bringing.length]).toEqual([[], 3]);
  bringing.at(-1)?.resolve();
  await settle();
  expect(handed).toEqual(idsOf(file));
});

test('what was refused goes another way once, and no more', async () => {
  const message = makeMessage();
  chance = Promise.resolve(true);
  outbox.opened(connection);
  outbox.accept([message]);
  await settle();
  outbox.acknowledged(message.providerMessageId, '463');
  await settle();
  expect([handed.length, outcomes()]).toEqual([2, []]);
  outbox.acknowledged(message.providerMessageId, '463');
  await settle();
  expect([handed.length, outcomes()]).toEqual([2, ['failed']]);
});

test('what was refused fails when there is no other way, when that takes too long to find out, and when the session is lost', async () => {
  const messages = [makeMessage(), makeMessage(), makeMessage()];
  const [hopeless, slow, interrupted] = messages.map(({ providerMessageId }) => providerMessageId) as [
    string,
    string,
    string,
  ];
  outbox.opened(connection);
  outbox.accept(messages);
  await settle();
  chance = Promise.resolve(false);
  outbox.acknowledged(hopeless, '400');
  await settle();
  expect(reports()).toMatchObject([{ outcome: 'failed', code: '400' }]);
  chance = new Promise(() => {});
  outbox.acknowledged(slow, '463');
  await settle(15_000);
  expect(reports()).toMatchObject([{ code: '400' }, { code: '463' }]);
  outbox.acknowledged(interrupted, '463');
  outbox.lost();
  expect(outcomes()).toEqual(['failed', 'failed', 'failed']);
});

interface Deed {
  do: 'accept' | 'open' | 'lose' | 'crash' | 'receipts' | 'wait' | 'answer';
  ms: number;
  which: number;
  code: string | null;
}

const deeds = fc.array(
  fc.record<Deed>({
    do: fc.constantFrom('accept', 'accept', 'open', 'lose', 'crash', 'receipts', 'wait', 'answer', 'answer'),
    ms: fc.constantFrom(0, 20, graceMs, 20_000),
    which: fc.nat(5),
    code: fc.constantFrom(null, null, '463', '500'),
  }),
  { maxLength: 30 },
);
const fates = fc.infiniteStream(
  fc.constantFrom(
    'arrives',
    'arrives',
    'arrives',
    'vanishes',
    'breaks off',
    'unprepared',
    'unconnected',
    'limited',
  ),
);

/** A network that knows what it has, an edge that hands everything over again after each loss, and chance between them. */
test('whatever happens in whatever order, nothing that the network has is given back, and everything ends', async () => {
  await fc.assert(
    fc.asyncProperty(deeds, fates, fc.boolean(), async (sequence, fate, mayGoOn) => {
      const accepted: OutboundMessage[] = [];
      const atNetwork = new Set<string>();
      const before = reports().length;
      const settledIds = () =>
        new Map(
          reports()
            .slice(before)
            .map((outcome) => [outcome.messageId, outcome]),
        );
      let fatesHold = true;
      chance = mayGoOn ? Promise.resolve(true) : null;
      const fickle: NetworkConnection = {
        ...connection,
        send: async ({ providerMessageId }) => {
          await Promise.resolve();
          const next = fatesHold ? fate.next().value : 'arrives';
          if (next === 'arrives') atNetwork.add(providerMessageId);
          else if (next === 'breaks off') {
            if (providerMessageId.length % 2) atNetwork.add(providerMessageId);
            throw new HandOverError(new Error(next), 'uncertain');
          } else if (next !== 'vanishes')
            throw new HandOverError(new Error(next), next as HandOverError['kind']);
        },
      };
      const handOpen = () => {
        const settled = settledIds();
        outbox.accept(
          accepted
            .filter(
              ({ messageId }) =>
                settled.get(messageId)?.outcome !== 'sent' && settled.get(messageId)?.outcome !== 'failed',
            )
            .map((message) => {
              const end = settled.get(message.messageId);
              const wasReturned = end?.outcome === 'returned' && end.handOver === message.handOver;
              message.handOver += 1;
              message.handedTo = wasReturned ? null : 'you';
              return { ...message };
            }),
        );
      };
      const open = () => {
        outbox.expectConnection();
        outbox.opened(fickle);
        handOpen();
      };
      for (const deed of sequence) {
        if (deed.do === 'accept') {
          const message = makeMessage();
          accepted.push(message);
          outbox.accept([{ ...message }]);
        } else if (deed.do === 'open') open();
        else if (deed.do === 'lose') outbox.lost();
        else if (deed.do === 'crash') crash();
        else if (deed.do === 'receipts') outbox.caughtUp();
        else if (deed.do === 'wait') await settle(deed.ms);
        else {
          const asked = accepted[deed.which];
          // The network refuses what it has not taken, and acknowledges what it has.
          if (asked && (deed.code === null) === atNetwork.has(asked.providerMessageId)) {
            if (deed.code !== null) atNetwork.delete(asked.providerMessageId);
            outbox.acknowledged(asked.providerMessageId, deed.code);
          }
        }
        await settle();
        for (const { messageId, providerMessageId, handOver } of accepted) {
          const end = settledIds().get(messageId);
          const isBack = end?.outcome === 'returned' && end.handOver === handOver;
          if (isBack) expect(atNetwork.has(providerMessageId)).toBe(false);
        }
      }
      fatesHold = false;
      for (let login = 0; login < 8; login += 1) {
        outbox.lost();
        open();
        outbox.caughtUp();
        await settle(60 * 60_000);
        for (const id of atNetwork) outbox.acknowledged(id, null);
        await settle();
      }
      const ends = settledIds();
      for (const { messageId, providerMessageId } of accepted) {
        const end = ends.get(messageId);
        expect(end?.outcome).toMatch(/^(sent|failed)$/);
        if (end?.outcome === 'sent') expect(atNetwork.has(providerMessageId)).toBe(true);
        if (end?.outcome === 'failed' && end.code === null)
          expect(atNetwork.has(providerMessageId)).toBe(false);
      }
      outbox.dispose();
      db.close();
      openOutbox();
    }),
    { numRuns: 60 },
  );
});
