import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Configuration } from '../../../../src/durable/account/configuration/snapshot.ts';
import { Backlog } from '../../../../src/durable/account/outbox/backlog.ts';
import type { Failures } from '../../../../src/durable/account/outbox/failures.ts';
import type { HandOver } from '../../../../src/durable/account/outbox/hand-over.ts';
import type { Placement } from '../../../../src/durable/account/outbox/placement.ts';
import { type Moves, Rerouting } from '../../../../src/durable/account/outbox/rerouting.ts';
import type { AcceptedMessage } from '../../../../src/durable/hand-over/message-batch.ts';
import { type KnownNumber, knownAccount, now } from './known-account.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** An account with messages for the number `a`, some of which another number takes. */
function newRerouting(numbers: Record<string, KnownNumber>) {
  vi.useFakeTimers({ toFake: ['Date'], now });
  const account = knownAccount(numbers);
  const { sql, senders, choosing, configured } = account;
  const backlog = new Backlog(sql);
  const state = { configuration: account.configuration as Configuration | null };
  const takes = new Set<string>();
  const [asked, failed]: [string[], string[]] = [[], []];
  const rerouting = new Rerouting({
    ...{ senders, backlog, currentPool: choosing.currentPool },
    handOver: { failingSince: () => null } as unknown as HandOver,
    placement: { finish: () => {} } as unknown as Placement,
    moves: {
      move: ({ messageId }: AcceptedMessage) => {
        asked.push(messageId);
        return takes.has(messageId);
      },
    } as unknown as Moves,
    failures: { fail: ({ messageId }: AcceptedMessage) => failed.push(messageId) } as unknown as Failures,
    change: (work) => work(),
    configuration: () => state.configuration,
  });
  const accept = (messageId: string, more: Partial<AcceptedMessage> = {}) => {
    const sender = senders.of('a');
    const message: AcceptedMessage = {
      ...{ messageId, to: '628111222333', chatType: 'personal', senderSource: 'pool', isNewChat: false },
      ...{
        content: { type: 'text', text: 'hello' },
        mayMove: true,
        queuedAt: now,
        expiresAt: now + 86_400_000,
      },
      ...more,
    };
    backlog.add(sender, message, null, now);
    senders.save(sender);
  };
  /** Looks when it is time; in how many seconds it is again, or null. */
  const look = async (): Promise<number | null> => {
    const dueAt = rerouting.dueAt() ?? 0;
    vi.setSystemTime(Math.max(Date.now(), dueAt));
    await rerouting.run(Date.now());
    const next = rerouting.dueAt();
    return next === null ? null : (next - Date.now()) / 1_000;
  };
  return { ...account, rerouting, accept, look, takes, asked, failed, state, configured };
}

test('messages that no other number takes are looked at ever more seldom, and soon again once some have gone', async () => {
  const { rerouting, accept, look, takes } = newRerouting({ a: { state: 'disconnected' }, b: {} });
  for (const messageId of ['1', '2', '3']) accept(messageId);
  expect(rerouting.dueAt()).toBe(now + 120_000);
  const waits: (number | null)[] = [];
  for (let time = 0; time < 9; time += 1) waits.push(await look());
  expect(waits).toEqual([15, 30, 60, 120, 240, 480, 600, 600, 600]);
  takes.add('2');
  expect(await look()).toBe(15);
  expect(await look()).toBe(30);
  takes.add('1').add('3');
  expect(await look()).toBeNull();
});

test('a message moves at the first look also behind many that no other number takes', async () => {
  vi.stubGlobal('scheduler', { wait: async () => {} });
  onTestFinished(() => void vi.unstubAllGlobals());
  const { accept, look, takes, senders, asked } = newRerouting({ a: { state: 'banned' }, b: {} });
  for (let count = 100; count < 165; count += 1) accept(String(count));
  takes.add('164');
  await look();
  expect(senders.of('a').backlog).toBe(64);
  expect(new Set(asked).size).toBe(asked.length);
});

test('messages are looked at again at once when a number becomes ready, and when their number has another reason', async () => {
  const { accept, look, report, rerouting, asked } = newRerouting({
    a: { dailyRemaining: 0 },
    b: { state: 'disconnected' },
  });
  accept('1');
  expect(await look()).toBe(15);
  expect(await look()).toBe(30);
  report('b', {}, Date.now());
  expect(rerouting.dueAt()).toBe(0);
  expect(await look()).toBe(15);
  report('a', { state: 'banned' }, Date.now());
  expect(rerouting.dueAt()).toBe(0);
  expect(asked).toEqual(['1', '1', '1']);
});

test('messages stay where their number can send them again, and where it was offered them', async () => {
  const { accept, look, report, rerouting, senders, takes } = newRerouting({ a: { state: 'banned' }, b: {} });
  accept('1');
  accept('2');
  const sender = senders.of('a');
  sender.batch = ['1'];
  senders.save(sender);
  takes.add('1').add('2');
  expect(await look()).toBeNull();
  expect(senders.of('a').backlog).toBe(1);
  Object.assign(senders.of('a'), { batch: null });
  senders.save(senders.of('a'));
  expect(rerouting.dueAt()).toBe(0);
  report('a');
  expect(rerouting.dueAt()).toBeNull();
});

test('of a deleted number what no other takes fails, also what may not move; what is bound to one that is there stays', async () => {
  const { accept, look, takes, failed, asked, state, configured, senders } = newRerouting({ a: {}, b: {} });
  for (const [messageId, mayMove] of [
    ['1', true],
    ['2', false],
    ['3', true],
  ] as const)
    accept(messageId, { mayMove });
  takes.add('1');
  state.configuration = configured(['b']);
  expect(await look()).toBeNull();
  expect(asked).toEqual(['1', '2', '3']);
  expect(failed).toEqual(['2', '3']);
  expect(senders.of('a').backlog).toBe(0);
});

test('messages that may not move are not asked about while their number is there', async () => {
  const { accept, look, asked } = newRerouting({ a: { state: 'banned' }, b: {} });
  accept('1', { mayMove: false });
  accept('2');
  expect(await look()).toBe(15);
  expect(asked).toEqual(['2']);
});

test('an account that has not read its configuration yet looks at nothing', async () => {
  const { accept, rerouting, state, configuration } = newRerouting({ a: { state: 'banned' }, b: {} });
  accept('1');
  state.configuration = null;
  expect(rerouting.dueAt()).toBeNull();
  state.configuration = configuration;
  expect(rerouting.dueAt()).toBe(0);
});
