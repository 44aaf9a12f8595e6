import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { OutboundMessage } from '../../../src/contract/bridge/bridge-frames.ts';
import { makeLog } from '../../../src/session-bridge/logging.ts';
import {
  HandOverError,
  type NetworkConnection,
} from '../../../src/session-bridge/network/connection/connection.ts';
import { HandOvers, Turns } from '../../../src/session-bridge/session/outbox/hand-overs.ts';
import { RateHold } from '../../../src/session-bridge/session/outbox/rate-hold.ts';
import {
  FilesAhead,
  newEntry,
  type SendEntry,
} from '../../../src/session-bridge/session/outbox/send-entry.ts';
import type { SendLedger } from '../../../src/session-bridge/session/outbox/send-ledger.ts';
import { afterEvent, type SendEvent } from '../../../src/session-bridge/session/outbox/send-states.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** Messages that wait for their turn, and a network that takes each of them, or says why not. */
function handingOver(As = HandOvers) {
  const entries = new Map<string, SendEntry>();
  const sent: string[] = [];
  const typing: unknown[][] = [];
  const happened: SendEvent[] = [];
  const network: { refusal: Error | null; isOpen: boolean; answers: Promise<void>; told: object[] } = {
    ...{ refusal: null, isOpen: true, answers: Promise.resolve(), told: [] },
  };
  const connection = {
    files: {},
    send: async (message: { providerMessageId: string }) => {
      const { providerMessageId } = message;
      network.told.push(message);
      if (network.refusal) throw network.refusal;
      sent.push(providerMessageId);
      await network.answers;
    },
    showTyping: async (...whom: unknown[]) => {
      typing.push(whom);
    },
  } as unknown as NetworkConnection;
  const hold = new RateHold(60_000);
  const files = new FilesAhead({ bring: async () => {}, onReady: () => {} });
  const turns = new Turns({ entries, files, hold, onTurn: () => {} });
  const handOvers = new As({
    ...{
      connection: () => (network.isOpen ? connection : null),
      turns,
      files,
      hold,
      onDone: () => {},
      log: makeLog('silent'),
    },
    ledger: { handing: () => {} } as unknown as SendLedger,
    step: (entry, event) => {
      happened.push(event);
      entry.state = afterEvent(entry.state, event);
    },
  });
  const add = (id: string, more: Partial<OutboundMessage> = {}, handed = 0): SendEntry => {
    const entry = newEntry(
      {
        ...{ messageId: `msg_${id}`, providerMessageId: id, to: '628111111111', chatType: 'personal' },
        ...{ content: { type: 'text', text: 'hello' }, handedTo: null, handOver: 1 },
        ...{ expiresInMs: 60_000, typingMs: 0 },
        ...more,
      },
      'queued',
      handed,
    );
    entries.set(id, entry);
    return entry;
  };
  /** Hands over what may leave now. */
  const run = async () => {
    void handOvers.run();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { sent, typing, happened, network, run, handOvers, add };
}

test('a message whose time ends while it is typed goes back and does not leave', async () => {
  const { sent, happened, run, add } = handingOver();
  add('typed', { typingMs: 1_500, expiresInMs: 1_000 });
  await run();
  await vi.advanceTimersByTimeAsync(1_500);
  expect([sent, happened]).toEqual([[], ['expired']]);
});

test('that somebody types is shown in the chat that the message goes to, be it a group', async () => {
  const { typing, run, add } = handingOver();
  add('personal', { typingMs: 10 });
  add('group', { typingMs: 10, to: '120363000000000042@g.us', chatType: 'group' });
  await run();
  await vi.advanceTimersByTimeAsync(20);
  expect(typing).toEqual([
    ['628111111111', 'personal'],
    ['120363000000000042@g.us', 'group'],
  ]);
});

test('a hand-over that broke off for a reason that nobody knows may have left', async () => {
  const { happened, network, run, add } = handingOver();
  network.refusal = new Error('out of the blue');
  add('one');
  await run();
  expect(happened).toEqual(['turn', 'uncertain']);
});

test('a message that the network limits again and again is not given up for that', async () => {
  const { happened, network, run, add } = handingOver();
  network.refusal = new HandOverError(new Error('rate-overlimit'), 'limited');
  const entry = add('one');
  for (let time = 0; time < 5; time += 1) {
    await run();
    entry.state = 'queued';
  }
  expect(happened.filter((event) => event !== 'turn')).toEqual(Array(5).fill('limited'));
});

test('one message is handed over at a time, however often there may be work', async () => {
  const { sent, network, run, add } = handingOver();
  const { promise, resolve } = Promise.withResolvers<void>();
  network.answers = promise;
  add('one');
  add('two');
  await run();
  await run();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent).toEqual(['one']);
  resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toEqual(['one', 'two']);
});

test('a message that is typed when nothing may leave any more does not leave, though it may have left before', async () => {
  const { sent, network, run, add } = handingOver();
  add('one', { typingMs: 1_000 }).state = 'again';
  await run();
  await vi.advanceTimersByTimeAsync(500);
  network.isOpen = false;
  await vi.advanceTimersByTimeAsync(500);
  expect(sent).toEqual([]);
});

test('of messages that may end the connections the one that was handed over least goes first, and then the earlier', async () => {
  const { sent, run, add } = handingOver();
  add('often', {}, 4);
  add('seldom', {}, 2);
  add('as seldom', {}, 2);
  add('never');
  await run();
  expect(sent).toEqual(['never', 'seldom']);
});

test('while a message that may end the connections has no answer, nothing else leaves for five seconds', async () => {
  const { sent, run, add } = handingOver();
  add('suspicious', {}, 2);
  await run();
  add('other');
  await vi.advanceTimersByTimeAsync(4_999);
  await run();
  expect(sent).toEqual(['suspicious']);
  await vi.advanceTimersByTimeAsync(1);
  await run();
  expect(sent).toEqual(['suspicious', 'other']);
});

test('a message that may end the connections holds up nobody once it is in doubt', async () => {
  const { sent, run, add } = handingOver();
  const suspicious = add('suspicious', {}, 2);
  await run();
  suspicious.state = 'doubt';
  add('other');
  await run();
  expect(sent).toEqual(['suspicious', 'other']);
});

test('the network is told what the message is, to whom it goes and in which kind of chat', async () => {
  const { network, run, add } = handingOver();
  const { message } = add('one', { to: '120363000000000042@g.us', chatType: 'group' });
  await run();
  const { to, chatType, content } = message;
  expect(network.told).toEqual([{ providerMessageId: 'one', to, chatType, content }]);
});

test('while many messages are handed over, what comes in meanwhile is heard', async () => {
  vi.useRealTimers();
  // A copy of its own: what one remembers of the clock is of the fake clock of other tests.
  const own: string = '../../../src/session-bridge/session/outbox/hand-overs.ts?own';
  const { sent, handOvers, add } = handingOver((await import(own)).HandOvers);
  for (let index = 0; index < 2_000; index += 1) add(`message ${index}`);
  let sentWhenHeard = 0;
  setImmediate(() => {
    sentWhenHeard = sent.length;
  });
  await handOvers.run();
  expect(sent).toHaveLength(2_000);
  expect(sentWhenHeard).toBeLessThan(2_000);
});
