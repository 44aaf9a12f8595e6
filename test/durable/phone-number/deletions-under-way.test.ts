import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { defaultAccountSettings } from '../../../src/contract/account-settings.ts';
import type { NumberDownFrame } from '../../../src/contract/bridge/bridge-frames.ts';
import { Account } from '../../../src/durable/account/account.ts';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { providerMessageIdOf } from '../../../src/durable/new-ids.ts';
import { newAccount } from '../account/account-fixture.ts';
import { record, sent } from '../event-log/event-log-fixture.ts';
import { until } from '../until.ts';
import { phoneNumber } from './fake-bridge.ts';

type Sent = Extract<NumberDownFrame, { type: 'send' }>['messages'][number];

/** A message that its number has sent, and what is wanted of it. */
async function sentMessage() {
  const { accountId, account, senders } = await newAccount(1);
  const [sender] = senders;
  if (sender === undefined) throw new Error('no number');
  const { numberId, bridge } = sender;
  const message = record({ numberId, queuedAt: Date.now() });
  const log = logOf(env, accountId);
  await log.take([sent(message, message.queuedAt)]);
  const { messageId, to } = message;
  const target = { providerMessageId: providerMessageIdOf(messageId), isOwn: true };
  const act = (wanted: { type: 'edit'; text: string } | { type: 'delete' }) =>
    account.act({
      ...{ numberId, to, chatType: 'personal', until: null },
      action: { ...wanted, targetId: messageId, target },
    });
  const handed = async (): Promise<Sent> => {
    const [first] = (await bridge.take('send')).messages;
    if (first === undefined) throw new Error('nothing was handed over');
    return first;
  };
  const tell = ({ messageId: id, handOver }: Sent, outcome: object) =>
    bridge.tell({
      type: 'send.outcomes',
      items: [{ messageId: id, handOver, at: new Date().toISOString(), ...outcome }],
    } as never);
  return {
    ...{ act, handed, tell, numberId, bridge, accountId },
    deletedAt: async () => (await log.message(messageId))?.deletedAt ?? null,
  };
}

const edit = { type: 'edit', text: 'better' } as const;
const deletion = { type: 'delete' } as const;
const refused = { ok: false, code: 'CONFLICT', message: 'The message is being deleted.' };

test('nothing follows a deletion that its number has, until the network has refused it', async () => {
  const { act, handed, tell } = await sentMessage();
  expect(await act(deletion)).toMatchObject({ ok: true });
  const handedOver = await handed();
  expect(handedOver.content.type).toBe('delete');
  expect(await act(edit)).toEqual(refused);
  expect(await act(deletion)).toEqual(refused);
  await tell(handedOver, { outcome: 'failed', code: '500', errorMessage: 'The network refused it.' });
  expect(await act(edit)).toMatchObject({ ok: true });
  expect(await act(deletion)).toMatchObject({ ok: true });
});

test('nothing follows a deletion that is done, however long ago somebody has looked at the message', async () => {
  const { act, handed, tell, deletedAt } = await sentMessage();
  expect(await act(deletion)).toMatchObject({ ok: true });
  await tell(await handed(), { outcome: 'sent' });
  await until(async () => (await deletedAt()) !== null);
  expect(await act(edit)).toEqual(refused);
});

test('nothing follows a deletion that its number gives back, before and after the account has heard of it', async () => {
  onTestFinished(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
  const { act, numberId, bridge, accountId } = await sentMessage();
  const heard = Promise.withResolvers<void>();
  const { hear } = Account.prototype;
  vi.spyOn(Account.prototype, 'hear').mockImplementation(async function (this: Account, news) {
    await heard.promise;
    return hear.call(this, news);
  });
  const lastSeenAt = new Date().toISOString();
  await bridge.tell({ type: 'session.disconnected', reason: 'connection_lost', lastSeenAt });
  expect(await act(deletion)).toMatchObject({ ok: true });
  const rows = (of: DurableObjectStub, table: string) =>
    runInDurableObject(of, (_, { storage }) => storage.sql.exec(`SELECT * FROM ${table}`).toArray().length);
  const number = phoneNumber(numberId);
  const account = env.ACCOUNT.getByName(accountId);
  await until(async () => (await rows(number, 'queue')) === 1 && (await rows(account, 'accepted')) === 0);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + defaultAccountSettings.rerouteAfterMs + 1_000 });
  void runDurableObjectAlarm(number);
  await until(async () => (await rows(number, 'account_notes')) === 1);
  expect(await rows(number, 'queue')).toBe(0);
  expect(await act(edit)).toEqual(refused);
  heard.resolve();
  await until(async () => (await rows(account, 'accepted')) === 1);
  expect(await act(edit)).toEqual(refused);
});
