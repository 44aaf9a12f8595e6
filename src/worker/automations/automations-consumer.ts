import type { ActionOrder, ActionReport } from '../../durable/event-log/automations/actions/outer-action.ts';
import type { AutomationBell } from '../../durable/event-log/deliveries/attempts/bells.ts';
import { logFault } from '../../durable/log.ts';
import { askLog } from '../object-calls.ts';
import { callWebhook } from './call-webhook.ts';
import { sendReply } from './send-reply.ts';

/** Actions that one account has under way in one call of the consumer. */
const atOnce = 10;
/** What is more than that waits for another bell: one account holds up no others. */
const roundsMax = 20;

/**
 * Consumer of the queue `automations`: takes from the accounts' logs what their rules want done, does it, and says what
 * came of it. The rows decide, so a bell that rings twice does nothing twice: a reply has the same idempotency key and a
 * callback the same id, however often they are begun.
 */
export async function consumeAutomationBells(batch: MessageBatch<AutomationBell>, env: Env): Promise<void> {
  const accounts = Map.groupBy(batch.messages, ({ body }) => body.accountId);
  await Promise.all(
    [...accounts].map(async ([accountId, messages]) => {
      try {
        const isDone = await carryOutDue(env, accountId);
        if (!isDone) await env.AUTOMATIONS.send({ accountId });
        for (const message of messages) message.ack();
      } catch (error) {
        logFault('automation.bell_not_heard', error, { accountId, bells: messages.length });
        for (const message of messages) message.retry();
      }
    }),
  );
}

/** Carries out what is due. False: there may be more. */
async function carryOutDue(env: Env, accountId: string): Promise<boolean> {
  for (let round = 0; round < roundsMax; round += 1) {
    const orders = await askLog(env, accountId, (log) => log.takeAutomationActions(atOnce));
    if (orders.length === 0) return true;
    const settled = await Promise.all(
      orders.map(async (order) => ({ order: namesOf(order), report: await carryOut(env, accountId, order) })),
    );
    await askLog(env, accountId, (log) => log.settleAutomationActions(settled));
  }
  return false;
}

const namesOf = ({ automationId, runId, index, dueAt }: ActionOrder) => ({
  automationId,
  runId,
  index,
  dueAt,
});

/** A fault of ours is tried again: nothing is known of what came of it, and the names are the same. */
async function carryOut(env: Env, accountId: string, order: ActionOrder): Promise<ActionReport> {
  try {
    return 'target' in order
      ? await callWebhook(env, accountId, order)
      : await sendReply(env, accountId, order);
  } catch (error) {
    const { automationId, runId, index } = order;
    logFault('automation.not_carried_out', error, { accountId, automationId, runId, index });
    return { kind: 'again', afterSeconds: 30, reason: 'refused', words: 'Something broke on our side.' };
  }
}
