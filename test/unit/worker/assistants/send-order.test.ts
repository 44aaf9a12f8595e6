import { expect, test } from 'vitest';
import { type Refusal, refuse } from '../../../../src/contract/errors.ts';
import type { SendOrder } from '../../../../src/durable/event-log/assistants/turns/turn-orders.ts';
import { sendOrder } from '../../../../src/worker/features/assistants/turns/send-order.ts';

const order: SendOrder = {
  turnId: 'turn',
  assistantId: 'assistant',
  numberId: 'number',
  to: '628123456789',
  text: ['a', 'b', 'c'].map((letter) => letter.repeat(3_000)).join('\n\n'),
  idempotencyKey: 'assistant:turn:answered',
  since: 7,
};

/** An account that answers sends so, one after the other, and what it and the log were told. */
async function sendWith(...answers: (Refusal | null)[]) {
  const sends: { key: string; since: number }[] = [];
  const told: unknown[] = [];
  const account = {
    sendAs: async (send: { idempotencyKey: string; unlessPersonSince: number }) => {
      const refusal = answers[sends.length] ?? null;
      sends.push({ key: send.idempotencyKey, since: send.unlessPersonSince });
      return refusal ?? { ok: true, answer: { messageId: `message ${sends.length}` } };
    },
  };
  const log = {
    turnSent: async (...said: unknown[]) => void told.push(said),
    turnNotSent: async (_: string, { code }: Refusal) => {
      told.push(code);
      return { order: null };
    },
  };
  const env = { ACCOUNT: { getByName: () => account }, EVENT_LOG: { getByName: () => log } };
  await sendOrder(env as unknown as Env, 'account', order);
  return { sends, told };
}

const key = order.idempotencyKey;

test('each part of a long answer has a key of its own, and gives way to a person', async () => {
  const { sends, told } = await sendWith();
  expect(sends).toEqual([key, `${key}:2`, `${key}:3`].map((it) => ({ key: it, since: 7 })));
  expect(told).toEqual([['turn', 'message 1']]);
});

test('where a part is refused the rest of the answer is not said', async () => {
  const { sends, told } = await sendWith(null, refuse('CONFLICT', 'A person has answered.'));
  expect(sends.map((it) => it.key)).toEqual([key, `${key}:2`]);
  expect(told).toEqual([['turn', 'message 1']]);
});

test('where the first part is refused nothing is said, and the log knows why', async () => {
  const { sends, told } = await sendWith(refuse('RATE_LIMITED', 'Too much.'));
  expect(sends.map((it) => it.key)).toEqual([key]);
  expect(told).toEqual(['RATE_LIMITED']);
});
