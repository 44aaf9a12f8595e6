import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { OutboundMessage } from '../../../src/contract/bridge/bridge-frames.ts';
import type { NetworkFiles } from '../../../src/session-bridge/network/files/network-files.ts';
import { Turns } from '../../../src/session-bridge/session/outbox/hand-overs.ts';
import { RateHold } from '../../../src/session-bridge/session/outbox/rate-hold.ts';
import {
  FilesAhead,
  newEntry,
  type SendEntry,
} from '../../../src/session-bridge/session/outbox/send-entry.ts';

const networkFiles = {} as NetworkFiles;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** A text that waits for its turn, for so long at most. */
function waiting(providerMessageId: string, expiresInMs: number): SendEntry {
  const message: OutboundMessage = {
    ...{ messageId: `msg_${providerMessageId}`, providerMessageId, to: '628111111111', chatType: 'personal' },
    ...{ content: { type: 'text', text: 'hello' }, handedTo: null, handOver: 1, expiresInMs, typingMs: 0 },
  };
  return newEntry(message, 'queued', 0);
}

test('while the network limits questions, the turn of a message comes when its time is over, that it may go back', () => {
  const hold = new RateHold(60_000);
  hold.limited();
  const [short, long] = [waiting('short', 10_000), waiting('long', 3_600_000)];
  const entries = new Map([long, short].map((entry) => [entry.message.providerMessageId, entry]));
  const onTurn = vi.fn();
  const files = new FilesAhead({ bring: async () => {}, onReady: () => {} });
  const turns = new Turns({ entries, files, hold, onTurn });
  expect(turns.next(networkFiles)).toBeNull();
  vi.advanceTimersByTime(9_999);
  expect(onTurn).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onTurn).toHaveBeenCalledOnce();
  expect(turns.next(networkFiles)).toBe(short);
});

test('a message that has weeks is looked at when its file is there, and not all the time until then', () => {
  const onTurn = vi.fn();
  const entry = waiting('long', 60 * 86_400_000);
  entry.message.content = { type: 'document', media: { mediaId: 'file', bytes: 5, sha256: 'a'.repeat(64) } };
  const files = new FilesAhead({ bring: () => new Promise(() => {}), onReady: () => {} });
  const turns = new Turns({ entries: new Map([['long', entry]]), files, hold: new RateHold(1), onTurn });
  expect(turns.next(networkFiles)).toBeNull();
  vi.advanceTimersByTime(86_400_000);
  expect(onTurn).not.toHaveBeenCalled();
});
