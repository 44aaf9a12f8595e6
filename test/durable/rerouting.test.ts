import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { eq } from 'drizzle-orm';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { defaultAccountSettings } from '../../src/contract/account-settings.ts';
import { accounts } from '../../src/database/schema.ts';
import type { SendAnswer } from '../../src/durable/account/admission-types.ts';
import { addKey, db, newAccount, sendRequest } from './account-fixture.ts';
import { type FakeBridge, phoneNumber, textMessage } from './fake-bridge.ts';
import { eventsOf, keepRelayedEvents } from './relayed.ts';
import { until } from './until.ts';

const at = () => new Date().toISOString();
keepRelayedEvents();

type Fixture = Awaited<ReturnType<typeof newAccount>>;
type Sender = Fixture['senders'][number];

const handed = (bridge: FakeBridge) =>
  bridge.heard.flatMap((frame) =>
    frame.type === 'send' ? frame.messages.map(({ messageId }) => messageId) : [],
  );
const ring = ({ numberId }: Sender) => runDurableObjectAlarm(phoneNumber(numberId));
const passTime = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });

let recipients = 0;

/** Sends `count` messages through the given number, each to a recipient of its own. */
async function sendThrough({ account, keyHash }: Fixture, { numberId }: Sender, count: number) {
  const answers: SendAnswer[] = [];
  for (let index = 0; index < count; index += 1) {
    recipients += 1;
    const to = String(628_999_000_000 + recipients);
    const sent = await account.send(sendRequest(keyHash, { senderHint: numberId, to }));
    if (!sent.ok) throw new Error(sent.code);
    answers.push(sent.answer);
  }
  expect(answers.every((answer) => answer.numberId === numberId)).toBe(true);
  return answers.map(({ messageId }) => messageId);
}

/** Two numbers, and messages that wait at the first for the bridge to take them. */
async function withWaiting(count: number) {
  const fixture = await newAccount(2);
  const [first, second] = fixture.senders;
  if (!first || !second) throw new Error('there are two');
  // The window is full, so everything behind these waits in the outbox.
  const underWay = await sendThrough(fixture, first, 32);
  const waiting = await sendThrough(fixture, first, count);
  await until(() => handed(first.bridge).length === 32);
  return { ...fixture, first, second, underWay, waiting };
}

const lost = (reason: 'banned' | 'logged_out_by_phone') =>
  ({ type: 'session.ended', reason, at: at() }) as const;

afterEach(() => {
  vi.useRealTimers();
});

describe('messages that wait for a number', () => {
  test.each(['banned', 'logged_out_by_phone'] as const)(
    'that is %s go out through another one, once and with one queued event each',
    async (reason) => {
      const { first, second, underWay, waiting, account } = await withWaiting(5);
      await first.bridge.tell(lost(reason));
      await until(() => handed(second.bridge).length === 5);
      expect(handed(second.bridge)).toEqual(waiting);
      for (const messageId of waiting) {
        expect(await account.locate(messageId)).toBe(second.numberId);
        expect((await eventsOf(first.numberId, messageId)).map(({ event }) => event)).toEqual([
          'message.queued',
        ]);
        expect(await eventsOf(second.numberId, messageId)).toEqual([]);
        expect(await phoneNumber(first.numberId).message(messageId)).toBeNull();
      }
      await second.bridge.tell({
        type: 'send.outcomes',
        items: waiting.map((messageId) => ({ outcome: 'sent', messageId, at: at() })),
      });
      const [sent] = await eventsOf(second.numberId, waiting[0] ?? '');
      expect(sent).toMatchObject({ event: 'message.sent', data: { numberId: second.numberId } });
      // What was under way may have left: nobody else gets it.
      expect(handed(second.bridge).filter((messageId) => underWay.includes(messageId))).toEqual([]);
    },
  );

  test('and were under way when it was lost for good fail as unknown, unless an answer still comes', async () => {
    const { first, underWay } = await withWaiting(0);
    const [answered, unknown] = underWay;
    await first.bridge.tell(lost('banned'));
    await first.bridge.tell({
      type: 'send.outcomes',
      items: [{ outcome: 'sent', messageId: answered ?? '', at: at() }],
    });
    passTime(31_000);
    await ring(first);
    expect(await phoneNumber(first.numberId).message(answered ?? '')).toMatchObject({ status: 'sent' });
    expect(await phoneNumber(first.numberId).message(unknown ?? '')).toMatchObject({
      status: 'failed',
      errorMessage: expect.stringContaining('whether it arrived is not known'),
    });
  });

  test('and came back from the bridge when the session ended move too', async () => {
    const { first, second, underWay } = await withWaiting(0);
    const returned = underWay.slice(10);
    await first.bridge.tell(lost('banned'));
    await first.bridge.tell({
      type: 'send.outcomes',
      items: returned.map((messageId) => ({ outcome: 'returned', messageId })),
    });
    await until(() => handed(second.bridge).length === returned.length);
    expect(handed(second.bridge)).toEqual(returned);
  });

  test('that is disconnected stay for two minutes, and then move', async () => {
    const { first, second, waiting } = await withWaiting(3);
    await first.bridge.tell({ type: 'session.disconnected', reason: 'connection_lost', lastSeenAt: at() });
    passTime(110_000);
    await ring(first);
    expect(handed(second.bridge)).toEqual([]);
    passTime(20_000);
    await ring(first);
    await until(() => handed(second.bridge).length === 3);
    expect(handed(second.bridge)).toEqual(waiting);
  });

  test('stay for as long as the account wants, which the number learns with its reports, also over an eviction', async () => {
    const { first, second, waiting, account, accountId } = await withWaiting(2);
    const settings = { ...defaultAccountSettings, rerouteAfterMs: 600_000 };
    await db.update(accounts).set({ settings }).where(eq(accounts.id, accountId));
    await account.refresh();
    await first.bridge.tell({ type: 'session.disconnected', reason: 'connection_lost', lastSeenAt: at() });
    await until(async () => (await account.senders())[first.numberId]?.health.status === 'unavailable');
    await evictDurableObject(phoneNumber(first.numberId));
    passTime(590_000);
    await ring(first);
    expect(handed(second.bridge)).toEqual([]);
    passTime(20_000);
    await ring(first);
    await until(() => handed(second.bridge).length === 2);
    expect(handed(second.bridge)).toEqual(waiting);
  });

  test('move at once when the account shortens the time while their number is away', async () => {
    const { first, second, waiting } = await withWaiting(2);
    await first.bridge.tell({ type: 'session.disconnected', reason: 'connection_lost', lastSeenAt: at() });
    passTime(30_000);
    await ring(first);
    expect(handed(second.bridge)).toEqual([]);
    await phoneNumber(first.numberId).configureReroute(10_000);
    await ring(first);
    await until(() => handed(second.bridge).length === 2);
    expect(handed(second.bridge)).toEqual(waiting);
  });

  test('move although the objects are evicted midway, and never to two numbers', async () => {
    const { first, second, waiting, account } = await withWaiting(4);
    // As after a crash between the mark and the answer: the account may have moved them, the number does not know.
    await runInDurableObject(phoneNumber(first.numberId), (_, { storage }) => {
      storage.sql.exec('UPDATE messages SET is_moving = 1 WHERE handed_to IS NULL');
    });
    await evictDurableObject(phoneNumber(first.numberId));
    await evictDurableObject(account);
    await until(async () => {
      await ring(first);
      return handed(second.bridge).length === 4;
    });
    expect(handed(second.bridge).sort()).toEqual([...waiting].sort());
    // It is connected all the while, and hands on none of them.
    expect(handed(first.bridge).filter((messageId) => waiting.includes(messageId))).toEqual([]);
  });

  test('wait on when there is no other number, and leave when it is back', async () => {
    const { first, second, waiting } = await withWaiting(2);
    await second.bridge.tell({ type: 'session.disconnected', reason: 'connection_lost', lastSeenAt: at() });
    await first.bridge.tell({ type: 'session.disconnected', reason: 'connection_lost', lastSeenAt: at() });
    passTime(130_000);
    await ring(first);
    expect(handed(second.bridge)).toEqual([]);
    await first.bridge.tell({ type: 'session.connected', phoneNumber: '628123456780', at: at() });
    await until(() => waiting.every((messageId) => handed(first.bridge).includes(messageId)));
  });

  test('of a strictly pinned key stay where they are', async () => {
    const fixture = await newAccount(2);
    const [first, second] = fixture.senders as [Sender, Sender];
    const strict = await addKey(fixture.accountId, {
      pinnedNumberId: first.numberId,
      onPinFailure: 'strict',
    });
    const fallback = await addKey(fixture.accountId, {
      pinnedNumberId: first.numberId,
      onPinFailure: 'fallback',
    });
    await fixture.account.refresh();
    await sendThrough(fixture, first, 32);
    const [stays, moves] = await Promise.all([
      fixture.account.send(sendRequest(strict)),
      fixture.account.send(sendRequest(fallback)),
    ]);
    if (!stays.ok || !moves.ok) throw new Error('both are accepted');
    await first.bridge.tell(lost('banned'));
    await until(() => handed(second.bridge).length === 1);
    expect(handed(second.bridge)).toEqual([moves.answer.messageId]);
    expect(await phoneNumber(first.numberId).message(stays.answer.messageId)).toMatchObject({
      status: 'queued',
      heldReason: 'not_connected',
      expectedAt: null,
    });
  });

  test('begin a chat, and are refused that by the network, move at once; the others stay', async () => {
    const { first, second, waiting, account, keyHash } = await withWaiting(3);
    const to = String(628_999_000_000 + recipients);
    const open = await account.send(sendRequest(keyHash, { senderHint: first.numberId, to }));
    if (!open.ok) throw new Error(open.code);
    await first.bridge.tell({ type: 'network.restriction', isActive: true, until: null });
    await until(() => handed(second.bridge).length === 3);
    expect(handed(second.bridge)).toEqual(waiting);
    expect(await account.locate(open.answer.messageId)).toBe(first.numberId);
  });
});

describe('a number that is given a message', () => {
  test('that went on from it takes it back only when it comes back, not when it comes late', async () => {
    const { first, second, waiting } = await withWaiting(1);
    const messageId = waiting[0] ?? '';
    await first.bridge.tell(lost('banned'));
    await until(() => handed(second.bridge).length === 1);
    const late = textMessage('late', { messageId, moves: 0 });
    expect(await phoneNumber(first.numberId).enqueue(late)).toMatchObject({ ok: true });
    expect(await phoneNumber(first.numberId).message(messageId)).toBeNull();
    expect(await phoneNumber(first.numberId).enqueue({ ...late, moves: 2 })).toMatchObject({ ok: true });
    expect(await phoneNumber(first.numberId).message(messageId)).toMatchObject({ status: 'queued' });
    const { missing } = await phoneNumber(first.numberId).resolveAdmissions([messageId]);
    expect(missing).toEqual([]);
  });

  test('from another one puts it where its age belongs', async () => {
    const { senders } = await newAccount(1);
    const [{ numberId, bridge }] = senders as [Sender];
    await bridge.tell({ type: 'session.disconnected', reason: 'connection_lost', lastSeenAt: at() });
    const old = textMessage('old', { queuedAt: Date.now() - 60_000, moves: 1, mayMove: false });
    const young = textMessage('young', { mayMove: false });
    await phoneNumber(numberId).enqueue(young);
    await phoneNumber(numberId).enqueue(old);
    await bridge.tell({ type: 'session.connected', phoneNumber: '628123456780', at: at() });
    await until(() => handed(bridge).length === 2);
    expect(handed(bridge)).toEqual([old.messageId, young.messageId]);
  });
});
