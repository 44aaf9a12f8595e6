import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { afterEach, beforeEach, vi } from 'vitest';
import type { OutboundMessage, SendOutcome } from '../../../src/contract/bridge/bridge-frames.ts';
import { JournalDatabase } from '../../../src/session-bridge/journal/database.ts';
import { FactLog } from '../../../src/session-bridge/journal/facts.ts';
import { OutboundJournal } from '../../../src/session-bridge/journal/outbound.ts';
import { SendInterval } from '../../../src/session-bridge/journal/send-interval.ts';
import { makeLog } from '../../../src/session-bridge/logging.ts';
import type {
  HandOverError,
  NetworkConnection,
} from '../../../src/session-bridge/network/connection/connection.ts';
import { Outbox } from '../../../src/session-bridge/session/outbox/outbox.ts';

const numberId = uuidv7();
export const graceMs = 3_000;

const atBeginning = () => ({
  /** Ids in the order in which they were handed to the network. */
  handed: [] as string[],
  failWith: null as HandOverError | null,
  /** To whom typing was shown. */
  typedTo: [] as string[],
  typingFails: false,
  /** Whether what the network refuses may go another way. */
  chance: null as Promise<boolean> | null,
  /** Files on their way to the network, in the order in which that began. */
  bringing: [] as PromiseWithResolvers<void>[],
  /** What stands in the bridge's log at its usual level. */
  logged: [] as Record<string, unknown>[],
  /** How often a message was handed to the network once more. */
  repeated: 0,
});

/** An outbox over a journal on disk, and what the network did with its messages. Begins anew with each test. */
export const stage = {
  ...atBeginning(),
  home: '',
  db: null as unknown as JournalDatabase,
  outbox: null as unknown as Outbox,
};

/** Call in a file of tests that have an outbox, before them. */
export function useOutbox(): void {
  beforeEach(() => {
    vi.useFakeTimers();
    stage.home = mkdtempSync(join(tmpdir(), 'bridge-outbox-'));
    Object.assign(stage, atBeginning());
    openOutbox();
  });

  afterEach(() => {
    stage.outbox.dispose();
    stage.db.close();
    rmSync(stage.home, { recursive: true, force: true });
    vi.useRealTimers();
  });
}

export function openOutbox(): void {
  const db = new JournalDatabase(stage.home, (error) => {
    throw error;
  });
  stage.db = db;
  stage.outbox = new Outbox({
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
    onRepeated: () => {
      stage.repeated += 1;
    },
    secondChance: () => stage.chance,
    bringFile: () => {
      const file = Promise.withResolvers<void>();
      stage.bringing.push(file);
      return file.promise;
    },
    log: makeLog('info', { write: (line) => stage.logged.push(JSON.parse(line)) }),
  });
}

/** As after a `kill -9`: memory is gone, the disk is not. */
export function crash(): void {
  stage.outbox.dispose();
  stage.db.close();
  openOutbox();
}

export const connection: NetworkConnection = {
  files: {} as NetworkConnection['files'],
  lastHeardAtMs: 0,
  send: async ({ providerMessageId }) => {
    if (stage.failWith) throw stage.failWith;
    stage.handed.push(providerMessageId);
  },
  requestPairingCode: () => Promise.reject(new Error('not in this test')),
  showTyping: async (to) => {
    if (stage.typingFails) throw new Error('no typing here');
    stage.typedTo.push(to);
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

export function makeMessage(handedTo: OutboundMessage['handedTo'] = null): OutboundMessage {
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

/** One that carries a file, to somebody. */
export const withFile = (to: string): OutboundMessage => ({
  ...makeMessage(),
  to,
  content: { type: 'document', media: { mediaId: uuidv7(), bytes: 5, sha256: 'a'.repeat(64) } },
});

export function reports(): SendOutcome[] {
  const query = "SELECT body FROM facts WHERE kind = 'send.outcomes' ORDER BY seq";
  return stage.db.all<{ body: string }>(query).flatMap(({ body }) => JSON.parse(body).items as SendOutcome[]);
}

export const outcomes = () => reports().map(({ outcome }) => outcome);
export const handOvers = () => reports().map(({ outcome, handOver }) => [outcome, handOver]);

export async function settle(ms = 0): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
}
