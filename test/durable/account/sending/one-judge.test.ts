import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { defaultPacing, type Pacing } from '../../../../src/contract/numbers/sender-settings.ts';
import type { MessageBatch } from '../../../../src/durable/hand-over/message-batch.ts';
import { PhoneNumber } from '../../../../src/durable/phone-number/phone-number.ts';
import { phoneNumber } from '../../phone-number/fake-bridge.ts';
import { NodeBridge } from '../../phone-number/node-bridge.ts';
import { until } from '../../until.ts';
import { addNumber, newAccount, newRecipient, rowsOf, sendRequest } from '../account-fixture.ts';

/** The batches that were given to numbers. */
let taken: MessageBatch[] = [];

beforeEach(() => {
  taken = [];
  const { take } = PhoneNumber.prototype;
  vi.spyOn(PhoneNumber.prototype, 'take').mockImplementation(function (this: PhoneNumber, batch) {
    taken.push(batch);
    return take.call(this, batch);
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

const at = () => new Date().toISOString();
const lid = '987654321012345';

/** An account with one number, whose bridge is linked. */
async function oneNumber(pacing: Partial<Pacing>) {
  const fixture = await newAccount(0);
  const { accountId, account } = fixture;
  const numberId = await addNumber(accountId);
  await account.refresh();
  const bridge = await NodeBridge.connect(accountId, numberId, '628123456789');
  await phoneNumber(numberId).configure({ ...defaultPacing, minDelayMs: 0, maxDelayMs: 0, ...pacing }, 1);
  await runDurableObjectAlarm(phoneNumber(numberId));
  await until(async () => (await account.senderLoads())[numberId]?.dailyRemaining === pacing.dailyLimit);
  const send = async (to: string) => {
    const sent = await account.send(sendRequest(fixture.keyHash, { to }));
    if (!sent.ok) throw new Error(sent.message);
    return sent.answer.messageId;
  };
  const wrote = (from: string, senderLid?: string) =>
    bridge.tell({
      type: 'inbound',
      items: [
        {
          providerMessageId: `IN${Math.random()}`,
          at: at(),
          chatType: 'personal',
          from,
          ...(senderLid && { senderLid }),
          pushName: '',
          content: { type: 'text', text: 'hello' },
        },
      ],
    });
  return { ...fixture, numberId, bridge, send, wrote };
}

describe('an answer through a number whose day is full', () => {
  test('leaves at once and goes to it once, where they wrote under their alias alone', async () => {
    const { accountId, account, numberId, bridge, send, wrote } = await oneNumber({ dailyLimit: 0 });
    const to = newRecipient();
    const contacts = [{ phoneNumber: to, lid, name: 'Known' }];
    await bridge.tell({ type: 'contacts.listed', contacts, at: at() });
    await wrote(lid, lid);
    const log = env.EVENT_LOG.getByName(accountId);
    const answers = `conversations WHERE recipient = '${to}' AND wrote_at IS NOT NULL`;
    await until(async () => {
      await runDurableObjectAlarm(log);
      await runDurableObjectAlarm(phoneNumber(numberId));
      return (await rowsOf(account, answers)) === 1;
    });
    const messageId = await send(to);
    await until(() => bridge.handed.length === 1);
    expect(bridge.handed).toMatchObject([{ messageId }]);
    const given = taken.flatMap(({ messages }) => messages).filter((message) => message.to === to);
    expect(given).toMatchObject([{ messageId, isAnswer: true }]);
  });

  test('leaves once it is known that its recipient is who has written under an alias', async () => {
    const { account, bridge, numberId, send, wrote } = await oneNumber({ dailyLimit: 0 });
    await wrote(lid, lid);
    await until(async () => {
      await runDurableObjectAlarm(phoneNumber(numberId));
      return (await rowsOf(account, `conversations WHERE recipient = '${lid}@lid'`)) === 1;
    });
    const to = newRecipient();
    const messageId = await send(to);
    expect(bridge.handed).toEqual([]);
    await account.knowAliases([{ lid, phoneNumber: to }]);
    await until(async () => {
      await runDurableObjectAlarm(phoneNumber(numberId));
      return bridge.handed.length === 1;
    });
    expect(bridge.handed).toMatchObject([{ messageId }]);
  });

  test('leaves once they have written, also where it was accepted before, with all that waits for them', async () => {
    const { bridge, numberId, send, wrote } = await oneNumber({ dailyLimit: 1 });
    const [other, to] = [newRecipient(), newRecipient()];
    await send(other);
    await until(() => bridge.handed.length === 1);
    const waiting = [await send(to), await send(to)];
    expect(bridge.handed).toHaveLength(1);
    await wrote(to);
    await until(async () => {
      await runDurableObjectAlarm(phoneNumber(numberId));
      return bridge.handed.length === 3;
    });
    expect(bridge.handed.slice(1).map(({ messageId }) => messageId)).toEqual(waiting);
  });
});
