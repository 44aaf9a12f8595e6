import type { ActionOrder } from '../../../../durable/event-log/automations/actions/planned.ts';
import type { AutomationWakeUp } from '../../../../durable/event-log/wake-ups.ts';
import { logFault } from '../../../../durable/log.ts';
import { handleWakeUps } from '../../../handle-wake-ups.ts';
import { askLog } from '../../../object-calls.ts';

/** Calls of the sender for one account: with five accounts in a batch (wrangler.toml) fifteen at most. */
const callsMax = 3;

/**
 * Consumer of the queue `automations`: takes the actions of rules from the accounts' logs, has them carried out, and reports the
 * results. Where possible each receiver has calls of its own, so one that hangs holds up no others; and nobody waits for
 * receivers here, so that the queue goes on to the next wake-up. Actions beyond one round wait for another one. Nothing is done
 * twice: however often an action is begun, a reply has the same idempotency key and a callback the same id.
 */
export function consumeAutomationWakeUps(
  batch: MessageBatch<AutomationWakeUp>,
  env: Env,
  context: ExecutionContext,
): Promise<void> {
  return handleWakeUps(batch, 'automation.wake_up_not_handled', async (accountId) => {
    if (!(await carryOutDue(env, accountId, context))) await env.AUTOMATIONS.send({ accountId });
  });
}

/** Carries out a round of what is due. False: there may be more. */
async function carryOutDue(env: Env, accountId: string, context: ExecutionContext): Promise<boolean> {
  const orders = await askLog(env, accountId, (log) => log.takeAutomationActions(ordersOfCallMax));
  const carryOut = async (group: ActionOrder[]) => {
    const reports = await context.exports.AutomationSender.carryOut(accountId, group);
    const settled = group.flatMap((order, place) => {
      const report = reports[place];
      return report ? [{ order: namesOf(order), report }] : [];
    });
    await askLog(env, accountId, (log) => log.settleAutomationActions(settled));
  };
  const replies = orders.filter(isReply);
  const callbacks = orders.filter((order) => !isReply(order));
  for (const group of ordersByReceiver(callbacks, replies.length > 0 ? callsMax - 1 : callsMax)) {
    context.waitUntil(
      carryOut(group).catch((error) => logFault('automation.wake_up_not_handled', error, { accountId })),
    );
  }
  if (replies.length > 0) await carryOut(replies);
  return orders.length < ordersOfCallMax;
}

const isReply = ({ action }: ActionOrder): boolean => action.kind === 'reply';

const namesOf = ({ automationId, runId, index, dueAt }: ActionOrder) => ({
  automationId,
  runId,
  index,
  dueAt,
});

/** Orders of one call of the sender: as many connections of an invocation may wait for an answer at a time. */
const ordersOfCallMax = 6;

/**
 * The orders of one account by receiver, at most `groupsMax` groups, so that a slow receiver does not delay the others. If
 * there are more receivers, the last group has all the rest.
 */
export function ordersByReceiver(orders: readonly ActionOrder[], groupsMax: number): ActionOrder[][] {
  const groups = [...Map.groupBy(orders, receiverOf).values()];
  const [own, shared] = [groups.slice(0, groupsMax - 1), groups.slice(groupsMax - 1)];
  return shared.length > 0 ? [...own, shared.flat()] : own;
}

/** The host that is called. */
function receiverOf({ action }: ActionOrder): string {
  if (action.kind === 'reply') return '';
  return URL.canParse(action.url) ? new URL(action.url).host : action.url;
}
