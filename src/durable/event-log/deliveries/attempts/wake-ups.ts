import { logFault } from '../../../log.ts';

/** A message of the queue `webhook-deliveries`: retries of this webhook are due. The rows say which. */
export interface RetryWakeUp {
  accountId: string;
  webhookId: string;
}

/** A message of the queue `alerts`: messages that tell of alerts are due. The rows say which. */
export interface AlertWakeUp {
  accountId: string;
}

/** A message of the queue `automations`: rules want something done outside of the log. The rows say what. */
export interface AutomationWakeUp {
  accountId: string;
}

/** A queue takes so many messages a call. */
const messagesMax = 100;
/** The longest that a queue can keep a message. */
const delaySecondsMax = 86_400;

/** Sets the queues to ring when something is due. What they lose, or cannot take, the object's alarm finds. */
export class WakeUps {
  readonly #accountId: string;
  readonly #queues: Pick<Env, 'WEBHOOK_DELIVERIES' | 'ALERTS' | 'AUTOMATIONS'>;
  /** For which second a wake-up was sent, by webhook: one is enough for all that is due then. */
  readonly #rung = new Map<string, Set<number>>();

  constructor(accountId: string, queues: Pick<Env, 'WEBHOOK_DELIVERIES' | 'ALERTS' | 'AUTOMATIONS'>) {
    this.#accountId = accountId;
    this.#queues = queues;
  }

  async retries(retries: readonly { webhookId: string; at: number }[], now: number): Promise<void> {
    const wakeUps = new Map<number, Set<string>>();
    for (const { webhookId, at } of retries) {
      const second = Math.ceil(at / 1000);
      if (this.#isRung(webhookId, second, now)) continue;
      const delaySeconds = Math.min(delaySecondsMax, Math.max(0, Math.ceil((at - now) / 1000)));
      wakeUps.set(delaySeconds, (wakeUps.get(delaySeconds) ?? new Set()).add(webhookId));
    }
    for (const [delaySeconds, webhookIds] of wakeUps) {
      const bodies = [...webhookIds].map((webhookId) => ({ accountId: this.#accountId, webhookId }));
      await send(this.#queues.WEBHOOK_DELIVERIES, bodies satisfies RetryWakeUp[], delaySeconds);
    }
  }

  async alerts(at: number, now: number): Promise<void> {
    const delaySeconds = Math.min(delaySecondsMax, Math.max(0, Math.ceil((at - now) / 1000)));
    await send(this.#queues.ALERTS, [{ accountId: this.#accountId }] satisfies AlertWakeUp[], delaySeconds);
  }

  /** At a time; milliseconds since 1970. */
  async automations(at: number, now: number): Promise<void> {
    const delaySeconds = Math.min(delaySecondsMax, Math.max(0, Math.ceil((at - now) / 1000)));
    const wakeUp: AutomationWakeUp = { accountId: this.#accountId };
    await send(this.#queues.AUTOMATIONS, [wakeUp], delaySeconds);
  }

  #isRung(webhookId: string, second: number, now: number): boolean {
    const rung = this.#rung.get(webhookId) ?? new Set();
    for (const past of rung) if (past * 1000 < now) rung.delete(past);
    this.#rung.set(webhookId, rung);
    if (rung.has(second)) return true;
    rung.add(second);
    return false;
  }
}

async function send(queue: Queue, bodies: readonly unknown[], delaySeconds: number): Promise<void> {
  for (let start = 0; start < bodies.length; start += messagesMax) {
    const messages = bodies.slice(start, start + messagesMax).map((body) => ({ body }));
    try {
      await queue.sendBatch(messages, { delaySeconds });
    } catch (error) {
      logFault('wake_up.not_sent', error, { wakeUps: messages.length });
    }
  }
}
