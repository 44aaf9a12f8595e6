import type { ActionOrder, ActionReport } from '../../../../durable/event-log/automations/actions/planned.ts';
import type { AutomationWakeUp } from '../../../../durable/event-log/wake-ups.ts';
import { handleWakeUps } from '../../../handle-wake-ups.ts';
import { askLog } from '../../../object-calls.ts';

/** Calls of the sender for one account: with five accounts in a batch (wrangler.toml) fifteen at most. */
const callsMax = 3;

/**
 * Consumer of the queue `automations`: takes the actions of rules from the accounts' logs, has them carried out, and reports the
 * results. Where possible each receiver has calls of its own, so one that hangs holds up no others. Actions beyond one round wait
 * for another wake-up. Nothing is done twice: however often an action is begun, a reply has the same idempotency key and a
 * callback the same id.
 */
export function consumeAutomationWakeUps(
  batch: MessageBatch<AutomationWakeUp>,
  env: Env,
  { exports }: ExecutionContext,
): Promise<void> {
  return handleWakeUps(batch, 'automation.wake_up_not_handled', async (accountId) => {
    const carryOut: CarryOut = (of, orders) => exports.AutomationSender.carryOut(of, orders);
    if (!(await carryOutDue(env, accountId, carryOut))) await env.AUTOMATIONS.send({ accountId });
  });
}

type CarryOut = (accountId: string, orders: ActionOrder[]) => Promise<ActionReport[]>;

/** Carries out a round of what is due. False: there may be more. */
async function carryOutDue(env: Env, accountId: string, carryOut: CarryOut): Promise<boolean> {
  const orders = await askLog(env, accountId, (log) => log.takeAutomationActions(ordersOfCallMax));
  await Promise.all(
    ordersByReceiver(orders, callsMax).map(async (group) => {
      const reports = await carryOut(accountId, group);
      const settled = group.flatMap((order, place) => {
        const report = reports[place];
        return report ? [{ order: namesOf(order), report }] : [];
      });
      await askLog(env, accountId, (log) => log.settleAutomationActions(settled));
    }),
  );
  return orders.length < ordersOfCallMax;
}

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

/** The host that is called; replies go through the account itself. */
function receiverOf({ action }: ActionOrder): string {
  if (action.kind === 'reply') return '';
  return URL.canParse(action.url) ? new URL(action.url).host : action.url;
}
