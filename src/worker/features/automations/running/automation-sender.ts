import { WorkerEntrypoint } from 'cloudflare:workers';
import type {
  ActionOrder,
  ActionReport,
} from '../../../../durable/event-log/automations/actions/outer-action.ts';
import { logFault } from '../../../../durable/log.ts';
import { callWebhook } from './call-webhook.ts';
import { sendReply } from './send-reply.ts';

/**
 * Carries out what the rules of one account want done, all orders of a call at the same time: so each has a connection
 * when its time begins, whatever the receivers of other accounts do. Keeps nothing itself.
 */
export class AutomationSender extends WorkerEntrypoint<Env> {
  /** Answers when the last receiver has answered, or has had its time; in the order of the orders, six at most. */
  carryOut(accountId: string, orders: readonly ActionOrder[]): Promise<ActionReport[]> {
    return Promise.all(orders.map((order) => this.#carryOutOne(accountId, order)));
  }

  /** A fault of ours is tried again: nothing is known of what came of it, and the names are the same. */
  async #carryOutOne(accountId: string, order: ActionOrder): Promise<ActionReport> {
    try {
      return 'target' in order
        ? await callWebhook(this.env, accountId, order)
        : await sendReply(this.env, accountId, order);
    } catch (error) {
      const { automationId, runId, index } = order;
      logFault('automation.not_carried_out', error, { accountId, automationId, runId, index });
      return { kind: 'again', afterSeconds: 30, reason: 'refused', words: 'Something broke on our side.' };
    }
  }
}
