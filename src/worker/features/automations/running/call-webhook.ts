import type {
  ActionOrder,
  ActionReport,
} from '../../../../durable/event-log/automations/actions/outer-action.ts';
import { derivedUuid } from '../../../../durable/new-ids.ts';
import { settingsOf } from '../../../../settings/worker-settings.ts';
import { makeAttempt } from '../../webhooks/delivery/attempt.ts';
import { withinHostBound } from '../../webhooks/delivery/host-bound.ts';

/** When the host has too much under way from here. */
const busySeconds = 15;

/** Makes one attempt at the callback of a rule: signed, guarded and judged as that of a webhook. */
export async function callWebhook(
  env: Env,
  accountId: string,
  { action, target, runId, index, attempt }: Extract<ActionOrder, { target: unknown }>,
): Promise<ActionReport> {
  const ladder = settingsOf(env).WEBHOOK_RETRY_SECONDS;
  const { url, eventId, body } = action;
  const deliveryId = derivedUuid(0, runId, String(index), url);
  const order = { deliveryId, eventId, event: 'automation.run' as const, body, attempt };
  const report = await withinHostBound(url, () => makeAttempt(env, ladder, accountId, target, order));
  if (report === null) {
    return {
      kind: 'again',
      afterSeconds: busySeconds,
      reason: 'webhook_failed',
      words: 'The receiver is busy.',
    };
  }
  const { verdict, attempt: made } = report;
  const words = made.error ?? '';
  switch (verdict.kind) {
    case 'delivered':
      return { kind: 'done' };
    case 'retry':
      return { kind: 'again', afterSeconds: verdict.delaySeconds, reason: 'webhook_failed', words };
    case 'failed':
      return { kind: 'failed', reason: 'webhook_failed', words };
  }
}
