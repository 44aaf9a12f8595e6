import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { MessageOrigin } from '../../../../src/contract/messages/message.ts';
import { accountMigrations } from '../../../../src/durable/account/migrations.ts';
import { Backlog } from '../../../../src/durable/account/outbox/backlog.ts';
import { Expiry } from '../../../../src/durable/account/outbox/expiry.ts';
import type { Failures } from '../../../../src/durable/account/outbox/failures.ts';
import { HandOver } from '../../../../src/durable/account/outbox/hand-over.ts';
import { Aliases } from '../../../../src/durable/account/recipients/aliases.ts';
import { OptOuts } from '../../../../src/durable/account/recipients/opt-outs.ts';
import type { CurrentPool } from '../../../../src/durable/account/senders/current-pool.ts';
import { newSender, type Sender } from '../../../../src/durable/account/senders/sender.ts';
import { Senders } from '../../../../src/durable/account/senders/senders.ts';
import type { AcceptedMessage } from '../../../../src/durable/hand-over/message-batch.ts';
import { sqliteStorage } from '../campaign/sqlite-storage.ts';

const now = Date.UTC(2026, 10, 26, 12);
const person: MessageOrigin = { kind: 'person', userId: '01934567-89ab-7def-8123-456789abcdef' };
const campaign: MessageOrigin = { kind: 'campaign', campaignId: '01934567-89ab-7def-8123-456789abcdef' };

let storage: ReturnType<typeof sqliteStorage>;
let sender: Sender;
let failed: { messageId: string; errorCode: string }[];
let count = 0;

beforeEach(() => {
  storage = sqliteStorage();
  for (const { sql } of accountMigrations) storage.sql.exec(sql);
  failed = [];
  sender = newSender('number');
  Object.assign(sender, { room: 100, report: { state: 'connected', health: { status: 'healthy' } } });
});

/** A life of the account's object, that begins at this time. */
function life(beganAt: number) {
  const backlog = new Backlog(storage.sql);
  const optOuts = new OptOuts(storage.sql, new Aliases(storage.sql), beganAt);
  const failures = {
    fail: ({ messageId }: AcceptedMessage, _: Sender, { errorCode }: { errorCode: string }) =>
      failed.push({ messageId, errorCode }),
  } as unknown as Failures;
  const handOver = new HandOver({
    senders: new Senders(storage.sql),
    backlog,
    currentPool: { noteFailing: () => {} } as unknown as CurrentPool,
    optOuts,
    failures,
    change: (work) => work(),
    give: () => Promise.reject(new Error('nothing is offered in these tests')),
    waitUntil: () => {},
  });
  const accept = (more: Partial<AcceptedMessage> = {}, wroteAt: number | null = null): string => {
    count += 1;
    const messageId = `msg_${String(count).padStart(6, '0')}`;
    const message: AcceptedMessage = {
      messageId,
      to: `62810000${count}`,
      chatType: 'personal',
      content: { type: 'text', text: 'hello' },
      senderSource: 'pool',
      isNewChat: false,
      mayMove: true,
      queuedAt: now,
      expiresAt: now + 86_400_000,
      ...more,
    };
    backlog.add(sender, message, wroteAt, now);
    return messageId;
  };
  const batch = (at = now): readonly string[] => {
    handOver.form(sender, at);
    return sender.batch ?? [];
  };
  const senders = { watch: () => new Set(), all: [sender], of: () => sender, save: () => {} };
  const parts = { senders: senders as unknown as Senders, backlog, failures };
  const expire = (at: number) => new Expiry({ ...parts, change: (work) => work() }).run(at);
  return { accept, batch, expire, optOuts };
}

describe('what is left of the day', () => {
  test('is shared by all lanes of a batch, those who come first before those who are last', () => {
    const { accept, batch } = life(now);
    const last = [1, 2].map(() => accept({ origin: campaign }));
    const keys = [1, 2].map(() => accept());
    const people = [1, 2].map(() => accept({ origin: person }));
    sender.dailyRemaining = 3;
    expect(batch()).toEqual([...people, keys[0]]);
    expect(last).toHaveLength(2);
  });

  test('holds back no answer, and answers use none of it up', () => {
    const { accept, batch } = life(now);
    const answers = [1, 2].map(() => accept({ origin: person }, now - 1_000));
    const [first] = [1, 2].map(() => accept());
    const answer = accept({ origin: campaign }, now - 1_000);
    sender.dailyRemaining = 1;
    expect(batch()).toEqual([...answers, first, answer]);
  });

  test('holds back everything but answers once it is used up', () => {
    const { accept, batch } = life(now);
    accept();
    const answer = accept({}, now - 86_399_000);
    accept({}, now - 86_401_000);
    sender.dailyRemaining = 0;
    expect(batch()).toEqual([answer]);
  });
});

describe('a batch', () => {
  test('holds as many as there is room for, the oldest of the first lanes', () => {
    const { accept, batch } = life(now);
    const keys = [1, 2, 3].map(() => accept());
    const someone = accept({ origin: person });
    sender.room = 3;
    expect(batch()).toEqual([someone, keys[0], keys[1]]);
  });

  test('of a number that is restricted begins no chat', () => {
    const { accept, batch } = life(now);
    accept({ isNewChat: true });
    const ongoing = accept();
    Object.assign(sender, { report: { state: 'connected', health: { status: 'restricted' } } });
    expect(batch()).toEqual([ongoing]);
  });

  test('of a number without room holds what people have written, unless it rests', () => {
    const { accept, batch } = life(now);
    accept();
    const someone = accept({ origin: person });
    Object.assign(sender, { room: 0, report: { state: 'connected', health: { status: 'resting' } } });
    expect(batch()).toEqual([]);
    Object.assign(sender, { report: { state: 'connected', health: { status: 'healthy' } } });
    expect(batch()).toEqual([someone]);
  });

  test('of a number without room holds sixteen messages of people at most', () => {
    const { accept, batch } = life(now);
    sender.room = 0;
    const ids = Array.from({ length: 20 }, () => accept({ origin: person }));
    expect(batch()).toEqual(ids.slice(0, 16));
  });

  test('is made once the one before it was taken, and for nobody who is not connected', () => {
    const { accept, batch } = life(now);
    const first = accept();
    expect(batch()).toEqual([first]);
    accept();
    expect(batch()).toEqual([first]);
    Object.assign(sender, { batch: null, report: { state: 'disconnected', health: { status: 'healthy' } } });
    expect(batch()).toEqual([]);
  });

  test('leaves out what is over its time, which fails', () => {
    const { accept, batch } = life(now);
    const over = accept({ expiresAt: now });
    const next = accept();
    expect(batch()).toEqual([next]);
    expect(failed).toEqual([{ messageId: over, errorCode: 'expired' }]);
    expect(sender.backlog).toBe(1);
  });
});

test('what a number was offered is its own until it answers: when its time is over, only what waits behind it fails', async () => {
  const { accept, batch, expire } = life(now);
  const expiresAt = now + 1_000;
  const offered = accept({ expiresAt });
  expect(batch()).toEqual([offered]);
  const waiting = accept({ expiresAt });
  await expire(expiresAt);
  expect(failed).toEqual([{ messageId: waiting, errorCode: 'expired' }]);
});

test('all that is over its time fails in one look, however much it is, and what is not waits on', async () => {
  vi.stubGlobal('scheduler', { wait: async () => {} });
  onTestFinished(() => void vi.unstubAllGlobals());
  const { accept, expire } = life(now);
  for (let index = 0; index < 130; index += 1) accept({ expiresAt: now + 1_000 });
  accept({ expiresAt: now + 5_000 });
  await expire(now + 1_000);
  expect(failed).toHaveLength(130);
  expect(sender).toMatchObject({ backlog: 1, expiresAt: now + 5_000 });
});

describe('somebody who opts out while a message to them waits', () => {
  const to = '628777000111';

  test.each(['note', 'add'] as const)('gets it not, by a word or by hand (%s)', (how) => {
    const { accept, batch, optOuts } = life(now - 1_000);
    const messageId = accept({ to });
    const other = accept();
    if (how === 'add') optOuts.add(to, now + 5_000);
    else optOuts.note(to, 'stop', now + 5_000, 'number', 'stop');
    expect(batch(now + 6_000)).toEqual([other]);
    expect(failed).toEqual([{ messageId, errorCode: 'recipient_opted_out' }]);
  });

  test('gets it not where the account has begun a new life since either of them', () => {
    const before = life(now - 1_000);
    const messageId = before.accept({ to });
    before.optOuts.note(to, 'stop', now + 5_000, 'number', 'stop');
    expect(life(now + 10_000).batch(now + 11_000)).toEqual([]);
    expect(failed).toEqual([{ messageId, errorCode: 'recipient_opted_out' }]);
  });

  test('gets it where they have opted in again', () => {
    const { accept, batch, optOuts } = life(now - 1_000);
    const messageId = accept({ to });
    optOuts.note(to, 'stop', now + 5_000, 'number', 'stop');
    optOuts.note(to, 'start', now + 6_000, 'number', 'start');
    expect(batch(now + 7_000)).toEqual([messageId]);
  });

  test('is told that they have, all the same', () => {
    const { accept, batch, optOuts } = life(now - 1_000);
    optOuts.add(to, now);
    const messageId = accept({ to, isQuiet: true });
    expect(batch()).toEqual([messageId]);
  });
});
