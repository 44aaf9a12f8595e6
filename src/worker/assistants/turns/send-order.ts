import type { Refusal } from '../../../contract/errors.ts';
import type { SendOrder } from '../../../durable/event-log/assistants/turns/turn-orders.ts';
import { logFault } from '../../../durable/log.ts';
import { askAccount, askLog } from '../../object-calls.ts';

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

function hand(env: Env, accountId: string, order: SendOrder) {
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
