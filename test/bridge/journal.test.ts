import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { NumberFact } from '../../src/contract/bridge-frames.ts';
import { JournalDatabase } from '../../src/session-bridge/journal/database.ts';
import { type FactFrame, groupFacts } from '../../src/session-bridge/journal/fact-groups.ts';
import { FactTide } from '../../src/session-bridge/journal/fact-tide.ts';
import { FactLog } from '../../src/session-bridge/journal/facts.ts';
import { LeaseJournal } from '../../src/session-bridge/journal/leases.ts';
import { OutboundJournal } from '../../src/session-bridge/journal/outbound.ts';

const numberId = '019a0000-0000-7000-8000-000000000001';
const at = '2026-01-31T09:30:00.000Z';

let home: string;
let db: JournalDatabase;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'bridge-journal-'));
  db = open();
});

afterEach(() => {
  db.close();
  rmSync(home, { recursive: true, force: true });
});

function open(): JournalDatabase {
  return new JournalDatabase(home, (error) => {
    throw error;
  });
}

function logOf(epoch = 1, onVaultStored: (seq: number) => void = () => {}): FactLog {
  return new FactLog({ db, numberId, epoch, tickMs: 1, tide: new FactTide(), onVaultStored });
}

/** All that a new link is told. */
function replayOf(log: FactLog): FactFrame[] {
  const frames: FactFrame[] = [];
  log.attach((frame) => frames.push(frame));
  log.detach();
  return frames;
}

function inbound(text: string): NumberFact {
  return {
    type: 'inbound',
    items: [
      {
        providerMessageId: text,
        at,
        chatType: 'personal',
        from: '628111111111',
        pushName: '',
        messageType: 'text',
        text,
      },
    ],
  };
}

const vaultPut = (key: string, sealed: string): NumberFact => ({
  type: 'vault.put',
  entries: [{ key, sealed }],
});
const connected: NumberFact = { type: 'session.connected', phoneNumber: '628111111111', at };

test('a bridge keeps its identity', () => {
  const { bridgeId } = db;
  db.close();
  db = open();
  expect(db.bridgeId).toBe(bridgeId);
});

test('a fact that was not acknowledged is told again after a restart, in the same frames', () => {
  const log = logOf();
  log.append(inbound('one'));
  log.append(vaultPut('creds', 'YQ=='));
  log.append(inbound('two'));
  const before = replayOf(log);
  db.close();
  db = open();
  const again = logOf();
  again.append(inbound('three'));
  const after = replayOf(again);
  expect(after.slice(0, before.length)).toEqual(before);
  expect(after.at(-1)?.fact).toEqual(inbound('three'));
});

test('an acknowledgement ends every frame up to it and none beyond', () => {
  const log = logOf();
  log.append(inbound('one'));
  log.append(vaultPut('creds', 'YQ=='));
  log.append(inbound('two'));
  const [first, second] = replayOf(log);
  log.acknowledge(first?.seq ?? 0);
  expect(replayOf(log)).toEqual([second]);
});

test('vault entries count as stored when the edge has their frame', () => {
  const stored: number[] = [];
  const log = logOf(1, (seq) => stored.push(seq));
  const seq = log.append(vaultPut('creds', 'YQ=='));
  log.append(inbound('one'));
  const frames = replayOf(log);
  log.acknowledge(frames.at(-1)?.seq ?? 0);
  expect(stored).toEqual([frames.find(({ fact }) => fact.type === 'vault.put')?.seq]);
  expect(stored[0]).toBeGreaterThanOrEqual(seq);
});

test('a held fact is told in its final form, and after a crash as it was held', () => {
  const log = logOf();
  const held = log.hold(inbound('half'));
  log.complete(held, inbound('whole'));
  log.hold(inbound('other half'));
  expect(
    replayOf(log).flatMap(({ fact }) => (fact.type === 'inbound' ? fact.items.map(({ text }) => text) : [])),
  ).toEqual(['whole', 'other half']);
});

test('a held fact that others overtook is not taken for a repeat after a restart', () => {
  const log = logOf();
  const sent: FactFrame[] = [];
  log.attach((frame) => sent.push(frame));
  log.hold(inbound('held'));
  db.run(
    "INSERT INTO facts (number_id, epoch, frame, kind, body) VALUES (?, 1, 2, 'session.connected', ?)",
    numberId,
    JSON.stringify(connected),
  );
  log.acknowledge(2);
  log.detach();
  db.close();
  db = open();
  expect(replayOf(logOf()).map(({ seq, fact }) => [seq > 2, fact])).toEqual([[true, inbound('held')]]);
});

test('news that nobody else has are told soon, and more of them together while the bridge has much to tell', () => {
  const tide = new FactTide();
  const slow = Array.from({ length: 50 }, (_, index) => tide.isHighAfter(index * 10));
  expect(slow).not.toContain(true);
  const fast = Array.from({ length: 200 }, (_, index) => tide.isHighAfter(10_000 + index));
  expect(fast.slice(0, 29)).not.toContain(true);
  expect(fast.slice(29)).not.toContain(false);
  expect(tide.isHighAfter(60_000)).toBe(false);
});

test('under the next epoch messages and vault entries stay true and the session does not', () => {
  const log = logOf();
  log.append(connected);
  log.append(inbound('one'));
  log.append(vaultPut('creds', 'YQ=='));
  new LeaseJournal(db).grant({ numberId, epoch: 2 });
  expect(replayOf(logOf(2)).map(({ fact }) => fact.type)).toEqual(['inbound', 'vault.put']);
});

test('vault entries are void when another bridge may have held the number meanwhile', () => {
  logOf().append(vaultPut('creds', 'YQ=='));
  logOf().append(inbound('one'));
  new LeaseJournal(db).grant({ numberId, epoch: 3 });
  expect(replayOf(logOf(3)).map(({ fact }) => fact.type)).toEqual(['inbound']);
});

test('frames rise, hold every fact once, keep the order of each kind and never join across news of the session', () => {
  const kinds = fc.array(fc.constantFrom('inbound', 'vault', 'session'), { maxLength: 40 });
  fc.assert(
    fc.property(kinds, fc.integer({ min: 100, max: 2_000 }), (sequence, bytesMax) => {
      const facts = sequence.map((kind, index) => {
        const seq = index + 1;
        if (kind === 'inbound') return { seq, fact: inbound(`${seq}`) };
        if (kind === 'vault') return { seq, fact: vaultPut(`key/${seq}`, 'YQ==') };
        return { seq, fact: connected };
      });
      const groups = groupFacts(facts, bytesMax);
      const seqs = groups.map(({ seq }) => seq);
      expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
      expect(groups.flatMap(({ rows }) => rows).toSorted((a, b) => a - b)).toEqual(
        facts.map(({ seq }) => seq),
      );
      const texts = groups.flatMap(({ fact }) =>
        fact.type === 'inbound' ? fact.items.map(({ text }) => text) : [],
      );
      expect(texts).toEqual(texts.toSorted((a, b) => Number(a) - Number(b)));
      const news = facts.filter(({ fact }) => fact === connected).map(({ seq }) => seq);
      for (const { rows } of groups) {
        const first = Math.min(...rows);
        const last = Math.max(...rows);
        expect(news.filter((seq) => seq > first && seq < last)).toEqual([]);
      }
    }),
  );
});

test('of several writes of one vault entry in a frame the last one counts', () => {
  const facts = [vaultPut('creds', 'YQ=='), vaultPut('creds', 'Yg==')].map((fact, index) => ({
    seq: index + 1,
    fact,
  }));
  expect(groupFacts(facts)).toEqual([{ seq: 2, rows: [1, 2], fact: vaultPut('creds', 'Yg==') }]);
});

test('settled sends are forgotten after a while, open ones and those whose outcome is still to be told are not', () => {
  const outbound = new OutboundJournal(db);
  const sent = (messageId: string) => ({ outcome: 'sent', messageId, at }) as const;
  outbound.accept(numberId, 'open', 'msg_1', '628111111111');
  outbound.accept(numberId, 'told', 'msg_2', '628111111111');
  outbound.setResolved(numberId, 'told', sent('msg_2'));
  const log = logOf();
  log.append({ type: 'send.outcomes', items: [sent('msg_2')] });
  const [frame] = replayOf(log);
  outbound.prune(Date.now() + 1, 0);
  expect(outbound.find(numberId, 'told')?.state).toBe('resolved');
  log.acknowledge(frame?.seq ?? 0);
  outbound.prune(Date.now() + 1, 0);
  expect(outbound.find(numberId, 'told')).toBeNull();
  expect(outbound.find(numberId, 'open')?.state).toBe('accepted');
});
