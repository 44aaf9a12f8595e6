import type { Refusal } from '../../../../contract/errors.ts';
import type { SendOrder } from '../../../../durable/event-log/assistants/turns/turn-orders.ts';
import { log, logFault } from '../../../../durable/log.ts';
import { askAccount, askLog } from '../../../object-calls.ts';
import { messageParts } from '../answers/message-parts.ts';

/** Characters of one message: a little less than the network carries. */
const partCharactersMax = 4_000;

/** Hands what was decided to the account, and tells the log what came of it. To repeat it sends nothing twice. */
export async function sendOrder(env: Env, accountId: string, order: SendOrder): Promise<void> {
  const { turnId } = order;
  const sent = await hand(env, accountId, order).catch((error): Refusal => {
    logFault('assistant.not_sent', error, { accountId, turnId });
    return { ok: false, code: 'INTERNAL', message: 'The account did not answer.' };
  });
  if (sent.ok) {
    await askLog(env, accountId, (accountLog) => accountLog.turnSent(turnId, sent.answer.messageId));
    return;
  }
  const decided = await askLog(env, accountId, (accountLog) => accountLog.turnNotSent(turnId, sent));
  // What follows from it (a message that hands the conversation over) is sent once more at most.
  if (decided.order !== null && decided.order.idempotencyKey !== order.idempotencyKey) {
    await sendOrder(env, accountId, decided.order);
  }
}

/**
 * Hands over what is said, in as many messages as it takes, and answers what became of the first one. The others follow it
 * in their order, and where one is refused (a person has written meanwhile) the rest is not said.
 */
async function hand(env: Env, accountId: string, order: SendOrder) {
  const [first = order.text, ...others] = messageParts(order.text, partCharactersMax);
  const sent = await handPart(env, accountId, { ...order, text: first });
  if (!sent.ok) return sent;
  for (const [index, text] of others.entries()) {
    const idempotencyKey = `${order.idempotencyKey}:${index + 2}`;
    const next = await handPart(env, accountId, { ...order, text, idempotencyKey });
    if (next.ok) continue;
    log('assistant.cut_short', {
      accountId,
      turnId: order.turnId,
      code: next.code,
      parts: others.length + 1,
    });
    break;
  }
  return sent;
}

function handPart(env: Env, accountId: string, order: SendOrder) {
  const { turnId, assistantId, numberId, to, text, idempotencyKey, since } = order;
  return askAccount(env, accountId, (account) =>
    account.sendAs({
      origin: { kind: 'assistant', assistantId, turnId },
      numberId,
      to,
      chatType: 'personal',
      content: { type: 'text', text },
      idempotencyKey,
      unlessPersonSince: since,
    }),
  );
}
