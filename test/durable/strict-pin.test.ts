import { runDurableObjectAlarm } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import { unpaced } from '../../src/durable/phone-number/pacing.ts';
import { addKey, newAccount, sendRequest } from './account-fixture.ts';
import { phoneNumber } from './fake-bridge.ts';
import { eventsOf, keepRelayedEvents } from './relayed.ts';
import { until } from './until.ts';

keepRelayedEvents();

afterEach(() => {
  vi.useRealTimers();
});

test('a message of a strictly pinned key waits for its number until its time is over, then fails and says why, and is given back', async () => {
  const { accountId, account, senders } = await newAccount(2);
  const [pin, other] = senders;
  if (!pin || !other) throw new Error('there are two');
  const { numberId } = pin;
  const key = await addKey(accountId, { pinnedNumberId: numberId, onPinFailure: 'strict' });
  await account.refresh();
  // So that it is still there when the session goes down.
  await phoneNumber(numberId).configure({ ...unpaced, dailyLimit: 0 });
  const sent = await account.send(sendRequest(key));
  if (!sent.ok) throw new Error(sent.code);
  const { messageId } = sent.answer;
  const lastSeenAt = new Date().toISOString();
  await pin.bridge.tell({ type: 'session.disconnected', reason: 'connection_lost', lastSeenAt });
  const message = () => phoneNumber(numberId).message(messageId);
  expect(await message()).toMatchObject({ status: 'queued', heldReason: 'not_connected', expectedAt: null });
  expect(await account.send(sendRequest(key))).toMatchObject({ code: 'SENDER_UNAVAILABLE' });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 - 60_000 });
  await runDurableObjectAlarm(phoneNumber(numberId));
  expect(await message()).toMatchObject({ status: 'queued' });
  vi.setSystemTime(Date.now() + 70_000);
  await runDurableObjectAlarm(phoneNumber(numberId));
  const errorMessage = 'It could not be sent in time. The connection to the network was lost.';
  expect(await message()).toMatchObject({ status: 'failed', errorMessage, heldReason: null });
  const events = await eventsOf(numberId, messageId);
  expect(events.map(({ event }) => event)).toEqual(['message.queued', 'message.failed']);
  expect(events[1]?.data).toMatchObject({ errorMessage });
  await until(async () => (await account.usage()).used === 0);
  expect(await account.usage()).toMatchObject({ used: 0, byNumber: [], byDay: [] });
  expect(other.bridge.heard.filter(({ type }) => type === 'send')).toEqual([]);
});
