import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { NumberFact } from '../../../src/contract/bridge/bridge-frames.ts';
import { textOf } from '../../../src/contract/messages/content.ts';
import { JournalDatabase, schemaSteps } from '../../../src/session-bridge/journal/database.ts';
import { groupFacts } from '../../../src/session-bridge/journal/fact-frames.ts';
import { type FactFrame, FactLog } from '../../../src/session-bridge/journal/facts.ts';
import { LeaseJournal } from '../../../src/session-bridge/journal/leases.ts';
import { OutboundJournal } from '../../../src/session-bridge/journal/outbound.ts';
import { SendInterval } from '../../../src/session-bridge/journal/send-interval.ts';
import { makeLog } from '../../../src/session-bridge/logging.ts';
import { SendLedger } from '../../../src/session-bridge/session/outbox/send-ledger.ts';

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

function logOf(epoch = 1, onVaultStored: (row: number) => void = () => {}): FactLog {
  return new FactLog({
    db,
    numberId,
    epoch,
    interval: new SendInterval(1),
    repeatAfterMs: 15_000,
    holdNetworkMs: 500,
    log: makeLog('silent'),
    onVaultStored,
  });
}

/** All that a new link is told. */
function replayOf(log: FactLog): FactFrame[] {
  const frames: FactFrame[] = [];
  log.attach({ send: (frame) => frames.push(frame), onCaughtUp: () => {} });
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
        content: { type: 'text', text },
      },
    ],
  };
}

const vaultPut = (key: string, sealed: string): NumberFact => ({
  type: 'vault.put',
  entries: [{ key, sealed }],
});
const outcome: NumberFact = {
  type: 'send.outcomes',
  items: [{ outcome: 'sent', messageId: 'msg_1', handOver: 1, at }],
};
const connected: NumberFact = { type: 'session.connected', phoneNumber: '628111111111', at };

test('a bridge keeps its identity', () => {
  const { bridgeId } = db;
  db.close();
  db = open();
  expect(db.bridgeId).toBe(bridgeId);
});

test('what waits for the commit is done when others can read what was written, and each commit is synced', () => {
  const reader = new DatabaseSync(join(home, 'journal.sqlite'));
  const stored = () => reader.prepare("SELECT value FROM meta WHERE key = 'said'").get()?.value;
  const seen: unknown[] = [];
  db.setMeta('said', 'yes');
  db.afterCommit(() => seen.push(stored()));
  expect([stored(), seen]).toEqual([undefined, []]);
  db.commit();
  expect(seen).toEqual(['yes']);
  reader.close();
  expect(db.get('PRAGMA synchronous')).toEqual({ synchronous: 2 });
});

test('of a change that fails nothing stays, and what was written before it does', () => {
  db.setMeta('before', 'kept');
  const change = () =>
    db.transaction(() => {
      db.setMeta('half', 'not kept');
      throw new Error('a bug');
    });
  expect(change).toThrow('a bug');
  db.close();
  db = open();
  expect([db.meta('before'), db.meta('half')]).toEqual(['kept', null]);
});

test('a disk that takes nothing more is told of: the bridge must not go on', () => {
  const errors: unknown[] = [];
  const home = mkdtempSync(join(tmpdir(), 'bridge-journal-'));
  const broken = new JournalDatabase(home, (error) => errors.push(error));
  broken.commit();
  const other = new DatabaseSync(join(home, 'journal.sqlite'));
  other.exec('BEGIN IMMEDIATE');
  expect(() => broken.setMeta('one', 'more')).toThrow('locked');
  expect(errors).toHaveLength(1);
  other.close();
  broken.close();
  expect(errors).toHaveLength(1);
  rmSync(home, { recursive: true, force: true });
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
  expect(replayOf(log)).toEqual([{ ...second, after: 0 }]);
});

test('vault entries count as stored when the edge has their frame', () => {
  const stored: number[] = [];
  const log = logOf(1, (seq) => stored.push(seq));
  log.append(vaultPut('creds', 'YQ=='));
  const row = log.append(vaultPut('key', 'YQ=='));
  log.append(inbound('one'));
  const [messages, keys] = replayOf(log);
  log.acknowledge(messages?.seq ?? 0);
  expect(stored).toEqual([]);
  log.acknowledge(keys?.seq ?? 0);
  expect(stored).toEqual([row]);
});

test('a held fact is told in its final form, and after a crash as it was held', () => {
  const log = logOf();
  const held = log.hold(inbound('half'));
  log.complete(held, inbound('whole'));
  log.hold(inbound('other half'));
  expect(
    replayOf(logOf()).flatMap(({ fact }) =>
      fact.type === 'inbound' ? fact.items.map(({ content }) => textOf(content)) : [],
    ),
  ).toEqual(['whole', 'other half']);
});

test('a held fact that others overtook is not taken for a repeat after a restart', () => {
  const log = logOf();
  log.hold(inbound('held'));
  log.append(connected);
  const [overtaking] = replayOf(log);
  expect(overtaking?.fact).toEqual(connected);
  const overtakingSeq = overtaking?.seq ?? 0;
  log.acknowledge(overtakingSeq);
  db.close();
  db = open();
  expect(replayOf(logOf()).map(({ seq, fact }) => [seq > overtakingSeq, fact])).toEqual([
    [true, inbound('held')],
  ]);
});

test('news that nobody else has are told soon, and more of them together while the bridge has much to tell', () => {
  const interval = new SendInterval(1);
  const slow = Array.from({ length: 50 }, (_, index) => interval.afterFact(index * 10));
  expect(new Set(slow)).toEqual(new Set([1]));
  const fast = Array.from({ length: 200 }, (_, index) => interval.afterFact(10_000 + index));
  expect(new Set(fast.slice(0, 29))).toEqual(new Set([1]));
  expect(Math.min(...fast.slice(29))).toBeGreaterThan(50);
  expect(interval.afterFact(60_000)).toBe(1);
});

test('under the next epoch messages and vault entries stay true and the session does not', () => {
  const log = logOf();
  log.append(connected);
  log.append(inbound('one'));
  log.append(vaultPut('creds', 'YQ=='));
  new LeaseJournal(db).grant({ numberId, epoch: 2 });
  expect(replayOf(logOf(2)).map(({ fact }) => fact.type)).toEqual(['inbound', 'vault.put']);
});

test('vault entries stay true over one epoch after the other, as long as no other bridge had one between', () => {
  logOf().append(vaultPut('creds', 'YQ=='));
  const leases = new LeaseJournal(db);
  for (const epoch of [2, 3, 4]) leases.grant({ numberId, epoch });
  expect(replayOf(logOf(4)).map(({ fact }) => fact.type)).toEqual(['vault.put']);
});

test('keys of the session before that still waited for their commit are void as well', () => {
  db.beforeCommit(() => logOf().append(vaultPut('creds', 'YQ==')));
  new LeaseJournal(db).grant({ numberId, epoch: 3 });
  db.commit();
  expect(replayOf(logOf(3))).toEqual([]);
});

test('a lease is known after a restart under its newest epoch', () => {
  for (const epoch of [1, 2]) new LeaseJournal(db).grant({ numberId, epoch });
  db.close();
  db = open();
  expect(new LeaseJournal(db).held()).toEqual([{ numberId, epoch: 2 }]);
});

test('of a number that was deleted nothing is left, the keys that still waited for their commit neither', () => {
  const outbound = new OutboundJournal(db);
  const leases = new LeaseJournal(db);
  leases.grant({ numberId, epoch: 1 });
  outbound.accept(numberId, { providerMessageId: '3A1', messageId: 'msg_1', to: '628111', handOver: 1 });
  outbound.setHanding(numberId, '3A1', 1);
  logOf().append(inbound('one'));
  db.beforeCommit(() => logOf().append(vaultPut('creds', 'YQ==')));
  leases.forget(numberId);
  db.commit();
  const left = ['facts', 'leases', 'outbound'].map((table) => db.all(`SELECT * FROM ${table}`));
  expect(left).toEqual([[], [], []]);
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
    fc.property(kinds, (sequence) => {
      const facts = sequence.map((kind, index) => {
        const row = index + 1;
        if (kind === 'inbound') return { row, fact: inbound(`${row}`) };
        if (kind === 'vault') return { row, fact: vaultPut(`key/${row}`, 'YQ==') };
        return { row, fact: connected };
      });
      const groups = groupFacts(facts);
      expect(groups.flatMap(({ rows }) => rows).toSorted((a, b) => a - b)).toEqual(
        facts.map(({ row }) => row),
      );
      const texts = groups.flatMap(({ fact }) =>
        fact.type === 'inbound' ? fact.items.map(({ content }) => textOf(content)) : [],
      );
      expect(texts).toEqual(texts.toSorted((a, b) => Number(a) - Number(b)));
      const news = facts.filter(({ fact }) => fact === connected).map(({ row }) => row);
      for (const { rows } of groups) {
        const first = Math.min(...rows);
        const last = Math.max(...rows);
        expect(news.filter((row) => row > first && row < last)).toEqual([]);
      }
      const order = groups.map(({ rows }) => news.filter((row) => row < Math.min(...rows)).length);
      expect(order).toEqual(order.toSorted((a, b) => a - b));
    }),
  );
});

test('keys are never sent ahead of a message that was journalled before them', () => {
  const kinds = fc.array(fc.constantFrom('inbound', 'vault', 'outcome', 'session'), { maxLength: 40 });
  fc.assert(
    fc.property(kinds, (sequence) => {
      const factOf = {
        inbound: inbound('text'),
        vault: vaultPut('creds', 'YQ=='),
        outcome,
        session: connected,
      };
      const groups = groupFacts(sequence.map((kind, index) => ({ row: index + 1, fact: factOf[kind] })));
      const sent = groups.flatMap(({ rows }) => rows);
      for (const { fact, rows } of groups) {
        if (fact.type !== 'vault.put') continue;
        const behind = sent.slice(sent.indexOf(rows[0] ?? 0));
        const earliest = Math.min(...rows);
        expect(behind.filter((row) => row < earliest)).toEqual([]);
      }
    }),
  );
});

test('lists of one kind travel as one with all that is in them, and what was sent goes before what came of it', () => {
  const listed = ['receipts', 'calls', 'send.outcomes', 'changes', 'inbound'] as const;
  const facts = [1, 2].flatMap((time) => listed.map((type) => ({ type, items: [`${type} ${time}`] })));
  const groups = groupFacts(
    facts.map((fact, index) => ({ row: index + 1, fact: fact as unknown as NumberFact })),
  );
  const order = ['send.outcomes', 'receipts', 'inbound', 'changes', 'calls'];
  expect(groups.map(({ fact }) => fact)).toEqual(
    order.map((type) => ({ type, items: [`${type} 1`, `${type} 2`] })),
  );
});

test('frames have rising numbers, also after a restart and when nothing is left', () => {
  const log = logOf();
  log.append(connected);
  const [first] = replayOf(log);
  log.acknowledge(first?.seq ?? 0);
  db.close();
  db = open();
  logOf().append(connected);
  const [second] = replayOf(logOf());
  expect(second?.seq).toBeGreaterThan(first?.seq ?? 0);
});

test('of several writes of one vault entry in a frame the last one counts', () => {
  const facts = [vaultPut('creds', 'YQ=='), vaultPut('creds', 'Yg==')].map((fact, index) => ({
    row: index + 1,
    fact,
  }));
  expect(groupFacts(facts)).toEqual([{ rows: [1, 2], fact: vaultPut('creds', 'Yg==') }]);
});

test('a lease that is given up forgets what never left, and nothing else', () => {
  const outbound = new OutboundJournal(db);
  const leases = new LeaseJournal(db);
  leases.grant({ numberId, epoch: 1 });
  const accept = (providerMessageId: string) => {
    const messageId = `msg_${providerMessageId}`;
    outbound.accept(numberId, { providerMessageId, messageId, to: '628111', handOver: 1 });
  };
  for (const id of ['waits', 'may-have-left', 'sent', 'returned']) accept(id);
  outbound.setHanding(numberId, 'may-have-left', 1);
  outbound.setResolved(numberId, 'sent', { outcome: 'sent', messageId: 'msg_sent', handOver: 1, at });
  outbound.setReturned(numberId, 'returned');
  leases.release(numberId);
  expect(leases.held()).toEqual([]);
  const states = ['waits', 'may-have-left', 'sent', 'returned'].map(
    (id) => outbound.find(numberId, id)?.state,
  );
  expect(states).toEqual([undefined, 'handing', 'resolved', 'returned']);
});

test('a send that was given back begins anew, also after a restart; one that may have left is counted on', () => {
  const message = (handOver: number) => ({
    providerMessageId: '3A1',
    messageId: 'msg_1',
    to: '628111111111',
    chatType: 'personal' as const,
    content: { type: 'text' as const, text: 'hello' },
    handedTo: null,
    handOver,
    expiresInMs: 60_000,
    typingMs: 0,
  });
  const ledger = () =>
    new SendLedger({
      numberId,
      db,
      outbound: new OutboundJournal(db),
      facts: logOf(),
      log: makeLog('silent'),
    });
  const sends = ledger();
  sends.accept(message(1));
  sends.handing('3A1');
  sends.handing('3A1');
  expect(ledger().accept(message(1))).toEqual({ mayHaveLeft: true, handOvers: 2 });
  sends.giveBack(message(1));
  expect(sends.accept(message(2))).toEqual({ mayHaveLeft: false, handOvers: 0 });
  expect(ledger().accept(message(2))).toEqual({ mayHaveLeft: false, handOvers: 0 });
  // Another bridge may have handed it over: that is no hand-over of this one.
  sends.doubted('3A1');
  expect(ledger().accept(message(2))).toEqual({ mayHaveLeft: true, handOvers: 0 });
});

test('a copy on the own phone changes nothing about a send whose outcome is known', () => {
  const outbound = new OutboundJournal(db);
  const failed = { outcome: 'failed', messageId: 'msg_1', handOver: 1, at } as const;
  outbound.accept(numberId, { providerMessageId: '3A1', messageId: 'msg_1', to: '628111', handOver: 1 });
  outbound.setResolved(numberId, '3A1', { ...failed, code: '463', errorMessage: 'Refused.' });
  outbound.addSeen(numberId, '3A1');
  expect(outbound.find(numberId, '3A1')).toMatchObject({ state: 'resolved', outcome: failed });
});

test('settled sends are forgotten after a while, open ones and those whose outcome is still to be told are not', () => {
  const outbound = new OutboundJournal(db);
  const sent = (messageId: string) => ({ outcome: 'sent', messageId, handOver: 1, at }) as const;
  const accept = (providerMessageId: string, messageId: string) =>
    outbound.accept(numberId, { providerMessageId, messageId, to: '628111111111', handOver: 1 });
  accept('open', 'msg_1');
  accept('told', 'msg_2');
  accept('may have left', 'msg_3');
  outbound.setHanding(numberId, 'may have left', 1);
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
  expect(outbound.find(numberId, 'may have left')?.state).toBe('handing');
  // Nobody has asked for it again since.
  outbound.prune(0, Date.now() + 1);
  expect(outbound.find(numberId, 'open')).toBeNull();
});

test('a bridge that was rolled back goes on with the journal of a newer one that says that it may', () => {
  const versionOf = () => db.get<{ user_version: number }>('PRAGMA user_version')?.user_version;
  db.setMeta('kept', 'by both');
  db.commit();
  const newer = schemaSteps.length + 2;
  db.run('CREATE TABLE of_the_newer_one (id INTEGER PRIMARY KEY)');
  db.commit();
  db.run(`PRAGMA user_version = ${newer}`);
  db.commit();
  db.close();
  db = open();
  expect([db.meta('kept'), versionOf()]).toEqual(['by both', newer]);
  db.run('SELECT * FROM of_the_newer_one');
  // A step that older bridges cannot live with.
  db.setMeta('neededSteps', String(newer));
  db.close();
  expect(open).toThrow('install that one again');
  const file = new DatabaseSync(join(home, 'journal.sqlite'));
  // Nor does it go on where the newer one has not said.
  file.exec("DELETE FROM meta WHERE key = 'neededSteps'");
  expect(open).toThrow('install that one again');
  file.exec("INSERT INTO meta VALUES ('neededSteps', '1')");
  file.close();
  db = open();
});
