import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { NumberFact, OutboundMessage } from '../../../src/contract/bridge/bridge-frames.ts';
import { JournalDatabase } from '../../../src/session-bridge/journal/database.ts';
import type { FactLog } from '../../../src/session-bridge/journal/facts.ts';
import { OutboundJournal } from '../../../src/session-bridge/journal/outbound.ts';
import { makeLog } from '../../../src/session-bridge/logging.ts';
import { SendLedger } from '../../../src/session-bridge/session/outbox/send-ledger.ts';

/** What the journal of a bridge knows, and what the edge was told. */
function newLedger() {
  const home = mkdtempSync(join(tmpdir(), 'bridge-ledger-'));
  const db = new JournalDatabase(home, (error) => {
    throw error;
  });
  onTestFinished(() => {
    db.close();
    rmSync(home, { recursive: true, force: true });
  });
  const told: NumberFact[] = [];
  const facts = { append: (fact: NumberFact) => told.push(fact) } as unknown as FactLog;
  const outbound = new OutboundJournal(db);
  const ledger = new SendLedger({ numberId: 'number', db, outbound, facts, log: makeLog('silent') });
  return { ledger, told };
}

const message = (handOver: number): OutboundMessage => ({
  ...{ messageId: 'msg_1', providerMessageId: '3EB001', to: '628111111111', chatType: 'personal' },
  ...{ content: { type: 'text', text: 'hello' }, handedTo: 'another', handOver },
  ...{ expiresInMs: 60_000, typingMs: 0 },
});

test('a message of which its recipient has told, before this bridge was given it, is sent and does not leave again', () => {
  const { ledger, told } = newLedger();
  ledger.noteEvidence('3EB001');
  expect(ledger.accept(message(2))).toBe('settled');
  expect(told).toMatchObject([{ items: [{ outcome: 'sent', messageId: 'msg_1', handOver: 2 }] }]);
});
