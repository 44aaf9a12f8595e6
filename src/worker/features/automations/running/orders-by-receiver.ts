import type { ActionOrder } from '../../../../durable/event-log/automations/actions/outer-action.ts';

/** Orders of one call of the sender: as many connections of an invocation may wait for an answer at a time. */
export const ordersOfCallMax = 6;

/**
 * The orders of one account by who they go to, at most `groupsMax` groups: what one receiver keeps waiting does not hold up
 * what was for the others. Where there are more receivers, the last group has all that are left.
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
