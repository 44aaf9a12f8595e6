import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { waitUntil } from '../../src/local/wait-until.ts';
import { type AcceptedMessage, Customer } from './customer.ts';
import { GatewayProcess } from './gateway-process.ts';
import { expectEveryStepOnce, expectOnceOnTheNetwork, expectReceivedOnce } from './promises.ts';

const bridges = 3;
const numbers = 6;
const messagesEach = 90;

interface ShownBridge {
  bridgeId: string;
  state: string;
  numbers: number;
}

let gateway: GatewayProcess;
let customer: Customer;

beforeAll(async () => {
  gateway = await GatewayProcess.start({
    BRIDGES: String(bridges),
    WEBHOOK_RETRY_SECONDS: '1,1,1,1,1,1,1,1',
    KEY_RATE_PER_SECOND: '1000',
    KEY_RATE_BURST: '1000',
  });
});

afterEach(() => customer?.leave());
afterAll(() => gateway?.discard());

const operator = () => ({ authorization: `Bearer ${gateway.secrets.bootstrapToken}` });

async function asOperator<Answer>(method: string, path: string): Promise<Answer> {
  const url = `http://127.0.0.1:${gateway.environment.PORT}/v1/operator/bridges${path}`;
  const response = await fetch(url, { method, headers: operator() });
  expect(response.ok, await response.clone().text()).toBe(true);
  return (await response.json()) as Answer;
}

const fleet = async () => (await asOperator<{ data: ShownBridge[] }>('GET', '')).data;
const replacedLogins = async () =>
  (await customer.simulator<{ replacedLogins: number }>('GET', '/admin/network')).replacedLogins;
const bridgeOf = async (bridgeId: string) => (await fleet()).find((bridge) => bridge.bridgeId === bridgeId);

/** A customer with several numbers, which lie with all bridges. */
async function joinWithNumbers(): Promise<string[]> {
  customer = await Customer.join(gateway);
  const phones = [customer.phoneNumber];
  while (phones.length < numbers) {
    const phone = `62811${String(Date.now()).slice(-6)}${phones.length}`;
    await customer.pairNumber(phone);
    phones.push(phone);
  }
  return phones;
}

/** Every number is written to once, until the network has all of it. */
async function replyToAll(phones: string[]): Promise<string[]> {
  const texts = phones.map((phone) => `reply to ${phone} ${crypto.randomUUID()}`);
  for (const [index, phone] of phones.entries()) {
    const path = `/admin/phones/${customer.recipient}/messages`;
    await customer.simulator('POST', path, { to: phone, text: texts[index] });
  }
  return texts;
}

async function expectPromisesKept(messages: AcceptedMessage[], replies: string[]): Promise<void> {
  await expectOnceOnTheNetwork(customer, messages);
  await expectEveryStepOnce(customer, messages);
  await expectReceivedOnce(customer, replies);
  const { callbacks } = customer.receiver;
  expect(callbacks.filter(({ event }) => event === 'message.failed')).toEqual([]);
}

describe('with three bridges', () => {
  test('local.json names each with its process, and its numbers are spread over them', async () => {
    await joinWithNumbers();
    const named = gateway.local.bridges;
    expect(named).toHaveLength(bridges);
    expect(new Set(named.map(({ pid }) => pid)).size).toBe(bridges);
    const known = await fleet();
    expect(known.map(({ bridgeId }) => bridgeId).toSorted()).toEqual(
      named.map(({ bridgeId }) => bridgeId).toSorted(),
    );
    for (const bridge of known) expect(bridge).toMatchObject({ state: 'linked', numbers: 2 });
  });

  test('a bridge that freezes loses its numbers to the others: all goes on, once, and it says nothing when it wakes', async () => {
    const phones = await joinWithNumbers();
    const frozen = gateway.local.bridges[1];
    if (!frozen) throw new Error('there is no second bridge');
    expect((await bridgeOf(frozen.bridgeId))?.numbers).toBeGreaterThan(0);
    const loginsBefore = await replacedLogins();
    const replies: string[] = [];
    try {
      const messages = await customer.sendMany(messagesEach, {
        accepted: messagesEach / 3,
        run: async () => {
          process.kill(frozen.pid, 'SIGSTOP');
          replies.push(...(await replyToAll(phones)));
          await waitUntil('Its numbers went to nobody', 30_000, async () =>
            (await bridgeOf(frozen.bridgeId))?.numbers === 0 ? true : null,
          );
          replies.push(...(await replyToAll(phones)));
        },
      });
      // All is on the network though it sleeps; receipts that only it has heard come when it is back.
      await expectOnceOnTheNetwork(customer, messages);
      process.kill(frozen.pid, 'SIGCONT');
      await waitUntil('The bridge did not come back', 30_000, async () =>
        (await bridgeOf(frozen.bridgeId))?.state === 'linked' ? true : null,
      );
      messages.push(...(await customer.sendMany(messagesEach / 3)));
      replies.push(...(await replyToAll(phones)));
      await expectPromisesKept(messages, replies);
      // Over connections that were never closed numbers log in once more. Two bridges that fought for one would never end.
      const held = (await fleet()).reduce((sum, bridge) => sum + bridge.numbers, 0);
      expect((await replacedLogins()) - loginsBefore).toBeLessThanOrEqual(2 * held);
      const states = customer.receiver.callbacks.filter(({ event }) => event === 'device.disconnected');
      expect(states).toEqual([]);
    } finally {
      process.kill(frozen.pid, 'SIGCONT');
    }
  });

  test('a bridge that is killed loses no message, whoever has its numbers afterwards', async () => {
    const phones = await joinWithNumbers();
    const killed = gateway.local.bridges[2];
    if (!killed) throw new Error('there is no third bridge');
    const replies: string[] = [];
    const messages = await customer.sendMany(messagesEach, {
      accepted: messagesEach / 3,
      run: async () => {
        process.kill(killed.pid, 'SIGKILL');
        replies.push(...(await replyToAll(phones)));
      },
    });
    replies.push(...(await replyToAll(phones)));
    await expectPromisesKept(messages, replies);
    await waitUntil('local.json does not name the new process', 30_000, async () =>
      gateway.local.bridges[2]?.pid === killed.pid ? null : true,
    );
    expect(gateway.local.bridges[2]?.bridgeId).toBe(killed.bridgeId);
  });

  test('a bridge that the operator drains hands its numbers on without a message lost or late', async () => {
    const phones = await joinWithNumbers();
    const [drained] = await fleet();
    if (!drained) throw new Error('there is no bridge');
    const replies: string[] = [];
    const messages = await customer.sendMany(messagesEach, {
      accepted: messagesEach / 3,
      run: async () => {
        await asOperator('POST', `/${drained.bridgeId}/drain`);
        replies.push(...(await replyToAll(phones)));
        await waitUntil('It still has numbers', 30_000, async () =>
          (await bridgeOf(drained.bridgeId))?.numbers === 0 ? true : null,
        );
      },
    });
    replies.push(...(await replyToAll(phones)));
    await expectPromisesKept(messages, replies);
    await asOperator('POST', `/${drained.bridgeId}/resume`);
  });
});
