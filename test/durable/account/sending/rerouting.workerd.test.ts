import { evictDurableObject, runDurableObjectAlarm } from 'cloudflare:test';
import { eq } from 'drizzle-orm';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { defaultAccountSettings } from '../../../../src/contract/account-settings.ts';
import { accounts } from '../../../../src/database/schema.ts';
import type { SendAnswer } from '../../../../src/durable/account/admission/send-request.ts';
import { eventsOf, loggedMessage } from '../../event-log/logged-events.ts';
import { type FakeBridge, phoneNumber } from '../../phone-number/fake-bridge.ts';
import { until } from '../../until.ts';
import { addKey, db, newAccount, rowsOf, sendRequest } from '../account-fixture.ts';

const at = () => new Date().toISOString();

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
      const { accountId, first, second, underWay, waiting } = await withWaiting(5);
      await first.bridge.tell(lost(reason));
      await until(() => handed(second.bridge).length === 5);
      expect(handed(second.bridge)).toEqual(waiting);
      for (const messageId of waiting) {
        await until(async () => (await loggedMessage(accountId, messageId))?.numberId === second.numberId);
        expect((await eventsOf(accountId, messageId)).map(({ event }) => event)).toEqual(['message.queued']);
        expect(await phoneNumber(first.numberId).outlook(messageId)).toBeNull();
      }
      await second.bridge.tell({
        type: 'send.outcomes',
        items: waiting.map((messageId) => ({ outcome: 'sent', handOver: 1, messageId, at: at() })),
      });
      const [, sent] = await eventsOf(accountId, waiting[0] ?? '');
      expect(sent).toMatchObject({ event: 'message.sent', data: { numberId: second.numberId } });
      // What was under way may have left: nobody else gets it.
      expect(handed(second.bridge).filter((messageId) => underWay.includes(messageId))).toEqual([]);
    },
  );

  test('and were under way when it was lost for good fail as unknown, unless an answer still comes', async () => {
    const { accountId, first, underWay } = await withWaiting(0);
    const [answered, unknown] = underWay;
    await first.bridge.tell(lost('banned'));
    await first.bridge.tell({
      type: 'send.outcomes',
      items: [{ outcome: 'sent', handOver: 1, messageId: answered ?? '', at: at() }],
    });
    passTime(31_000);
    await ring(first);
    expect(await loggedMessage(accountId, answered ?? '')).toMatchObject({ status: 'sent' });
    await until(async () => (await loggedMessage(accountId, unknown ?? ''))?.status === 'failed');
    expect(await loggedMessage(accountId, unknown ?? '')).toMatchObject({
      errorMessage: expect.stringContaining('whether it arrived is not known'),
    });
  });

  test('and came back from the bridge when the session ended move too', async () => {
    const { first, second, underWay } = await withWaiting(0);
    const returned = underWay.slice(10);
    await first.bridge.tell(lost('banned'));
    await first.bridge.tell({
      type: 'send.outcomes',
      items: returned.map((messageId) => ({ outcome: 'returned', handOver: 1, messageId })),
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

  test('move although the objects are evicted midway, and never to two numbers', async () => {
    const { account, first, second, waiting } = await withWaiting(4);
    await first.bridge.tell(lost('banned'));
    await evictDurableObject(phoneNumber(first.numberId));
    await evictDurableObject(account);
    await until(async () => {
      await ring(first);
      return handed(second.bridge).length === 4;
    });
    expect(handed(second.bridge).sort()).toEqual([...waiting].sort());
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
    await until(() => handed(first.bridge).length === 32);
    const [stays, moves] = await Promise.all([
      fixture.account.send(sendRequest(strict)),
      fixture.account.send(sendRequest(fallback)),
    ]);
    if (!stays.ok || !moves.ok) throw new Error('both are accepted');
    await first.bridge.tell(lost('banned'));
    await until(() => handed(second.bridge).length === 1);
    expect(handed(second.bridge)).toEqual([moves.answer.messageId]);
    const { messageId } = stays.answer;
    expect(await fixture.account.waiting(messageId, first.numberId)).toMatchObject({
      heldReason: 'not_connected',
      expectedAt: null,
    });
    expect(await loggedMessage(fixture.accountId, messageId)).toMatchObject({ status: 'queued' });
  });

  test('begin a chat, and are refused that by the network, move at once; the others stay', async () => {
    const { accountId, first, second, waiting, account, keyHash } = await withWaiting(3);
    const through = async (to: string) => {
      const sent = await account.send(sendRequest(keyHash, { senderHint: first.numberId, to }));
      if (!sent.ok) throw new Error(sent.code);
      return sent.answer.messageId;
    };
    // What follows a message that has yet to begin its chat goes along with it.
    waiting.push(await through(String(628_999_000_000 + recipients)));
    const writer = '628777000111';
    const wrote = { providerMessageId: 'IN1', at: at(), from: writer, pushName: '' };
    const content = { type: 'text', text: 'hello' } as const;
    const item = { ...wrote, chatType: 'personal', content } as const;
    await first.bridge.tell({ type: 'inbound', items: [item] });
    await until(async () => (await rowsOf(account, `conversations WHERE recipient = '${writer}'`)) === 1);
    const open = await through(writer);
    await first.bridge.tell({ type: 'network.restriction', isActive: true, until: null });
    await until(() => handed(second.bridge).length === 4);
    expect(handed(second.bridge)).toEqual(waiting);
    expect(await loggedMessage(accountId, open)).toMatchObject({
      numberId: first.numberId,
    });
  });
});
