import { sendWakeUps } from '../hand-over/send-wake-ups.ts';

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
      const waitMs = Math.max(0, Math.ceil((at - now) / 1000) * 1000);
      wakeUps.set(waitMs, (wakeUps.get(waitMs) ?? new Set()).add(webhookId));
    }
    for (const [waitMs, webhookIds] of wakeUps) {
      const bodies = [...webhookIds].map(
        (webhookId): RetryWakeUp => ({ accountId: this.#accountId, webhookId }),
      );
      await sendWakeUps(this.#queues.WEBHOOK_DELIVERIES, bodies, waitMs);
    }
  }

  /** At a time; milliseconds since 1970. */
  alerts(at: number, now: number): Promise<void> {
    return sendWakeUps<AlertWakeUp>(this.#queues.ALERTS, [{ accountId: this.#accountId }], at - now);
  }

  automations(at: number, now: number): Promise<void> {
    return sendWakeUps<AutomationWakeUp>(
      this.#queues.AUTOMATIONS,
      [{ accountId: this.#accountId }],
      at - now,
    );
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
