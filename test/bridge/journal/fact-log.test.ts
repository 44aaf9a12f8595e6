import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  type NumberFact,
  unacknowledgedBytesMax,
  unacknowledgedFramesMax,
} from '../../../src/contract/bridge/bridge-frames.ts';
import { textOf } from '../../../src/contract/messages/content.ts';
import { JournalDatabase } from '../../../src/session-bridge/journal/database.ts';
import { type FactFrame, FactLog } from '../../../src/session-bridge/journal/facts.ts';
import { LeaseJournal } from '../../../src/session-bridge/journal/leases.ts';
import { SendInterval } from '../../../src/session-bridge/journal/send-interval.ts';
import { makeLog } from '../../../src/session-bridge/logging.ts';

const numberId = '019a0000-0000-7000-8000-000000000001';
const at = '2026-01-31T09:30:00.000Z';
const repeatAfterMs = 15_000;
const holdNetworkMs = 500;
const intervalMs = 5;

let home: string;
let db: JournalDatabase;
let log: FactLog;
let logLines: string[];
/** What the link has carried. */
let sent: FactFrame[];
let isCaughtUp: boolean;

beforeEach(() => {
  vi.useFakeTimers();
  home = mkdtempSync(join(tmpdir(), 'bridge-facts-'));
  db = new JournalDatabase(home, (error) => {
    throw error;
  });
  logLines = [];
  log = logOf();
  sent = [];
  isCaughtUp = false;
});

afterEach(() => {
  log.detach();
  db.close();
  rmSync(home, { recursive: true, force: true });
  vi.useRealTimers();
});

function logOf(reportOnly = false): FactLog {
  return new FactLog({
    db,
    numberId,
    epoch: 1,
    interval: new SendInterval(intervalMs),
    repeatAfterMs,
    holdNetworkMs,
    reportOnly,
    log: makeLog('info', { write: (line) => logLines.push(line) }),
    onVaultStored: () => {},
  });
}

function link(): void {
  sent = [];
  log.attach({
    send: (frame) => sent.push(frame),
    onCaughtUp: () => {
      isCaughtUp = true;
    },
  });
}

function inbound(...texts: string[]): NumberFact {
  const items = texts.map((text) => ({
    providerMessageId: text.slice(0, 20),
    at,
    chatType: 'personal' as const,
    from: '628111111111',
    pushName: '',
    content: { type: 'text' as const, text },
  }));
  return { type: 'inbound', items };
}

/** A fact that joins no other. */
const news = (index: number): NumberFact => ({
  type: 'session.connected',
  phoneNumber: `62811${String(index).padStart(7, '0')}`,
  at,
});
const vaultPut: NumberFact = { type: 'vault.put', entries: [{ key: 'creds', sealed: 'YQ==' }] };

const seqs = () => sent.map(({ seq }) => seq);
const textsOf = (frames: FactFrame[]) =>
  frames.flatMap(({ fact }) =>
    fact.type === 'inbound' ? fact.items.map(({ content }) => textOf(content)) : [],
  );

/** Lets the facts that wait for others go. */
const tick = () => vi.advanceTimersByTimeAsync(200);

test('a busy number has so many frames under way and no more, and what waits goes in larger groups', async () => {
  link();
  for (let index = 0; index < unacknowledgedFramesMax + 10; index++) log.append(news(index));
  await tick();
  for (let index = 0; index < 500; index++) log.append(inbound(`text ${index}`));
  await tick();
  expect(sent).toHaveLength(unacknowledgedFramesMax);
  log.acknowledge(sent[9]?.seq ?? 0);
  expect(sent).toHaveLength(unacknowledgedFramesMax + 10);
  log.acknowledge(sent.at(-1)?.seq ?? 0);
  expect(sent).toHaveLength(unacknowledgedFramesMax + 11);
  expect(textsOf(sent)).toEqual(Array.from({ length: 500 }, (_, index) => `text ${index}`));
  expect(seqs()).toEqual(seqs().toSorted((a, b) => a - b));
});

test('the bytes of the frames under way have a bound, too', async () => {
  for (let index = 0; index < 60; index++) log.append(inbound(String(index).padEnd(60_000, 'x')));
  link();
  const carried = () => sent.reduce((sum, frame) => sum + JSON.stringify(frame).length, 0);
  expect(carried()).toBeGreaterThan(unacknowledgedBytesMax / 2);
  expect(carried()).toBeLessThanOrEqual(unacknowledgedBytesMax + 1024);
  for (let acknowledged = 0; acknowledged < sent.length; acknowledged++)
    log.acknowledge(sent[acknowledged]?.seq ?? 0);
  expect(textsOf(sent)).toHaveLength(60);
  expect(log.isEmpty).toBe(true);
});

test('work is asked for when all that the journal held has been sent, and not before', async () => {
  for (let index = 0; index < unacknowledgedFramesMax + 1; index++) log.append(news(index));
  link();
  expect([sent.length, isCaughtUp]).toEqual([unacknowledgedFramesMax, false]);
  log.append(news(1_000));
  log.acknowledge(sent[0]?.seq ?? 0);
  expect(isCaughtUp).toBe(true);
});

test('work is asked for behind all that the journal held, also where a part of it just fills the room', () => {
  // The journal is read in parts of 512 KB.
  const characters = Math.floor((512 * 1024) / unacknowledgedFramesMax) - 200;
  const large: NumberFact = { type: 'session.connected', phoneNumber: '6'.repeat(characters), at };
  for (let index = 0; index < unacknowledgedFramesMax + 1; index++) log.append(large);
  link();
  expect([sent.length, isCaughtUp]).toEqual([unacknowledgedFramesMax, false]);
  log.acknowledge(sent.at(-1)?.seq ?? 0);
  expect([sent.length, isCaughtUp]).toEqual([unacknowledgedFramesMax + 1, true]);
});

test('the oldest frame without an answer is sent again after 15 s, as it was', async () => {
  log.append(news(1));
  log.append(news(2));
  link();
  const [first, second] = sent;
  expect([first?.after, second?.after]).toEqual([0, first?.seq]);
  await vi.advanceTimersByTimeAsync(repeatAfterMs - 1);
  expect(sent).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent.slice(2)).toEqual([first]);
  await vi.advanceTimersByTimeAsync(repeatAfterMs);
  expect(sent.slice(3)).toEqual([first]);
  await tick();
  expect(isCaughtUp).toBe(true);
});

test('when the edge has lost its memory all that it had is repeated in order, and what is new waits behind it', async () => {
  for (let index = 0; index < 5; index++) log.append(news(index));
  link();
  const lost = [...sent];
  await vi.advanceTimersByTimeAsync(repeatAfterMs);
  log.append(news(99));
  await tick();
  for (const { seq, fact } of lost) {
    expect(sent.at(-1)).toEqual({ seq, after: 0, fact });
    log.acknowledge(seq);
  }
  expect(sent.at(-1)?.fact).toEqual(news(99));
  expect(sent).toHaveLength(11);
});

test('a frame names the one before it, so that an edge which never got that one does not take it', async () => {
  link();
  for (const index of [1, 2, 3]) {
    log.append(news(index));
    await tick();
  }
  const [first, second, third] = sent;
  expect([second?.after, third?.after]).toEqual([first?.seq, second?.seq]);
  log.acknowledge(third?.seq ?? 0);
  log.append(news(4));
  await tick();
  expect(sent[3]?.after).toBe(0);
});

test('a fact that the edge can never take is set aside, logged without what it says, and holds up nothing', async () => {
  log.append(news(1));
  log.append(inbound('a secret'));
  log.append(news(2));
  link();
  const [first, poison, last] = sent;
  log.acknowledge(first?.seq ?? 0);
  log.refuse(poison?.seq ?? 0, 'invalid');
  const isDrained = log.drained();
  log.acknowledge(last?.seq ?? 0);
  await isDrained;
  expect(db.all('SELECT kind, reason, number_id FROM parked_facts')).toEqual([
    { kind: 'inbound', reason: 'invalid', number_id: numberId },
  ]);
  const line = logLines.find((text) => text.includes('fact.parked'));
  expect(JSON.parse(line ?? '{}')).toMatchObject({ kind: 'inbound', reason: 'invalid', rows: 1 });
  expect(logLines.join()).not.toContain('a secret');
  link();
  expect(sent).toEqual([]);
});

test('a refusal says nothing of the facts before it', async () => {
  log.append(news(1));
  log.append(news(2));
  link();
  log.refuse(sent[1]?.seq ?? 0, 'invalid');
  const before = sent[0];
  link();
  expect(sent).toEqual([before]);
});

test('facts that were set aside are bounded: the newest ones are kept', async () => {
  link();
  for (let index = 0; index < 1_100; index++) log.append(news(index));
  await tick();
  for (let index = 0; index < sent.length; index++) log.refuse(sent[index]?.seq ?? 0, 'invalid');
  const bodies = db.all<{ body: string }>('SELECT body FROM parked_facts ORDER BY id');
  expect(bodies).toHaveLength(1_000);
  expect(JSON.parse(bodies.at(-1)?.body ?? '')).toEqual(news(1_099));
});

test('a fact that is too large for any frame is set aside, and holds up nothing', async () => {
  link();
  log.append({ type: 'vault.put', entries: [{ key: 'huge', sealed: 'YWFh'.repeat(300_000) }] });
  log.append(news(1));
  await tick();
  expect(sent.map(({ fact }) => fact)).toEqual([news(1)]);
  expect(db.all('SELECT reason FROM parked_facts')).toEqual([{ reason: 'too_large' }]);
});

test('facts that were set aside are bounded in all that they say, too', () => {
  const huge = (key: string): NumberFact => ({
    type: 'vault.put',
    entries: [{ key, sealed: 'YWFh'.repeat(1024 * 1024) }],
  });
  for (const key of ['1', '2', '3', '4', '5']) log.append(huge(key));
  link();
  const bodies = db.all<{ body: string }>('SELECT body FROM parked_facts ORDER BY id');
  expect(bodies.map(({ body }) => JSON.parse(body).entries[0].key)).toEqual(['3', '4', '5']);
});

test('when a lease is over its messages are reported, and neither its session nor its keys', async () => {
  log.append(news(1));
  log.append(inbound('one'));
  log.append(vaultPut);
  log = logOf(true);
  link();
  expect(sent.map(({ fact }) => fact)).toEqual([inbound('one')]);
  log.acknowledge(sent[0]?.seq ?? 0);
  expect(log.isEmpty).toBe(true);
});

test('what a report has told leaves the keys, which are told when this bridge has the next lease', async () => {
  link();
  log.append(vaultPut);
  await tick();
  log.append(inbound('one'));
  await tick();
  log = logOf(true);
  link();
  expect(sent.map(({ fact }) => fact)).toEqual([inbound('one')]);
  log.acknowledge(sent[0]?.seq ?? 0);
  new LeaseJournal(db).grant({ numberId, epoch: 2 });
  log = logOf();
  link();
  expect(sent.map(({ fact }) => fact)).toEqual([vaultPut]);
});

test('news of the session stand behind the keys that were written before them', () => {
  db.beforeCommit(() => log.append(vaultPut));
  log.append(news(1));
  link();
  expect(sent.map(({ fact }) => fact.type)).toEqual(['vault.put', 'session.connected']);
});

test('keys that still wait for their commit are told before work is asked for, and nothing is drained before that', () => {
  db.beforeCommit(() => log.append(vaultPut));
  expect(log.isEmpty).toBe(false);
  log.append(vaultPut);
  db.beforeCommit(() => log.append({ type: 'vault.put', entries: [{ key: 'later', sealed: 'YQ==' }] }));
  log.attach({
    send: (frame) => sent.push(frame),
    onCaughtUp: () => {
      isCaughtUp = JSON.stringify(sent).includes('later');
    },
  });
  expect(isCaughtUp).toBe(true);
});

test('numbers whose lease is over are known by what they have to report; the rest of them is dropped', () => {
  const leases = new LeaseJournal(db);
  leases.grant({ numberId, epoch: 1 });
  log.append(news(1));
  log.append(inbound('one'));
  log.append(vaultPut);
  expect(leases.over()).toEqual([]);
  leases.dropVoid();
  expect(db.all('SELECT kind FROM facts')).toHaveLength(3);
  leases.release(numberId);
  expect(leases.over()).toEqual([{ numberId, epoch: 1 }]);
  leases.dropVoid();
  expect(db.all('SELECT kind FROM facts')).toEqual([{ kind: 'inbound' }]);
});

test('keys of the last epoch have new numbers under the next one, for messages may have gone ahead of them', () => {
  log.append(vaultPut);
  log.append(news(1));
  log.append(inbound('one'));
  link();
  const [keys] = sent;
  new LeaseJournal(db).grant({ numberId, epoch: 2 });
  link();
  expect(sent.map(({ fact }) => fact.type)).toEqual(['inbound', 'vault.put']);
  expect(sent[1]?.seq).toBeGreaterThan(sent[0]?.seq ?? 0);
  expect(sent[1]?.seq).toBeGreaterThan(keys?.seq ?? 0);
});

test('what is said to the network waits, in order, until the edge has stored what was heard before it', async () => {
  link();
  const said: string[] = [];
  log.afterStored(() => said.push('at once'));
  log.append(inbound('one'));
  log.afterStored(() => said.push('behind one'));
  await tick();
  log.append(inbound('two'));
  log.afterStored(() => said.push('behind two'));
  await tick();
  expect(said).toEqual(['at once']);
  log.acknowledge(sent[0]?.seq ?? 0);
  expect(said).toEqual(['at once', 'behind one']);
  log.acknowledge(sent[1]?.seq ?? 0);
  expect(said).toEqual(['at once', 'behind one', 'behind two']);
});

test('a held fact that a later log of the number has told already stays as it was told', () => {
  const held = log.hold(inbound('by an alias'));
  const later = logOf();
  later.attach({ send: (frame) => sent.push(frame), onCaughtUp: () => {} });
  log.complete(held, inbound('by a number'));
  later.detach();
  later.attach({ send: (frame) => sent.push(frame), onCaughtUp: () => {} });
  expect(sent).toEqual([sent[0], sent[0]]);
  expect(textsOf(sent)).toEqual(['by an alias', 'by an alias']);
  later.detach();
});

test('a fact waits a moment for others, and so many together wait for none', async () => {
  link();
  for (let index = 1; index < 24; index += 1) log.append(news(index));
  await vi.advanceTimersByTimeAsync(1);
  expect(sent).toEqual([]);
  log.append(news(24));
  await vi.advanceTimersByTimeAsync(1);
  expect(sent).toHaveLength(24);
});

test('a fact that is completed later holds up the network like one that was complete at once', async () => {
  link();
  const said: string[] = [];
  const held = log.hold(inbound('by an alias'));
  log.afterStored(() => said.push('behind it'));
  log.complete(held, inbound('by a number'));
  await tick();
  expect(said).toEqual([]);
  log.acknowledge(sent.at(-1)?.seq ?? 0);
  expect(said).toEqual(['behind it']);
});

test('a fact that is not complete yet lets through what is to be asked of the network for it', async () => {
  link();
  const said: string[] = [];
  log.append(inbound('one'));
  const held = log.hold(inbound('by an alias'));
  log.afterStored(() => said.push('who is that?'));
  await tick();
  log.acknowledge(sent.at(-1)?.seq ?? 0);
  expect(said).toEqual([]);
  await vi.advanceTimersByTimeAsync(holdNetworkMs / 2);
  expect(said).toEqual(['who is that?']);
  log.complete(held, inbound('by a number'));
  await tick();
  expect(JSON.stringify(sent.at(-1))).toContain('by a number');
});

test('while the edge stores nothing the network waits so long for a fact, and no longer', async () => {
  const said: string[] = [];
  log.append(inbound('one'));
  log.afterStored(() => said.push('behind one'));
  await vi.advanceTimersByTimeAsync(holdNetworkMs / 2);
  log.append(inbound('two'));
  log.afterStored(() => said.push('behind two'));
  await vi.advanceTimersByTimeAsync(holdNetworkMs / 2);
  expect(said).toEqual(['behind one']);
  await vi.advanceTimersByTimeAsync(holdNetworkMs / 2);
  expect(said).toEqual(['behind one', 'behind two']);
});

test('receipts, changes, calls and notices of groups hold up what is said to the network as messages do', () => {
  const says = { type: 'receipts', items: [] } satisfies NumberFact;
  for (const type of ['receipts', 'changes', 'calls', 'group.notice'] as const) {
    const heard = logOf();
    heard.append({ ...says, type } as NumberFact);
    let isSaid = false;
    heard.afterStored(() => {
      isSaid = true;
    });
    expect([type, isSaid]).toEqual([type, false]);
  }
});

test('what the network would not say again holds up nothing', () => {
  const said: string[] = [];
  log.append(news(1));
  log.append(vaultPut);
  log.afterStored(() => said.push('at once'));
  expect(said).toEqual(['at once']);
});
